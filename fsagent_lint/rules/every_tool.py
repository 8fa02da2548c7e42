"""FA704 every-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Span, Subject
from fsagent_lint.rules._privilege import is_agent, is_unrestricted


class EveryTool(Rule):
    """Nothing restricts the agent's tools, so every tool is granted.

    ## Why
    Some teams want every agent to list the tools that it needs. This rule is off by default; they can select it.
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
            document, title = subject.document, subject.harness.title
            first = subject.values[0].entry.key if subject.values else None
            span = first.span if first is not None else Span(0, min(3, len(document.source.text)))
            reason = (
                f"`{subject.values[0].key}` restricts nothing" if first is not None else "The agent has no tool key"
            )
            yield self.finding(span, f"{reason}, so {title} grants every tool. List the tools that it needs.")
