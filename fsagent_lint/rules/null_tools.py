"""FA203 null-tools."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.agent.tool_values import ToolValue
from fsagent_lint.rules import Bad, Consequence, Edit, Finding, Fix, Good, Rule, Safety, Subject, Trait


class NullTools(Rule):
    """A tool key has no value.

    ## Why
    What that means differs: Claude Code and VS Code give the agent no tools, OpenCode and Copilot refuse the file. And
    what its author meant cannot be told: nothing, or everything.

    ## What to do
    Write `[]` for no tools, or remove the key for all of them.

    ## Fix safety
    Safe where `[]` does what the empty key does already. Unsafe where the harness refuses the file as it is: then what
    was meant is a guess.
    """

    code = "FA203"
    name = "null-tools"
    consequence = Consequence.NARROWED
    about = frozenset((Trait.TOOLS,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: []\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\n⟦tools⟧: # none\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: [] # none\n---\n",
        ),
        Bad("---\ndescription: d\n⟦tools⟧: null\n---\n", harness="opencode"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for written in subject.values:
            role = subject.kind.keys[written.key].role
            if written.shape != "null" or role == "approve":
                continue
            refused = not subject.effect.loads and subject.effect.key == written.key
            if refused:
                outcome, consequence = f"{subject.harness.title} refuses the file", Consequence.REFUSED
            elif role == "deny":
                outcome, consequence = "nothing is denied", Consequence.IGNORED
            elif subject.effect.open:
                outcome, consequence = "it counts as if it were not there", Consequence.IGNORED
            else:
                outcome, consequence = "the agent gets no tools at all", Consequence.NARROWED
            yield self.finding(
                written.entry.key.span,
                f"`{written.key}` has no value; {outcome}. Write the tools, or {_way_out(subject, written)}.",
                consequence=consequence,
                fix=_empty_list(written, sure=not refused) if _takes_empty_list(subject, written) else None,
            )


def _way_out(subject: Subject, written: ToolValue) -> str:
    is_needed = subject.kind.keys[written.key].required
    return "`[]` for none" if is_needed else "remove the key to allow every tool"


def _takes_empty_list(subject: Subject, written: ToolValue) -> bool:
    key = subject.kind.keys[written.key]
    return "list" in key.forms and not key.nothing


def _empty_list(written: ToolValue, *, sure: bool) -> Fix | None:
    value = written.entry.value
    if value.marked:
        return None
    edit = Edit(value.span, "[]" if value.end > value.start else " []")
    return Fix("Write `[]`: no tools", (edit,), Safety.SAFE if sure else Safety.UNSAFE, frozenset((written.key,)))
