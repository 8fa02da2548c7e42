"""FA605 lost-ask."""

from __future__ import annotations

from fsagent_lint.rewrite.losses import LossKind
from fsagent_lint.rules import Bad, Consequence, Good, Trait
from fsagent_lint.rules._conversion import ConversionRule


class LostAsk(ConversionRule):
    """Another harness cannot be told to ask before it uses a tool.

    ## Why
    `permission: {bash: ask}` is understood by OpenCode and Kilo Code only. In other harnesses the tool is allowed or
    not; whether they ask first is up to their own settings.

    ## What to do
    Take the tool out of the agent, or let the target's settings require a confirmation.
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
