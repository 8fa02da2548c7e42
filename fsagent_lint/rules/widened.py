"""FA601 widened."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait


class Widened(Rule):
    """Written for another harness, the agent would get more than was meant.

    ## Why
    Harnesses bundle tools: Copilot's `edit` also creates files. Inside one risk that is written and noted. A tool of a
    risk that the agent did not have is refused.

    ## What to do
    Leave the tool out, or accept the risk: `--unsafe-fixes`, or `accept-widening` in the config.
    """

    code = "FA601"
    name = "widened"
    consequence = Consequence.WIDENED
    about = frozenset((Trait.GOAL,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read\n---\n", target="opencode"),
        Bad("---\nname: a\ndescription: d\n⟦tools⟧: Read, Edit\n---\n", target="opencode"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        return self.told(subject)
