"""FA203 null-tools."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rule import Bad, Consequence, Finding, Good, Rule, Span, Subject


class NullTools(Rule):
    """A tool key has no value.

    ## Why
    What that means differs: Claude Code and VS Code give the agent no tools, OpenCode and Copilot refuse the file. And
    what its author meant cannot be told: nothing, or everything.

    ## What to do
    Write `[]` for no tools, or remove the key for all of them.
    """

    code = "FA203"
    name = "null-tools"
    consequence = Consequence.NARROWED
    examples = (
        Good("---\nname: a\ndescription: d\ntools: []\n---\n"),
        Bad("---\nname: a\ndescription: d\n⟦tools⟧:\n---\n"),
        Bad("---\ndescription: d\n⟦tools⟧: null\n---\n", harness="opencode"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for written in subject.written:
            role = subject.kind.keys[written.key].role
            if written.shape != "null" or role == "approve":
                continue
            refused = not subject.effect.loads and subject.effect.key == written.key
            if refused:
                outcome, consequence = f"{subject.harness.title} refuses the file", Consequence.REFUSED
            elif role == "deny":
                outcome, consequence = "nothing is denied", Consequence.IGNORED
            else:
                outcome, consequence = "the agent gets no tools at all", Consequence.NARROWED
            yield self.finding(
                Span(written.entry.key.start, written.entry.key.end),
                f"`{written.key}` has no value; {outcome}. Write the tools, or remove the key to allow every tool.",
                consequence=consequence,
            )
