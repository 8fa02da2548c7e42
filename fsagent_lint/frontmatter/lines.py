"""Lines of a text by offset; only `\\n`, `\\r` and `\\r\\n` end a line, as in every editor."""

from __future__ import annotations

from fsagent_lint._fast import pattern

_NEWLINE = pattern(r"\r\n|\n|\r")


def line_starts(text: str) -> list[int]:
    """The start of every line."""
    return [0, *(match.end() for match in _NEWLINE.finditer(text))]


def line_start(text: str, offset: int) -> int:
    """The start of the line that contains the offset."""
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def line_end(text: str, offset: int) -> int:
    """The end of the line that contains the offset, before its line break."""
    feed = text.find("\n", offset)
    end = len(text) if feed < 0 else feed
    back = text.find("\r", offset, end)
    return end if back < 0 else back


def line_prefix(text: str, offset: int) -> str:
    """The text before the offset on its line."""
    return text[line_start(text, offset) : offset]


def newline(text: str) -> str:
    """The first line break in the text."""
    found = _NEWLINE.search(text)
    return found[0] if found else "\n"


def end_above(text: str, start: int) -> int:
    """Where the line above the one that begins at an offset ends: before both characters of a `\\r\\n`."""
    return start - (2 if text.startswith("\r\n", start - 2) else 1)
