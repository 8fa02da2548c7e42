"""FA108 unknown-mcp-server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from fsagent_lint.files.globs import Glob
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.mcp import server_name
from fsagent_lint.harnesses.tables import all_harnesses
from fsagent_lint.rules import ALL_AGENTS, Bad, Consequence, Finding, Good, Group, Rule, Subject, Verdict
from fsagent_lint.suggest import ascii_lower, nearest

_MOST_PARTS = 16
_LISTED = 50
"""How many of the known servers a message names."""


class UnknownMcpServer(Rule):
    """A tool entry names an MCP server that the project does not define.

    ## Why
    Without the server the tool does not exist, and the harness drops the entry without any warning.

    ## When it is reported
    Only if the project defines servers for this harness: in a file that the harness reads (`.mcp.json`,
    `.vscode/mcp.json`, `opencode.json` and so on), in the agent's own frontmatter, or under `mcp-servers` in the
    config. Without any such file the servers are defined elsewhere, in home folders or in the settings of an account,
    and nothing is reported.

    It is an error if the name resembles a known one. Otherwise it is a note, since the user's own settings may define
    the server. Built-in servers and those of plugins, extensions and accounts are never reported.
    """

    code = "FA108"
    name = "unknown-mcp-server"
    consequence = Consequence.NARROWED
    sorts = ALL_AGENTS
    about = frozenset((Verdict.MCP,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: mcp__db__query\n---\n"),
        Good("---\nname: a\ndescription: d\ntools: mcp__db__query\nmcpServers: [db]\n---\n"),
        Good(
            "---\ndescription: d\ntools: ['github/*', 'pub.ext/tool', 'db/query']\n---\n",
            harness="copilot",
            files=((".mcp.json", '{"mcpServers": {"db": {}}}'),),
        ),
        Good(
            "---\ndescription: d\ntools: ['pylance-mcp-server/*', 'db/query']\n---\n",
            harness="copilot",
            files=((".vscode/mcp.json", '{"servers": {"db": {}}}'),),
        ),
        Bad("---\nname: a\ndescription: d\ntools: ⟦mcp__bd__query⟧\nmcpServers: [db]\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\ntools: mcp__my_db__query, ⟦mcp__web__get⟧\n---\n",
            files=((".mcp.json", '{"mcpServers": {"my db": {}}}'), (".vscode/mcp.json", '{"servers": {"web": {}}}')),
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        entries = [entry for entry in subject.items if entry.verdict == Verdict.MCP]
        if not entries or not subject.known_servers:
            return
        harnesses = (subject.harness, *subject.shared_harnesses)
        known = {*subject.known_servers, *(server for harness in harnesses for server in harness.mcp.builtin)}
        fold = ascii_lower if any(each.mcp.lower or each.ignore_case for each in harnesses) else str
        spellings = {fold(name) for name in known}
        spellings.update(fold(server_name(name, harness)) for name in known for harness in harnesses)
        ordered = tuple(sorted(known))
        full = _full_names(subject)
        listed = _listing(sorted({full.get(name, name) for name in subject.known_servers}))
        for entry in entries:
            server = entry.meaning.tools[0].server or "*"
            if fold(server) in spellings or "*" in server or any(_is_outside(server, each) for each in harnesses):
                continue
            what = f"The project defines no MCP server `{server}` (known: {listed})"
            if guess := nearest(server, ordered):
                advice = f"Did you mean `{full.get(guess, guess)}`?"
                finding = self.dropped(subject, entry, what, advice)
            else:
                advice = _definition(subject, server)
                advice += "Define it, or list it under `mcp-servers` in the config if user settings define it."
                finding = self.finding(entry.item.span, f"{what}. {advice}", consequence=Consequence.UNCERTAIN)
            yield finding._replace(group=Group(f"{what}. {advice} Entries", f"`{entry.item.text}`"))


@lru_cache(maxsize=1024)
def _is_outside(server: str, harness: Harness) -> bool:
    """Does an extension, a plugin or an account define it?"""
    return any(Glob(glob).name(server) for glob in harness.mcp.outside)


def _listing(servers: Sequence[str]) -> str:
    more = len(servers) - _LISTED
    return ", ".join((*servers[:_LISTED], *([f"and {more} more"] if more > 0 else ())))


def _full_names(subject: Subject) -> dict[str, str]:
    """The names under which agents know servers of plugins, which contain the plugin's."""
    found = subject.found_servers(subject.harness)
    outside = [Glob(glob) for glob in subject.harness.mcp.outside]
    full: dict[str, str] = {}
    for name, file in found.items():
        if any(glob.name(name) for glob in outside):
            parts = name.split("_", _MOST_PARTS)
            short = ("_".join(parts[at:]) for at in range(1, len(parts)))
            full.update((each, name) for each in short if found.get(each) == file and each not in full)
    return full


def _definition(subject: Subject, server: str) -> str:
    """Where another harness finds the server, as a sentence; empty if none does."""
    for harness in all_harnesses():
        if file := subject.found_servers(harness).get(server):
            return f"{file} defines it, which {subject.harness.title} does not read. "
    return ""
