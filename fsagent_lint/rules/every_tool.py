"""FA704 every-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Span, Subject
from fsagent_lint.rules._privilege import is_agent, is_unrestricted


class EveryTool(Rule):
    """An agent has every tool, because nothing says otherwise.

    ## Why
    Some teams want every agent to say which tools it needs. For them this rule can be selected.
    """

    code = "FA704"
    name = "every-tool"
    consequence = Consequence.STYLE
    opt_in = True
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read\n---\n"),
        Bad("⟦---⟧\nname: a\ndescription: d\n---\n"),
        Bad("---\ndescription: d\n⟦permission⟧: {bash: allow}\n---\n", harness="opencode"),
        Good("---\ndescription: d\npermission: {bash: {'*': deny, 'git *': allow}}\n---\n", harness="opencode"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        if is_agent(subject) and is_unrestricted(subject):
            document = subject.document
            span = subject.values[0].entry.key.span if subject.values else Span(0, min(3, len(document.source.text)))
            message = f"Nothing restricts this agent: {subject.harness.title} gives it every tool."
            yield self.finding(span, message)
