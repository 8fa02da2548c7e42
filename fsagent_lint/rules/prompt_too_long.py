"""FA406 prompt-too-long."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait


class PromptTooLong(Rule):
    """The prompt is longer than the harness accepts.

    ## Why
    According to GitHub's documentation, its cloud agent accepts prompts of at most 30,000 characters. The command line
    was recorded loading 70,000, so an agent may work on one machine and not on the other.
    """

    code = "FA406"
    name = "prompt-too-long"
    consequence = Consequence.REFUSED
    about = frozenset((Trait.PROMPT,))
    examples = (
        Good("---\ndescription: d\n---\nShort.\n", harness="copilot"),
        Bad("⟦---⟧\ndescription: d\n---\n" + "x" * 30_001, harness="copilot"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        source, limit = subject.document.source, subject.kind.max_body
        if not limit or len(source.data) - source.body <= limit:
            return
        length = len(source.data[source.body :].decode("utf-8", "replace").strip())
        if length > limit:
            note = f" ({subject.kind.max_body_note})" if subject.kind.max_body_note else ""
            message = f"The prompt has {length:,} characters, but {subject.harness.title} accepts at most {limit:,}{note}. Shorten it."
            yield self.finding(subject.document.opening_fence, message)
