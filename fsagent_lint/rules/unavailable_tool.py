"""FA110 unavailable-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import ALL_AGENTS, Bad, Consequence, Finding, Good, Rule, Subject, Verdict
from fsagent_lint.rules._tool_fixes import older_versions_with


class UnavailableTool(Rule):
    """A tool entry names a tool that is only available under a condition.

    ## Why
    If the condition does not hold, the agent runs without the tool. The file does not show whether it holds, so this
    rule is off by default.
    """

    code = "FA110"
    name = "unavailable-tool"
    consequence = Consequence.STYLE
    sorts = ALL_AGENTS
    opt_in = True
    about = frozenset((Verdict.KNOWN,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read\n---\n"),
        Bad("---\nname: a\ndescription: d\ntools: Read, ⟦LSP⟧\n---\n"),
        Bad("---\nname: a\ndescription: d\ntools: Bash, ⟦Grep⟧\n---\n"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        granted = {*subject.effect.tools, *subject.effect.ask}
        for entry in subject.items:
            if entry.verdict != Verdict.KNOWN or entry.name is None or len(entry.name.gives) != 1:
                continue
            tool = subject.harness.tools.get(entry.name.gives[0])
            if tool is None:
                continue
            if tool.presence == "conditional":
                older = older_versions_with(subject.harness, entry.item.name)
                since = f" {older} always have it." if older else ""
                condition = f"is only available under a condition: {tool.condition}.{since}"
                message = f"In {subject.harness.title} `{entry.item.name}` {condition}"
                yield self.finding(entry.item.span, message)
            elif rival := next((name for name in tool.unless if name in granted), None):
                message = f"In {subject.harness.title} `{rival}` replaces `{entry.item.name}`, so the agent runs without it. Remove it."
                yield self.finding(entry.item.span, message)
