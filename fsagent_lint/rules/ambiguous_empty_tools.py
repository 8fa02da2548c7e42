"""FA307 ambiguous-empty-tools."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait


class AmbiguousEmptyTools(Rule):
    """A tool key is there but names nothing, in a form that does not say so.

    ## Why
    `tools: ""` leaves the agent without any tool, which hardly anyone means. To Qwen Code even `tools: []` is as good as
    no key at all: the agent has every tool.

    ## What to do
    Write `[]` if that is what you want (for Qwen Code a name that no tool has), or remove the key to allow every tool.

    ## Fix safety
    Safe: an empty list says that there are to be no tools.
    """

    code = "FA307"
    name = "ambiguous-empty-tools"
    consequence = Consequence.NARROWED
    about = frozenset((Trait.ALLOWS,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: []\n---\n"),
        Bad("---\nname: a\ndescription: d\n⟦tools⟧: ''\n---\n"),
        Bad(
            "---\nname: ab\ndescription: d\n⟦tools⟧: []\n---\nAnswer questions.\n",
            harness="qwen",
            fixed="---\nname: ab\ndescription: d\ntools: [none]\n---\nAnswer questions.\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for value in subject.values:
            key = subject.kind.keys[value.key]
            if key.role != "allow" or value.items or value.shape not in ("csv", "list"):
                continue
            if key.nothing and subject.effect.open:
                from fsagent_lint.rewrite.convert_tools import native_form_fix

                yield self.finding(
                    value.entry.key.span,
                    f"`{value.key}` names no tool, which {subject.harness.title} takes for no key at all; the agent has "
                    f"every tool. Write `{key.nothing}` for none, or remove the key to allow every tool.",
                    consequence=Consequence.WIDENED,
                    fix=native_form_fix(subject),
                )
            elif value.shape == "csv":
                yield self.finding(
                    value.entry.key.span,
                    f"`{value.key}` names no tool; the agent runs without any. Write `[]` if that is meant, or remove "
                    "the key to allow every tool.",
                )
