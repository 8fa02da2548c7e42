"""FA307 no-tools."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rule import Bad, Consequence, Finding, Good, Rule, Span, Subject


class NoTools(Rule):
    """A tool key is there but names nothing, in a form that does not say so.

    ## Why
    `tools: ""` leaves the agent without any tool, which hardly anyone means.

    ## What to do
    Write `[]` if that is what you want, or remove the key to allow every tool.
    """

    code = "FA307"
    name = "no-tools"
    consequence = Consequence.NARROWED
    examples = (
        Good("---\nname: a\ndescription: d\ntools: []\n---\n"),
        Bad("---\nname: a\ndescription: d\n⟦tools⟧: ''\n---\n"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for written in subject.written:
            if written.shape == "csv" and not written.items and subject.kind.keys[written.key].role == "allow":
                yield self.finding(
                    Span(written.entry.key.start, written.entry.key.end),
                    f"`{written.key}` names no tool; the agent runs without any. Write `[]` if that is meant, or remove "
                    "the key to allow every tool.",
                )
