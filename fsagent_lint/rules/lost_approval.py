"""FA606 lost-approval."""

from __future__ import annotations

from fsagent_lint.model.loss import LossKind
from fsagent_lint.rules import Bad, Consequence, Good, Trait
from fsagent_lint.rules._conversion import ConversionRule


class LostApproval(ConversionRule):
    """The target harness does not approve tools in advance.

    ## Why
    `allowed-tools` of a skill or a command lets the listed tools run without asking. If the target has no such key, it
    is dropped, and the target asks as usual.
    """

    code = "FA606"
    name = loss = LossKind.APPROVAL
    consequence = Consequence.IGNORED
    about = frozenset((Trait.GOAL,))
    examples = (
        Good("---\nname: a\ndescription: d\nallowed-tools: Read\n---\n", kind="skill", target="copilot"),
        Bad("---\nname: a\ndescription: d\nallowed-tools: ⟦Read⟧\n---\n", kind="skill", target="opencode"),
    )
