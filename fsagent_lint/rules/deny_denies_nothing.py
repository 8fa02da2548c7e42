"""FA302 deny-denies-nothing."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import (
    Action,
    Bad,
    ClassifiedItem,
    Consequence,
    Finding,
    Good,
    Rule,
    Subject,
    Trait,
    Verdict,
)
from fsagent_lint.rules._overrides import gates_of, switches_nothing
from fsagent_lint.rules._tool_fixes import listing, replacement


class DenyDeniesNothing(Rule):
    """A denial names a tool that the harness has, in a way that switches nothing.

    ## Why
    OpenCode guards writing by the one permission `edit`; `permission: {write: deny}` is accepted and does nothing.
    `disallowedTools: "*"` denies nothing in Claude Code.

    ## Fix safety
    Safe: the permission that guards the tool is denied instead.
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
        Bad("---\nname: a\ndescription: d\ndisallowedTools: '⟦*⟧'\n---\n"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for entry in subject.items:
            if entry.role == "deny" and entry.verdict == Verdict.EVERYTHING:
                message = f"`{entry.item.name}` denies nothing in {subject.harness.title}; the agent has every tool. Name the tools."
                yield self.finding(entry.item.span, message)
            elif entry.role in ("switch", "permission") and entry.verdict == Verdict.KNOWN and entry.name is not None:
                if switches_nothing(subject, entry) and entry.name.gives:
                    yield self._report(subject, entry, gates_of(subject, entry.name.gives))

    def _report(self, subject: Subject, entry: ClassifiedItem, gates: tuple[str, ...]) -> Finding:
        denies = entry.action is Action.DENY
        granted = all(tool in subject.granted for tool in entry.meaning.tools)
        consequence = Consequence.WIDENED if denies else Consequence.IGNORED if granted else Consequence.NARROWED
        return self.finding(
            entry.item.span,
            f"`{entry.item.name}` is not a permission of {subject.harness.title}; the entry "
            f"{'denies' if denies else 'allows'} nothing. Write {listing(gates)}, which guards the tool.",
            consequence=consequence,
            fix=replacement(subject, entry, gates, safe=True),
        )
