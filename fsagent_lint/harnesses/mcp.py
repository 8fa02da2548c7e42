"""Names of MCP tools: each harness has its own notation."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from fsagent_lint.harnesses.harness import Harness, McpNaming
from fsagent_lint.model.tool import Mcp, Tool
from fsagent_lint.suggest import ascii_lower


def parse_mcp(name: str, harness: Harness, servers: frozenset[str] = frozenset()) -> Tool | None:
    """The MCP tool that a name denotes in this harness's notation.

    `server_tool` looks like any other name: only a wildcard or a known server distinguishes it.
    """
    naming = harness.mcp
    if naming.every and name == naming.every:
        return Mcp("*")
    if naming.valid_server and not _is_valid(name, naming):
        return None
    if (
        has_ambiguous_names(harness)
        and servers
        and (tool := _match_prefix(name, _prefixes(servers, harness))) is not None
    ):
        return tool
    if naming.tool == "{server}_{tool}":
        # `mcp__*` means every server in another notation, not a server called `mcp_`.
        return Mcp(name[:-2]) if name.endswith("_*") and not name.endswith("__*") and len(name) > 2 else None
    if any(name.startswith(other) and not naming.tool.startswith(other) for other in ("mcp:", "mcp__")):
        return None  # another notation, not a server called `mcp:db` or `mcp__db`
    for form in _mcp_patterns(harness.mcp):
        if match := form.fullmatch(name):
            return Mcp(match["server"], match.groupdict().get("tool") or "*")
    return None


@lru_cache(maxsize=64)
def _prefixes(servers: frozenset[str], harness: Harness) -> dict[str, str]:
    """The server for each prefix of tool names."""
    before = harness.mcp.tool.partition("{server}")[0]
    return {f"{before}{server_name(server, harness)}_": server for server in sorted(servers)}


def _match_prefix(name: str, prefixes: dict[str, str]) -> Tool | None:
    """The tool of the server with the longest matching prefix."""
    for end in range(min(len(name) - 1, max(map(len, prefixes))), 0, -1):
        if name[end - 1] == "_" and name[:end] in prefixes:
            return Mcp(prefixes[name[:end]], name[end:])
    return None


def mcp_names(tool: Tool, harness: Harness) -> tuple[str, ...]:
    """What to write for an MCP tool, or for all tools of a server; empty if the harness does not accept it."""
    naming, server = harness.mcp, tool.server or ""
    if server == "*":
        return (naming.every,) if naming.every else ()
    template = naming.server if tool.name == "*" else naming.tool
    name = tool.name if tool.name == "*" else server_name(tool.name, harness, lower=False)
    native = template.format(server=server_name(server, harness), tool=name)
    return (native,) if not naming.valid_server or _is_valid(native, naming) else ()


def _is_valid(name: str, naming: McpNaming) -> bool:
    """Does the harness accept a name as an MCP tool, or as all tools of a server?"""
    one = next(form for form in _mcp_patterns(naming) if "tool" in form.groupindex)
    parts = one.fullmatch(name)
    return parts is not None and all(
        re.fullmatch(pattern, part)
        for pattern, part in ((naming.valid_server, parts["server"]), (naming.valid_tool, parts["tool"]))
    )


def has_ambiguous_names(harness: Harness) -> bool:
    """Is the end of the server's name ambiguous? `my_server_tool` may belong to `my` or to `my_server`."""
    return harness.mcp.tool.endswith("{server}_{tool}")


@cache
def _mcp_patterns(naming: McpNaming) -> tuple[re.Pattern[str], ...]:
    def pattern(template: str, server: str) -> re.Pattern[str]:
        escaped = re.escape(template).replace(r"\{server\}", f"(?P<server>{server})")
        return re.compile(escaped.replace(r"\{tool\}", "(?P<tool>.+)"), re.DOTALL)

    # `mcp__db__` is neither a server nor a tool, and `mcp__d*` is not a server's name.
    also = (pattern(form, r"(?:(?!__)[^*])+") for form in naming.also)
    both = [pattern(naming.server, ".+?"), pattern(naming.tool, ".+?")]
    # Without a star in the form, `@db/query` would be read as a server of that name.
    return (*(both if "*" in naming.server else reversed(both)), *also)


def server_name(server: str, harness: Harness, *, lower: bool = True) -> str:
    """The name of a server, or of one of its tools, as it appears in tool names."""
    if harness.mcp.lower and lower:
        server = re.sub(r"\s+", "-", ascii_lower(server))
    return re.sub(r"[^A-Za-z0-9_-]", harness.mcp.other, server) if harness.mcp.other else server


def native_mcp(server: str, tool: str, harness: Harness) -> str:
    """The native name of an MCP tool in the running agent."""
    naming = harness.mcp
    other = naming.native_other or naming.other
    clean = [re.sub(r"[^A-Za-z0-9_-]", other, name) if other else name for name in (server, tool)]
    return (naming.native or naming.tool).format(server=clean[0], tool=clean[1])


def names_mcp(entry: str, server: str, tool: str, harness: Harness, *, allows: bool = False) -> bool:
    """Does a tool entry name this tool of an MCP server?"""
    if allows and entry == harness.mcp.every and not harness.mcp.every_denies:
        return True
    naming = harness.mcp
    parts = {"server": server_name(server, harness), "tool": server_name(tool, harness)}
    whole = () if allows and naming.whole == "denied" else (naming.server, *naming.also)
    forms = [form.format(**parts) for form in (naming.tool, *whole)]
    names = {harness.fold(form) for form in (*forms, native_mcp(server, tool, harness))}
    folded = harness.fold(entry)
    return folded in names or (harness.matching == "last-segment" and folded.rpartition("/")[2] in names)
