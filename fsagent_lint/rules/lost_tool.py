"""FA602 lost-tool."""

from __future__ import annotations

from fsagent_lint.model.loss import LossKind
from fsagent_lint.rules import Bad, Consequence, Good, Trait
from fsagent_lint.rules._conversion import ConversionRule


class LostTool(ConversionRule):
    """The target harness has no equivalent of a tool, so it is dropped.

    ## Why
    A tool that the target lacks is dropped. Other tools are dropped so that the agent is granted no more than before:
    those that the target can only deny together with a denied tool, and, where a list of denials becomes a list of
    tools, those of a denied risk and the tools of MCP servers.
    """

    code = "FA602"
    name = loss = LossKind.TOOL
    consequence = Consequence.NARROWED
    about = frozenset((Trait.GOAL,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read\n---\n", target="opencode"),
        Bad("---\nname: a\ndescription: d\ntools: Read, ⟦Monitor⟧\n---\n", target="opencode"),
    )
