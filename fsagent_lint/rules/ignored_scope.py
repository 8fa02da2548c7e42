"""FA306 ignored-scope."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.agent.tool_values import SWITCHES, WITH_ACTIONS, ToolValue
from fsagent_lint.frontmatter.nodes import Entry, Map, Scalar
from fsagent_lint.rules import (
    ALL_AGENTS,
    Action,
    Bad,
    Consequence,
    Edit,
    Finding,
    Fix,
    Good,
    Group,
    Rule,
    Safety,
    Span,
    Subject,
    Trait,
    Verdict,
)


class IgnoredScope(Rule):
    """A tool entry has a scope that the harness ignores.

    ## Why
    In a Claude Code agent `Bash(git diff:*)` grants the whole shell, and `disallowedTools: Bash(rm *)` denies the whole
    shell. Copilot and Qwen Code treat the entry as an unknown name, and Gemini CLI refuses the file. `git:*` is Claude
    Code's notation for `git *`; in OpenCode it matches only commands that have a colon there.

    ## What to do
    Restrict commands where the harness supports it: under `permissions` in Claude Code's settings, or under
    `permission` in OpenCode.

    ## Fix safety
    Safe: `git:*` becomes `git *`, the harness's notation for the same pattern.
    """

    code = "FA306"
    name = "ignored-scope"
    consequence = Consequence.WIDENED
    sorts = ALL_AGENTS
    about = frozenset((Trait.SCOPE,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read, Agent(reviewer)\n---\n"),
        Good("---\ndescription: d\nallowed-tools: Bash(git diff:*)\n---\n", kind="skill"),
        Bad("---\nname: a\ndescription: d\ntools: Read, ⟦Bash(git diff:*)⟧\n---\n"),
        Bad("---\nname: a\ndescription: d\ntools: ⟦Bash(git:*)⟧, ⟦Bash(gh:*)⟧\n---\n"),
        Bad("---\nname: a\ndescription: d\ndisallowedTools: ⟦Bash(rm *)⟧\n---\n"),
        Bad("---\ndescription: d\ntools: ['⟦execute(git)⟧']\n---\n", harness="copilot"),
        Good(
            "---\ndescription: d\npermission: {bash: {'*': deny, 'npm run lint:fix': allow}}\n---\n", harness="opencode"
        ),
        Bad(
            "---\ndescription: d\npermission:\n  bash:\n    '*': deny\n    ⟦'git diff:*'⟧: allow # look\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\npermission:\n  bash:\n    '*': deny\n    'git diff *': allow # look\n---\n",
        ),
        Bad("---\ndescription: d\npermission: {bash: {⟦'rm:*'⟧: deny, 'rm *': deny}}\n---\n", harness="opencode"),
        Bad("---\nname: a\ndescription: d\ntools: [⟦run_shell_command(git)⟧]\n---\nGo.\n", harness="gemini"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for value in subject.values:
            if subject.kind.keys[value.key].literal:
                yield from self._literal(subject, value)
        for entry in subject.items:
            key = subject.kind.keys[entry.value.key]
            if entry.item.scope is None or entry.value.shape in WITH_ACTIONS:
                continue
            if key.scopes == "honoured" or entry.item.name in key.scoped:
                continue
            known = entry.verdict in (Verdict.KNOWN, Verdict.RENAMED)
            name, what, several = (
                entry.item.name,
                f"ignores the scope `{entry.item.scope}` here",
                "ignores these scopes",
            )
            unsupported = f"does not support the scope in `{entry.item.text}`"
            if key.unknown == "refused" and entry.item.whole is None:
                outcome, consequence = subject.refusal, Consequence.REFUSED
                what, several = unsupported, "does not support these scopes"
            elif key.scopes == "dropped":
                outcome, consequence = "the whole entry is dropped", Consequence.NARROWED
                what, several = unsupported, "drops entries with a scope"
            elif not known:
                continue  # another rule reports the name itself
            elif entry.action is Action.DENY:
                outcome, consequence = f"`{name}` is denied entirely", Consequence.NARROWED
            else:
                outcome, consequence = f"it grants `{name}` without any limit", Consequence.WIDENED
            outcomes = (
                several if key.scopes == "dropped" and consequence is Consequence.NARROWED else f"{several}; {outcome}"
            )
            advice = "Limit the tool in the harness's settings, or remove the scope"
            yield self.finding(
                entry.item.span,
                f"{subject.harness.title} {what}; {outcome}. {advice}.",
                consequence=consequence,
                group=Group(f"{subject.harness.title} {outcomes}. {advice}s", f"`{entry.item.text}`"),
            )

    def _literal(self, subject: Subject, value: ToolValue) -> Iterator[Finding]:
        """Patterns in another harness's notation, which this one reads literally."""
        tools = value.entry.value.entries if isinstance(value.entry.value, Map) else ()
        for rules in (tool.value.entries for tool in tools if isinstance(tool.value, Map)):
            for rule in rules:
                ending = next((end for end in subject.kind.keys[value.key].literal if _ends(rule, end)), None)
                if ending is None or not isinstance(rule.value, Scalar):
                    continue
                allows = SWITCHES.get(rule.value.value.lower()) is Action.ALLOW
                meant = f"{(rule.name or '').removesuffix(ending)} *"
                yield self.finding(
                    rule.key.span,
                    f"{subject.harness.title} reads `{rule.name}` literally, so it only matches what begins with "
                    f"`{(rule.name or '')[:-1]}`. Write `{meant}`.",
                    consequence=Consequence.NARROWED if allows else Consequence.WIDENED,
                    fix=_native_pattern(value, rule, ending) if all(each.name != meant for each in rules) else None,
                )


def _ends(rule: Entry, ending: str) -> bool:
    return (rule.name or "").endswith(ending) and rule.name != ending


def _native_pattern(value: ToolValue, rule: Entry, ending: str) -> Fix | None:
    """The fix that writes the pattern in this harness's notation."""
    key = rule.key
    if not isinstance(key, Scalar) or key.marked or key.style not in ("", "'", '"'):
        return None
    end = key.end - (1 if key.style else 0)
    edit = Edit(Span(end - len(ending), end), " *")
    return Fix(f"Replace `{ending}` with ` *`", (edit,), Safety.SAFE, frozenset((value.key,)))
