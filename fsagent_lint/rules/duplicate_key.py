"""FA002 duplicate-key."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait


class DuplicateKey(Rule):
    """A key occurs twice in one map.

    ## Why
    Claude Code uses the last value, Copilot refuses the file, and OpenCode loads it without its settings, so that the
    agent has every tool.

    ## What to do
    Keep one of them.
    """

    code = "FA002"
    name = "duplicate-key"
    consequence = Consequence.REFUSED
    tag = "unnecessary"
    about = frozenset((Trait.REPEATED,))
    examples = (
        Good("---\nname: a\ndescription: d\n---\n"),
        Bad("---\nname: a\ndescription: d\ntools: Read\n⟦tools⟧: Grep\n---\n"),
        Bad(
            '{"agent": {"a": {"mode": "all"}, ⟦"a"⟧: {"mode": "all"}}}\n',
            harness="opencode",
            kind="config",
            path="opencode.json",
        ),
        Bad("---\ndescription: d\ntools:\n  bash: false\n  ⟦bash⟧: true\n---\n", harness="opencode"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        if subject.document.error is not None:
            return  # what looks like a key may be text
        from fsagent_lint.agent.data.document import DataDocument

        if isinstance(document := subject.document, DataDocument):
            duplicates = document.own_duplicates()
        else:
            duplicates = document.duplicates()
        for repeated in duplicates:
            effect, title = subject.effect, subject.harness.title
            if subject.takes_last:
                outcome, consequence = f"{title} takes the last one", Consequence.IGNORED
            elif not effect.loads:
                outcome, consequence = subject.refuses, Consequence.REFUSED
            elif not effect.data:
                outcome, consequence = (
                    f"{title} loads the file without its settings, so the agent has every tool",
                    Consequence.WIDENED,
                )
            else:
                outcome, consequence = f"{title} uses the last one", Consequence.IGNORED
            message = f"`{repeated.name}` is a duplicate key; {outcome}. Keep one of them."
            yield self.finding(repeated.key.span, message, consequence=consequence)
