"""Names of MCP tools: each harness has its own notation."""

from __future__ import annotations

import re
from functools import lru_cache

from fsagent_lint.harnesses.formats import fits
from fsagent_lint.harnesses.harness import Harness, McpNaming
from fsagent_lint.model.tool import Tool
from fsagent_lint.suggest import ascii_lower


def parse_mcp(name: str, harness: Harness, servers: frozenset[str] = frozenset()) -> Tool | None:
    """The MCP tool that a name denotes in this harness's notation.

    `server_tool` looks like any other name: only a wildcard or a known server distinguishes it.
    """
    naming = harness.mcp
    if naming.every and name == naming.every:
        return Tool.mcp("*")
    if naming.valid_server and not _is_valid(name, naming):
        return None
    if (
        has_ambiguous_names(harness)
        and servers
        and (tool := _match_prefix(name, _prefixes(servers, harness))) is not None
    ):
        return tool
    if naming.bare and name in servers:
        return Tool.mcp(name)
    if naming.tool == "{server}_{tool}" and name.endswith("*") and name[:-1] in servers:
        return Tool.mcp(name[:-1])  # `db*` matches what `db_*` does
    if naming.tool == "{server}_{tool}":
        # `mcp__*` means every server in another notation, not a server called `mcp_`.
        return Tool.mcp(name[:-2]) if name.endswith("_*") and not name.endswith("__*") and len(name) > 2 else None
    if any(name.startswith(other) and not naming.tool.startswith(other) for other in ("mcp:", "mcp__")):
        return None  # another notation, not a server called `mcp:db` or `mcp__db`
    return _read(name, naming)


@lru_cache(maxsize=64)
def _prefixes(servers: frozenset[str], harness: Harness) -> dict[str, str]:
    """The server for each prefix of tool names."""
    before = harness.mcp.tool.partition("{server}")[0]
    return {f"{before}{server_name(server, harness)}_": server for server in sorted(servers)}


def _match_prefix(name: str, prefixes: dict[str, str]) -> Tool | None:
    """The tool of the server with the longest matching prefix."""
    for end in sorted({len(prefix) for prefix in prefixes}, reverse=True):
        if end < len(name) and name[:end] in prefixes:
            return Tool.mcp(prefixes[name[:end]], name[end:])
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
    parts = _take_apart(name, naming.tool)
    return parts is not None and fits(parts[0], naming.valid_server) and fits(parts[1], naming.valid_tool)


def has_ambiguous_names(harness: Harness) -> bool:
    """Is the end of the server's name ambiguous? `my_server_tool` may belong to `my` or to `my_server`."""
    return harness.mcp.tool.endswith("{server}_{tool}")


def _read(name: str, naming: McpNaming) -> Tool | None:
    """The tool or the server that a name denotes in one of the forms of a harness."""
    # Without a star in the form, `@db/query` would be read as a server of that name.
    both = (naming.server, naming.tool) if "*" in naming.server else (naming.tool, naming.server)
    for form in (*both, *naming.also):
        parts = _take_apart(name, form)
        # `mcp__db__` is neither a server nor a tool, and `mcp__d*` is not a server's name.
        if parts is not None and (form in both or ("__" not in parts[0] and "*" not in parts[0])):
            return Tool.mcp(parts[0], parts[1] or "*")
    return None


def _take_apart(name: str, form: str) -> tuple[str, str] | None:
    """The server and the tool in a name of such a form; the tool is empty if the form has none."""
    before, _, rest = form.partition("{server}")
    between, has_tool, after = rest.partition("{tool}")
    if not has_tool:
        between, after = "", between
    if not (name.startswith(before) and name.endswith(after) and len(name) > len(before) + len(after)):
        return None
    inner = name[len(before) : len(name) - len(after)]
    if not has_tool:
        return inner, ""
    at = inner.find(between, 1)  # the first one ends the server
    tool = inner[at + len(between) :]
    return (inner[:at], tool) if at > 0 and tool else None


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
    whole = () if allows and naming.whole != "anywhere" else (naming.server, *naming.also)
    forms = [form.format(**parts) for form in (naming.tool, *whole)]
    names = {harness.fold(form) for form in (*forms, native_mcp(server, tool, harness))}
    folded = harness.fold(entry)
    return folded in names or (harness.matching == "last-segment" and folded.rpartition("/")[2] in names)
