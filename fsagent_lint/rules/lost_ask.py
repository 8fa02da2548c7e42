"""FA605 lost-ask."""

from __future__ import annotations

from fsagent_lint.model.loss import LossKind
from fsagent_lint.rules import Bad, Consequence, Good, Trait
from fsagent_lint.rules._conversion import ConversionRule


class LostAsk(ConversionRule):
    """The target harness cannot ask before it uses a tool.

    ## Why
    Only OpenCode and Kilo support `permission: {bash: ask}`. Other harnesses allow a tool or deny it; their own
    settings decide whether they ask first.

    ## What to do
    Remove the tool from the agent, or require confirmation in the target's settings.
    """

    code = "FA605"
    name = loss = LossKind.ASK
    consequence = Consequence.IGNORED
    about = frozenset((Trait.GOAL,))
    examples = (
        Good("---\ndescription: d\npermission:\n  bash: ask\n---\n", harness="opencode", target="kilo"),
        Bad(
            '---\ndescription: d\npermission:\n  "*": deny\n  read: allow\n  ⟦bash⟧: ask\n---\n',
            harness="opencode",
            target="canonical",
        ),
    )
