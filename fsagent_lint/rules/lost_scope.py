"""FA603 lost-scope."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait


class LostScope(Rule):
    """Another harness cannot limit a tool to some uses.

    ## Why
    `Bash(git diff:*)` can be said in OpenCode, but not in Copilot. Without its limit the tool is more than was meant, so
    it is left out, unless `--unsafe-fixes` or `accept-widening` takes it in whole.
    """

    code = "FA603"
    name = "lost-scope"
    consequence = Consequence.WIDENED
    about = frozenset((Trait.GOAL,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read, Bash(git diff:*)\n---\n", target="opencode"),
        Bad("---\nname: a\ndescription: d\ntools: Read, ⟦Bash(git diff:*)⟧\n---\n", target="copilot"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        return self.told(subject)
