"""Gates, the names that switch tools, and the wildcards that stand for several of them."""

from __future__ import annotations

from fsagent_lint.harnesses.harness import NativeTool


def gate_of(name: str, tool: NativeTool) -> str:
    return tool.gate or name


def matches_wildcard(glob: str, text: str) -> bool:
    """`*` is any text, `?` one character; what ends in ` *` also stands for the text before it.

    To go back to the latest star alone is enough, so the cost is pattern times text at most.
    """
    if glob == "*":
        return True
    glob = glob.replace("\\", "/")
    if glob.endswith(" *") and matches_wildcard(glob[:-2], text):
        return True
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
