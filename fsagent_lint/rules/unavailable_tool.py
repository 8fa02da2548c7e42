"""FA110 unavailable-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import ALL_AGENTS, Bad, Consequence, Finding, Good, Rule, Subject, Verdict
from fsagent_lint.rules._tool_fixes import older_versions_with


class UnavailableTool(Rule):
    """A tool entry names a tool that is only there under a condition.

    ## Why
    Where the condition does not hold, the agent runs without the tool. Whether it holds cannot be seen from the file, so
    this rule is off unless it is selected.
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
                message = f"`{entry.item.name}` is only there when this holds: {tool.condition}.{since}"
                yield self.finding(entry.item.span, message)
            elif rival := next((name for name in tool.unless if name in granted), None):
                message = f"`{entry.item.name}` is not there beside `{rival}`, which takes over what it does."
                yield self.finding(entry.item.span, message)
