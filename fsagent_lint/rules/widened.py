"""FA601 widened."""

from __future__ import annotations

from fsagent_lint.model.loss import LossKind
from fsagent_lint.rules import Bad, Consequence, Good, Trait
from fsagent_lint.rules._conversion import ConversionRule


class Widened(ConversionRule):
    """For the target harness, the agent would be granted more than intended.

    ## Why
    Harnesses bundle tools: OpenCode's `edit` also creates files. A tool of the same risk as one that the author named
    is written and reported. A tool that can write, execute, reach the network or delegate is refused if the author did
    not name it and the agent did not have it.

    ## What to do
    Remove the tool, or accept the risk: `--unsafe-fixes`, or `accept-widening` in the config.
    """

    code = "FA601"
    name = loss = LossKind.WIDENED
    consequence = Consequence.WIDENED
    about = frozenset((Trait.GOAL,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read\n---\n", target="opencode"),
        Bad("---\nname: a\ndescription: d\n⟦tools⟧: Read, Edit\n---\n", target="opencode"),
    )
