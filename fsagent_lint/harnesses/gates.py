"""Gates (the names that enable or disable tools), and wildcards that match several gates."""

from __future__ import annotations

from fsagent_lint.harnesses.harness import NativeTool


def gate_of(name: str, tool: NativeTool) -> str:
    return tool.gate or name


def matches_wildcard(glob: str, text: str) -> bool:
    """`*` matches any text, `?` one character; a pattern with a trailing ` *` also matches the text before it.

    Backtracking to the latest star is enough, so the cost is at most pattern times text.
    """
    if glob == "*":
        return True
    glob = glob.replace("\\", "/")
    end = len(glob)
    while glob.endswith(" *", 0, end):
        end -= 2
    if end < len(glob):  # ` * *` matches nothing that ` *` does not
        return _matches(glob[:end], text) or _matches(f"{glob[:end]} *", text)
    return _matches(glob, text)


def _matches(glob: str, text: str) -> bool:
    place = at = resume = 0
    star = -1
    while at < len(text):
        char = glob[place : place + 1]
        if char == "*":
            star, resume = place, at
            place += 1
        elif char == text[at] or char == "?":
            place, at = place + 1, at + 1
        elif star >= 0:
            resume += 1
            place, at = star + 1, resume
        else:
            return False
    return not glob[place:].strip("*")
