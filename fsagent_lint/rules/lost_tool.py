"""FA602 lost-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait


class LostTool(Rule):
    """Another harness has no such tool, and the agent will do without.

    ## Why
    What the target lacks is dropped when the file is written for it; whoever wrote the agent should know.
    """

    code = "FA602"
    name = "lost-tool"
    consequence = Consequence.NARROWED
    about = frozenset((Trait.GOAL,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read\n---\n", target="opencode"),
        Bad("---\nname: a\ndescription: d\ntools: Read, ⟦Monitor⟧\n---\n", target="opencode"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        return self.told(subject)
