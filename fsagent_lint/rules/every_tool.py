"""FA308 every-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Span, Subject


class EveryTool(Rule):
    """Nothing restricts the agent's tools, so every tool is granted.

    ## Why
    Some teams want every agent to list the tools that it needs. This rule is off by default; they can select it.
    """

    code = "FA308"
    name = "every-tool"
    consequence = Consequence.STYLE
    opt_in = True
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read\n---\n"),
        Bad("⟦---⟧\nname: a\ndescription: d\n---\n"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        if subject.kind_name in ("agent", "chatmode", "mode") and subject.effect.loads and not subject.values:
            message = f"The agent has no tool key, so {subject.harness.title} grants every tool. List the tools that it needs."
            yield self.finding(Span(0, min(3, len(subject.document.source.text))), message)
