"""FA302 deny-denies-nothing."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.frontmatter.nodes import Entry, Scalar
from fsagent_lint.rules import (
    Action,
    Bad,
    ClassifiedItem,
    Consequence,
    Edit,
    Finding,
    Fix,
    Good,
    Rule,
    Safety,
    Subject,
    Trait,
    Verdict,
)
from fsagent_lint.rules._overrides import gates_of, overridden_denials, switches_nothing
from fsagent_lint.rules._tool_fixes import advice, missing_names, replacement


class DenyDeniesNothing(Rule):
    """A denial has no effect, although the harness has the tool.

    ## Why
    OpenCode controls writing with the single permission `edit`; it accepts `permission: {write: deny}` and ignores it.
    In Claude Code `disallowedTools: "*"` denies nothing. An entry of `permission` replaces the entry of `tools` for the
    same tool: with `permission: {bash: allow}`, `tools: {bash: false}` denies nothing.

    ## Fix safety
    Safe where the permission that controls the tool is denied instead. Unsafe where two keys contradict each other: the
    fix assumes that the denial is intended.
    """

    code = "FA302"
    name = "deny-denies-nothing"
    consequence = Consequence.WIDENED
    about = frozenset((Trait.DENIES, Trait.SWITCHES, Trait.PERMITS))
    examples = (
        Good("---\ndescription: d\npermission: {edit: deny}\n---\n", harness="opencode"),
        Good("---\ndescription: d\ntools: {write: false}\n---\n", harness="opencode"),
        Bad(
            "---\ndescription: d\npermission:\n  ⟦write⟧: deny\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\npermission:\n  edit: deny\n---\n",
        ),
        Bad(
            "---\ndescription: d\npermission:\n  edit: deny\n  ⟦write⟧: deny\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\npermission:\n  edit: deny\n---\n",
        ),
        Bad("---\nname: a\ndescription: d\ndisallowedTools: '⟦*⟧'\n---\n"),
        Good("---\ndescription: d\ntools: {'*': false}\npermission: {bash: allow}\n---\n", harness="opencode"),
        Bad(
            "---\ndescription: d\npermission:\n  bash: allow # tests\ntools:\n  ⟦bash⟧: false\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\npermission:\n  bash: deny # tests\ntools:\n  bash: false\n---\n",
        ),
        Bad(
            "---\ndescription: d\ntools: {⟦bash⟧: false}\npermission: {bash: {'git *': allow}}\n---\n",
            harness="opencode",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for entry in subject.items:
            if entry.role == "deny" and entry.verdict == Verdict.EVERYTHING:
                message = f"`{entry.item.name}` denies nothing in {subject.harness.title}; the agent has every tool. Name the tools to deny."
                yield self.finding(entry.item.span, message)
            elif entry.role in ("switch", "permission") and entry.verdict == Verdict.KNOWN and entry.name is not None:
                if switches_nothing(subject, entry) and entry.name.gives:
                    yield self._report(subject, entry, gates_of(subject, entry.name.gives))
        for early, late, _, later, _ in overridden_denials(subject):
            yield self.finding(
                early.key.span,
                f"In {subject.harness.title} `{late.name}` ({later}) under `{_key_of(subject, late)}` replaces this entry, so it "
                "denies nothing. Keep one of the two.",
                fix=_deny(subject, late),
            )

    def _report(self, subject: Subject, entry: ClassifiedItem, gates: tuple[str, ...]) -> Finding:
        denies = entry.action is Action.DENY
        granted = [tool in subject.granted for tool in entry.meaning.tools]
        consequence = Consequence.STYLE  # another entry does what this one was meant to do
        if missing_names(subject, entry, gates) and (any(granted) if denies else not all(granted)):
            consequence = Consequence.WIDENED if denies else Consequence.NARROWED
        return self.finding(
            entry.item.span,
            f"`{entry.item.name}` is not a permission of {subject.harness.title}; the entry "
            f"{'denies' if denies else 'allows'} nothing. {advice(subject, entry, gates)}",
            consequence=consequence,
            fix=replacement(subject, entry, gates, safe=True),
        )


def _key_of(subject: Subject, entry: Entry) -> str:
    return next(value.key for value in subject.values if value.entry.start <= entry.start <= value.entry.end)


def _deny(subject: Subject, entry: Entry) -> Fix | None:
    if not isinstance(entry.value, Scalar) or entry.value.marked:
        return None
    edit = Edit(entry.value.span, "deny")
    return Fix(f"Set `{entry.name}` to deny", (edit,), Safety.UNSAFE, frozenset((_key_of(subject, entry),)))
