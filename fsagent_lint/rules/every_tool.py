"""FA308 every-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Span, Subject


class EveryTool(Rule):
    """An agent has every tool, because nothing says otherwise.

    ## Why
    Some teams want every agent to say which tools it needs. For them this rule can be selected.
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
            message = f"Nothing restricts this agent: {subject.harness.title} gives it every tool."
            yield self.finding(Span(0, min(3, len(subject.document.source.text))), message)
