"""Gates (the names that enable or disable tools), and wildcards that match several gates."""

from __future__ import annotations

from fsagent_lint.harnesses.harness import NativeTool
from fsagent_lint.harnesses.wildcards import matches_stars


def gate_of(name: str, tool: NativeTool) -> str:
    return tool.gate or name


def matches_wildcard(glob: str, text: str) -> bool:
    """`*` matches any text, `?` one character; a pattern with a trailing ` *` also matches the text before it."""
    if glob == "*":
        return True
    glob = glob.replace("\\", "/")
    end = len(glob)
    while glob.endswith(" *", 0, end):
        end -= 2
    if end < len(glob):  # ` * *` matches nothing that ` *` does not
        return matches_stars(glob[:end], text) or matches_stars(f"{glob[:end]} *", text)
    return matches_stars(glob, text)
