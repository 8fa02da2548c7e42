"""FA602 lost-tool."""

from __future__ import annotations

from fsagent_lint.rewrite.losses import LossKind
from fsagent_lint.rules import Bad, Consequence, Good, Trait
from fsagent_lint.rules._conversion import ConversionRule


class LostTool(ConversionRule):
    """Another harness has no such tool, and the agent will do without.

    ## Why
    What the target lacks is dropped when the file is written for it; whoever wrote the agent should know.
    """

    code = "FA602"
    name = loss = LossKind.TOOL
    consequence = Consequence.NARROWED
    about = frozenset((Trait.GOAL,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read\n---\n", target="opencode"),
        Bad("---\nname: a\ndescription: d\ntools: Read, ⟦Monitor⟧\n---\n", target="opencode"),
    )
