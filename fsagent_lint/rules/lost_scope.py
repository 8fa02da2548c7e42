"""FA603 lost-scope."""

from __future__ import annotations

from fsagent_lint.model.loss import LossKind
from fsagent_lint.rules import Bad, Consequence, Good, Trait
from fsagent_lint.rules._conversion import ConversionRule


class LostScope(ConversionRule):
    """The target harness cannot limit a tool to a scope.

    ## Why
    `Bash(git diff:*)` has an equivalent in OpenCode, but not in Copilot. Without its scope the tool would be wider than
    intended, so it is dropped, unless `--unsafe-fixes` or `accept-widening` allows the tool without a scope.
    """

    code = "FA603"
    name = loss = LossKind.SCOPE
    consequence = Consequence.WIDENED
    about = frozenset((Trait.GOAL,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read, Bash(git diff:*)\n---\n", target="opencode"),
        Bad("---\nname: a\ndescription: d\ntools: Read, ⟦Bash(git diff:*)⟧\n---\n", target="copilot"),
    )
