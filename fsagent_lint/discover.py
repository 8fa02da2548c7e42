"""What a repository says about itself beside its agents: the MCP servers that it defines. Data, never code."""

from __future__ import annotations

import os
from typing import Any

from fsagent_lint.files import UnreadableError, read
from fsagent_lint.jsonc import JsonError, mapping, parse
from fsagent_lint.project import PathError, absolute, find_root, real, resolve

# Where a file lists its servers, by name.
_LISTS = {
    ".mcp.json": "mcpServers",
    ".vscode/mcp.json": "servers",
    "opencode.json": "mcp",
    "opencode.jsonc": "mcp",
    ".opencode/opencode.json": "mcp",
    ".opencode/opencode.jsonc": "mcp",
}


def mcp_servers(folder: str) -> list[str]:
    """The names of the servers that the config files of a folder define; a file that cannot be read defines none."""
    names: dict[str, None] = {}
    for file, key in _LISTS.items():
        names.update(dict.fromkeys(mapping(_load(folder, file), key)))
    return list(names)


def _load(folder: str, file: str) -> Any:
    path = f"{absolute(folder)}/{file}"
    if not os.path.lexists(path):
        return None
    try:
        # A link must not make us tell of what lies outside.
        return parse(read(resolve(path, real(find_root(absolute(folder)) or folder))))
    except (PathError, UnreadableError, JsonError):
        return None
