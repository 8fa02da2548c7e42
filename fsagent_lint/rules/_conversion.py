"""The base class of the conversion rules: each reports one kind of loss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from fsagent_lint.agent.subject import Subject
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.model.finding import Finding
from fsagent_lint.model.tool import Tool
from fsagent_lint.rules._rule import Rule


class ConversionRule(Rule):
    loss: ClassVar[str]
    """The kind of loss that the rule reports: one of `LossKind`."""

    def check(self, subject: Subject) -> Iterator[Finding]:
        from fsagent_lint.rewrite.goal import planned_conversion
        from fsagent_lint.rewrite.losses import report_losses

        conversion = planned_conversion(subject)
        if conversion is None or not conversion.edits:
            return
        target = subject.goal.target or subject.harness
        # Each lost tool is reported where its entry is.
        together = [loss for loss in conversion.losses if loss.kind != "tool"]
        for some in (together, *([loss] for loss in conversion.losses if loss.kind == "tool")):
            for loss in report_losses(some, target, subject.goal.accept):
                if loss.code == self.loss and loss.tools:
                    yield self.finding(_span_of(subject, loss.tools[0]), loss.message, consequence=loss.consequence)


def _span_of(subject: Subject, tool: Tool) -> Span:
    """The entry that names a canonical tool; otherwise the first tool key, or the opening fence."""
    values = sorted((*subject.values, *subject.misplaced), key=lambda value: value.entry.start)
    items = (item for value in values for item in value.items if item.name != "*")
    named = (item.span for item in items if tool in subject.meaning(item.name).tools)
    first = values[0].entry.key.span if values else subject.document.opening_fence
    return next(named, first)
