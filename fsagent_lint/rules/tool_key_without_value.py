"""FA203 tool-key-without-value."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.agent.tool_values import ToolValue
from fsagent_lint.rules import Bad, Consequence, Edit, Finding, Fix, Good, Rule, Safety, Subject, Trait


class ToolKeyWithoutValue(Rule):
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
    name = "tool-key-without-value"
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
        for tool_value in subject.values:
            role = subject.kind.keys[tool_value.key].role
            if tool_value.shape != "null" or role == "approve":
                continue
            refused = not subject.effect.loads and subject.effect.key == tool_value.key
            if refused:
                outcome, consequence = subject.refuses, Consequence.REFUSED
            elif role == "deny":
                outcome, consequence = "nothing is denied", Consequence.IGNORED
            elif subject.effect.open:
                outcome, consequence = "it counts as if it were not there", Consequence.IGNORED
            else:
                outcome, consequence = "the agent gets no tools at all", Consequence.NARROWED
            yield self.finding(
                tool_value.entry.key.span,
                f"`{tool_value.key}` has no value; {outcome}. Write the tools, or {_advice(subject, tool_value)}.",
                consequence=consequence,
                fix=_empty_list(tool_value, safe=not refused) if _takes_empty_list(subject, tool_value) else None,
            )


def _advice(subject: Subject, tool_value: ToolValue) -> str:
    is_required = subject.kind.keys[tool_value.key].required
    return "`[]` for none" if is_required else "remove the key to allow every tool"


def _takes_empty_list(subject: Subject, tool_value: ToolValue) -> bool:
    key = subject.kind.keys[tool_value.key]
    return "list" in key.forms and not key.nothing


def _empty_list(tool_value: ToolValue, *, safe: bool) -> Fix | None:
    value = tool_value.entry.value
    if value.marked:
        return None
    edit = Edit(value.span, "[]" if value.end > value.start else " []")
    return Fix("Write `[]`: no tools", (edit,), Safety.SAFE if safe else Safety.UNSAFE, frozenset((tool_value.key,)))
