"""What a repository says about itself beside its agents: the MCP servers that it defines. Data, never code."""

from __future__ import annotations

import json
import os
import re
from typing import Any

from fsagent_lint.files import UnreadableError, read
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
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])', re.DOTALL)


def mcp_servers(folder: str) -> list[str]:
    """The names of the servers that the config files of a folder define; a file that cannot be read defines none."""
    names: dict[str, None] = {}
    for file, key in _LISTS.items():
        data = _load(folder, file)
        servers = data.get(key) if isinstance(data, dict) else None
        if isinstance(servers, dict):
            names.update(dict.fromkeys(servers))
    return list(names)


def _load(folder: str, file: str) -> Any:
    path = f"{absolute(folder)}/{file}"
    if not os.path.lexists(path):
        return None
    try:
        # A link must not make us tell of what lies outside.
        found = resolve(path, real(find_root(absolute(folder)) or folder))
        text = read(found).decode("utf-8-sig")
    except (PathError, UnreadableError, UnicodeDecodeError):
        return None
    for pattern in (_COMMENT, _TRAILING_COMMA):
        text = pattern.sub(lambda match: match[1] or " ", text)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
