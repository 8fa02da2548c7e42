"""FA107 wrong-mcp-form."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rule import (
    Bad,
    Consequence,
    Finding,
    Good,
    Rule,
    Subject,
    Verdict,
    harness_title,
    listing,
    native_names,
    replacement,
)


class WrongMcpForm(Rule):
    """An MCP tool is written in another harness' notation.

    ## Why
    Claude Code writes `mcp__server__tool`, OpenCode `server_tool`, Copilot and VS Code `server/tool`. Any other form is
    a name that no tool has.

    ## Fix safety
    Safe: server and tool stay the same.
    """

    code = "FA107"
    name = "wrong-mcp-form"
    consequence = Consequence.NARROWED
    examples = (
        Good("---\nname: a\ndescription: d\ntools: mcp__db__query\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, ⟦db/query⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read, mcp__db__query\n---\n",
        ),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, ⟦mcp**db**query⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read, mcp__db__query\n---\n",
        ),
        Bad(
            "---\ndescription: d\ntools: ['read', '⟦mcp__db__query⟧']\n---\n",
            harness="copilot",
            fixed="---\ndescription: d\ntools: ['read', 'db/query']\n---\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for entry in subject.entries:
            if entry.verdict is Verdict.FOREIGN_MCP:
                names = native_names(entry.meaning.tools, subject.harness)
                owner = harness_title(entry.meaning.harness)
                what = f"`{entry.item.name}` is how {owner} writes an MCP tool, not {subject.harness.title}"
                if entry.meaning.harness == subject.harness.id:
                    what = f"`{entry.item.name}` is no MCP tool; a markdown formatter may have put `**` for `__`"
                fix = replacement(subject, entry, names, safe=True) if names else None
                advice = f"Write {listing(names)}." if names else "Name each server."
                yield self.dropped(subject, entry, what, advice, fix)
