"""FA108 unknown-mcp-server."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rule import Bad, Consequence, Finding, Good, Rule, Subject, Verdict


class UnknownMcpServer(Rule):
    """A tool entry names an MCP server that nothing in the project defines.

    ## Why
    Without the server there is no tool, and the entry is dropped without a word.

    ## When it speaks
    Only where the project says which servers it has: in the agent's own frontmatter or under `mcp-servers` in the
    config. Servers that users keep in their home folders cannot be seen from a repository.
    """

    code = "FA108"
    name = "unknown-mcp-server"
    consequence = Consequence.NARROWED
    examples = (
        Good("---\nname: a\ndescription: d\ntools: mcp__db__query\n---\n"),
        Good("---\nname: a\ndescription: d\ntools: mcp__db__query\nmcpServers: [db]\n---\n"),
        Bad("---\nname: a\ndescription: d\ntools: ⟦mcp__bd__query⟧\nmcpServers: [db]\n---\n"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        servers = subject.known_servers
        if not servers:
            return
        for entry in subject.entries:
            if entry.verdict is not Verdict.MCP:
                continue
            server = entry.meaning.tools[0].server
            if server not in servers and server != "*":
                what = f"no MCP server `{server}` is defined here (known: {', '.join(sorted(servers))})"
                yield self.dropped(subject, entry, what, "Correct the name, or define the server.")
