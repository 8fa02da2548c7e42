"""FA411 prompt-too-short."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait


class PromptTooShort(Rule):
    """The prompt is shorter than the harness requires.

    ## Why
    Qwen Code skips an agent whose prompt has fewer than ten characters, and only reports it in its debug log.
    """

    code = "FA411"
    name = "prompt-too-short"
    consequence = Consequence.REFUSED
    about = frozenset((Trait.PROMPT,))
    examples = (
        Good("---\nname: ab\ndescription: d\n---\nReview the code.\n", harness="qwen"),
        Good("---\nname: ab\ndescription: d\n---\n"),
        Bad("⟦---⟧\nname: ab\ndescription: d\n---\nReview.\n", harness="qwen"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        minimum = subject.kind.min_body
        if minimum and subject.document.source.problem is None and (length := subject.document.body_length) < minimum:
            message = (
                f"The prompt has {length} characters, but {subject.harness.title} requires at least {minimum}; it refuses "
                "the file. Describe what the agent should do."
            )
            yield self.finding(subject.document.opening_fence, message)
