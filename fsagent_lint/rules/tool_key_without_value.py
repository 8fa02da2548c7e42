"""FA203 tool-key-without-value."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.agent.tool_values import ToolValue
from fsagent_lint.rules import Bad, Consequence, Edit, Finding, Fix, Good, Rule, Safety, Subject, Trait


class ToolKeyWithoutValue(Rule):
    """A tool key has no value.

    ## Why
    Harnesses differ: Claude Code and VS Code grant the agent no tools, OpenCode and Copilot refuse the file. The author
    may have intended no tools, or every tool.

    ## What to do
    Write `[]` for no tools, or remove the key to allow every tool.

    ## Fix safety
    Safe where `[]` has the same effect as the empty key. Unsafe where the harness refuses the file: then the intent is
    a guess.
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
                outcome, consequence = f"{subject.harness.title} ignores it", Consequence.IGNORED
            else:
                outcome, consequence = "the agent has no tools", Consequence.NARROWED
            yield self.finding(
                tool_value.entry.key.span,
                f"`{tool_value.key}` has no value; {outcome}. List the tools, or {_advice(subject, tool_value)}.",
                consequence=consequence,
                fix=_empty_list(tool_value, safe=not refused) if _takes_empty_list(subject, tool_value) else None,
            )


def _advice(subject: Subject, tool_value: ToolValue) -> str:
    is_required = subject.kind.keys[tool_value.key].required
    return "write `[]` for none" if is_required else "remove the key to allow every tool"


def _takes_empty_list(subject: Subject, tool_value: ToolValue) -> bool:
    key = subject.kind.keys[tool_value.key]
    return "list" in key.forms and not key.nothing


def _empty_list(tool_value: ToolValue, *, safe: bool) -> Fix | None:
    value = tool_value.entry.value
    if value.marked:
        return None
    edit = Edit(value.span, "[]" if value.end > value.start else " []")
    return Fix("Write `[]` for no tools", (edit,), Safety.SAFE if safe else Safety.UNSAFE, frozenset((tool_value.key,)))
