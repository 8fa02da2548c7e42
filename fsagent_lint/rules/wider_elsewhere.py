"""FA309 wider-elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait
from fsagent_lint.rules._readings import wider_elsewhere
from fsagent_lint.rules._tool_fixes import harness_title, listing


class WiderElsewhere(Rule):
    """Another harness reads this file too, and grants the agent more than intended.

    ## Why
    Copilot's command line and VS Code also load `.claude/agents/*.md`. Neither reads `disallowedTools`, so an agent
    that has no shell in Claude Code has one there.

    ## What to do
    List the tools that the agent may use under `tools`, which all of them read.
    """

    code = "FA309"
    name = "wider-elsewhere"
    consequence = Consequence.WIDENED
    about = frozenset((Trait.TOOLS,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read\n---\n"),
        Bad("---\nname: a\ndescription: d\n⟦disallowedTools⟧: Bash\n---\n"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        if not subject.values:
            return
        wider = wider_elsewhere(subject)
        if wider:
            where = " and ".join(harness_title(id) for id in wider)
            verbs = ("read", "grant") if len(wider) > 1 else ("reads", "grants")
            tools = sorted({str(tool) for gained in wider.values() for tool in gained})
            denies = [value for value in subject.values if subject.kind.keys[value.key].role == "deny"]
            key = (denies or list(subject.values))[0].entry.key
            yield self.finding(
                key.span,
                f"{where} also {verbs[0]} this file, and {verbs[1]} {listing(tools)}. "
                "List the tools that the agent may use under `tools`.",
            )
