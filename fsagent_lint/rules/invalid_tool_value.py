"""FA202 invalid-tool-value."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import (
    Action,
    Bad,
    Consequence,
    Edit,
    Finding,
    Fix,
    Good,
    Rule,
    Safety,
    Subject,
    Trait,
)
from fsagent_lint.rules._overrides import Switch, switch_values
from fsagent_lint.rules._tool_fixes import listing


class InvalidToolValue(Rule):
    """A value in a tool map is not one that the harness accepts.

    ## Why
    OpenCode accepts `true` and `false` under `tools`, and `allow`, `ask` and `deny` under `permission`. With any other
    value, including `no`, `off` and `"false"`, it refuses to start.

    ## Fix safety
    Unsafe where the harness would then load the agent with harmful tools that the map does not enable: `{bash: no}`
    becomes `{bash: false}`, which grants everything else. Otherwise safe, unless the intended value is a guess.
    """

    code = "FA202"
    name = "invalid-tool-value"
    consequence = Consequence.REFUSED
    about = frozenset((Trait.SWITCHES, Trait.PERMITS))
    examples = (
        Good("---\ndescription: d\ntools: {bash: false}\n---\n", harness="opencode"),
        Good("---\ndescription: d\npermission: {bash: ask}\n---\n", harness="opencode"),
        Bad("---\ndescription: d\npermission: {bash: ⟦maybe⟧}\n---\n", harness="opencode"),
        Bad(
            "---\ndescription: d\ntools:\n  bash: ⟦no⟧ # never\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\ntools:\n  bash: false # never\n---\n",
        ),
        Bad(
            "---\ndescription: d\npermission:\n  edit: ⟦false⟧\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\npermission:\n  edit: deny\n---\n",
        ),
        Bad(
            "---\ndescription: d\ntools:\n  read: ⟦yes⟧\n  grep: ⟦on⟧\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\ntools:\n  read: true\n  grep: true\n---\n",
        ),
        Bad("---\ndescription: d\npermission:\n  bash: ⟦maybe⟧\n---\n", harness="opencode"),
        Bad("---\ndescription: d\npermission:\n  webfetch: ⟦{'*': deny}⟧\n---\n", harness="opencode"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for value in subject.values:
            key = subject.kind.keys[value.key]
            role = key.role
            if role in ("switch", "permission") and value.shape in ("map", "permission"):
                words = _SWITCHES if role == "switch" else _ACTIONS
                for switch in switch_values(value, key):
                    if not _is_legal(switch, role):
                        yield self._report(subject, value.key, switch, words)

    def _report(self, subject: Subject, key: str, switch: Switch, words: dict[Action, str]) -> Finding:
        span = switch.node.span
        right = words.get(switch.action) if switch.action is not None else None
        safety = Safety.UNSAFE if subject.intent.guess else Safety.SAFE
        fix = Fix(f"Write `{right}`", (Edit(span, right),), safety, frozenset((key,))) if right else None
        shown = (
            "is a list or a map" if switch.text is None else f"is `{switch.text}`" if switch.text else "has no value"
        )
        return self.finding(
            span,
            f"`{switch.name}` {shown}, but {subject.harness.title} only accepts {listing([*words.values()])} here; "
            f"it refuses to start. Write {f'`{right}`' if right else 'one of them'}.",
            fix=fix,
        )


_SWITCHES = {Action.ALLOW: "true", Action.DENY: "false"}
_ACTIONS = {Action.ALLOW: "allow", Action.ASK: "ask", Action.DENY: "deny"}


def _is_legal(switch: Switch, role: str) -> bool:
    if role == "permission":
        return switch.text in ("allow", "ask", "deny")
    return switch.plain and switch.text in ("true", "True", "TRUE", "false", "False", "FALSE")
