"""FA307 ambiguous-empty-tools."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait


class AmbiguousEmptyTools(Rule):
    """A tool key is empty in an ambiguous form such as `tools: ""`.

    ## Why
    With `tools: ""` the agent has no tools, which is rarely intended. Qwen Code treats even `tools: []` as a missing
    key, and grants every tool.

    ## What to do
    Write `[]` for no tools (for Qwen Code, a name that no tool has), or remove the key to allow every tool.

    ## Fix safety
    Safe: an empty list means that no tools are intended.
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
                    f"`{value.key}` is empty, which {subject.harness.title} treats as a missing key; the agent has every "
                    f"tool. Write `{key.nothing}` for no tools, or remove the key to allow every tool.",
                    consequence=Consequence.WIDENED,
                    fix=native_form_fix(subject),
                )
            elif value.shape == "csv":
                yield self.finding(
                    value.entry.key.span,
                    f"`{value.key}` is empty; the agent has no tools. Write `[]` if that is intended, or remove the key to "
                    "allow every tool.",
                )
