"""FA603 lost-scope."""

from __future__ import annotations

from fsagent_lint.rewrite.losses import LossKind
from fsagent_lint.rules import Bad, Consequence, Good, Trait
from fsagent_lint.rules._conversion import ConversionRule


class LostScope(ConversionRule):
    """Another harness cannot limit a tool to some uses.

    ## Why
    `Bash(git diff:*)` can be said in OpenCode, but not in Copilot. Without its limit the tool is more than was meant, so
    it is left out, unless `--unsafe-fixes` or `accept-widening` takes it in whole.
    """

    code = "FA603"
    name = loss = LossKind.SCOPE
    consequence = Consequence.WIDENED
    about = frozenset((Trait.GOAL,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read, Bash(git diff:*)\n---\n", target="opencode"),
        Bad("---\nname: a\ndescription: d\ntools: Read, ⟦Bash(git diff:*)⟧\n---\n", target="copilot"),
    )
