"""Lines of a text, by offset; only `\\n`, `\\r` and `\\r\\n` end one, as in every editor."""

from __future__ import annotations

from fsagent_lint._fast import pattern

_NEWLINE = pattern(r"\r\n|\n|\r")


def line_start(text: str, offset: int) -> int:
    """Where the line begins that holds the offset."""
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def line_end(text: str, offset: int) -> int:
    """Where the line ends that holds the offset, before its line end."""
    feed = text.find("\n", offset)
    end = len(text) if feed < 0 else feed
    back = text.find("\r", offset, end)
    return end if back < 0 else back


def lead(text: str, offset: int) -> str:
    """What stands before the offset on its line."""
    return text[line_start(text, offset) : offset]


def newline(text: str) -> str:
    """The line end that the text uses first."""
    found = _NEWLINE.search(text)
    return found[0] if found else "\n"
