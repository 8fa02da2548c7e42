"""FA602 lost-tool."""

from __future__ import annotations

from fsagent_lint.rewrite.losses import LossKind
from fsagent_lint.rules import Bad, Consequence, Good, Trait
from fsagent_lint.rules._conversion import ConversionRule


class LostTool(ConversionRule):
    """Another harness has no such tool, and the agent will do without.

    ## Why
    A tool that the target lacks is left out when the file is written for it. Others are left out so that the agent does
    not get more than before: those that the target can only deny together with a denied tool, and, where a list of
    denials becomes a list of tools, those of a denied risk and the tools of MCP servers.
    """

    code = "FA602"
    name = loss = LossKind.TOOL
    consequence = Consequence.NARROWED
    about = frozenset((Trait.GOAL,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read\n---\n", target="opencode"),
        Bad("---\nname: a\ndescription: d\ntools: Read, ⟦Monitor⟧\n---\n", target="opencode"),
    )
