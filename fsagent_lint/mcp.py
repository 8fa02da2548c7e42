"""Names of MCP tools: each harness has a notation of its own."""

from __future__ import annotations

import re
from functools import cache

from fsagent_lint.harness import McpNaming, Outline, ascii_lower
from fsagent_lint.tool import Mcp, Tool


def parse_mcp(name: str, harness: Outline, servers: frozenset[str] = frozenset()) -> Tool | None:
    """The MCP tool that a name is in this harness' notation.

    `server_tool` looks like any other name: only a wildcard or a server known to exist tells it apart.
    """
    if harness.mcp.tool == "{server}_{tool}":
        for server in servers:
            prefix = server_name(server, harness) + "_"
            if name.startswith(prefix) and len(name) > len(prefix):
                return Mcp(server, name[len(prefix) :])
        # `mcp__*` is every server in another notation, and none called `mcp_`.
        return Mcp(name[:-2]) if name.endswith("_*") and not name.endswith("__*") and len(name) > 2 else None
    if name.startswith("mcp:") and not harness.mcp.tool.startswith("mcp:"):
        return None  # the canonical form, and no server called `mcp:db`
    if name == harness.mcp.every:
        return Mcp("*")
    for form in _mcp_patterns(harness.mcp):
        if match := form.fullmatch(name):
            return Mcp(match["server"], match.groupdict().get("tool") or "*")
    return None


@cache
def _mcp_patterns(naming: McpNaming) -> tuple[re.Pattern[str], ...]:
    def pattern(template: str, server: str) -> re.Pattern[str]:
        escaped = re.escape(template).replace(r"\{server\}", f"(?P<server>{server})")
        return re.compile(escaped.replace(r"\{tool\}", "(?P<tool>.+)"), re.DOTALL)

    # `mcp__db__` is neither a server nor a tool, and `mcp__d*` no server's name.
    also = (pattern(form, r"(?:(?!__)[^*])+") for form in naming.also)
    return (pattern(naming.server, ".+?"), pattern(naming.tool, ".+?"), *also)


def server_name(server: str, harness: Outline, *, lower: bool = True) -> str:
    """A server, or a tool of one, as its name appears in tool names."""
    if harness.mcp.lower and lower:
        server = re.sub(r"\s+", "-", ascii_lower(server))
    return re.sub(r"[^A-Za-z0-9_-]", harness.mcp.other, server) if harness.mcp.other else server
