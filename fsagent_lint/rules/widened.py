"""FA601 widened."""

from __future__ import annotations

from fsagent_lint.rewrite.losses import LossKind
from fsagent_lint.rules import Bad, Consequence, Good, Trait
from fsagent_lint.rules._conversion import ConversionRule


class Widened(ConversionRule):
    """Written for another harness, the agent would get more than was meant.

    ## Why
    Harnesses bundle tools: Copilot's `edit` also creates files. Inside one risk that is written and noted. A tool of a
    risk that the agent did not have is refused.

    ## What to do
    Leave the tool out, or accept the risk: `--unsafe-fixes`, or `accept-widening` in the config.
    """

    code = "FA601"
    name = loss = LossKind.WIDENED
    consequence = Consequence.WIDENED
    about = frozenset((Trait.GOAL,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read\n---\n", target="opencode"),
        Bad("---\nname: a\ndescription: d\n⟦tools⟧: Read, Edit\n---\n", target="opencode"),
    )
