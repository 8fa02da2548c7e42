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


def newline(text: str, offset: int = 0) -> str:
    """The line break to write at an offset: that of its line, or of the lines above where none follows."""
    start = offset - 1 if splits_newline(text, offset) else offset
    found = _NEWLINE.search(text, start)
    if found is None:
        above = _NEWLINE.findall(text, 0, start)
        return above[-1] if above else "\n"
    return found[0]


def splits_newline(text: str, offset: int) -> bool:
    """Is the offset between the two characters of a `\\r\\n`, which are one line break?"""
    return offset > 0 and text.startswith("\r\n", offset - 1)


def unify_newlines(text: str) -> str:
    """The text with `\\n` as its only line break."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def foreign_newline(before: str, after: str) -> str:
    """A line break that the new version of a text has and the old one did not have; empty if there is none.

    A text without any line break may get any.
    """
    known = {*_NEWLINE.findall(before)} or {*_NEWLINE.findall(after)}
    return next((found[0] for found in _NEWLINE.finditer(after) if found[0] not in known), "")


def end_above(text: str, start: int) -> int:
    """Where the line above the one that begins at an offset ends: before both characters of a `\\r\\n`."""
    return start - (2 if text.startswith("\r\n", start - 2) else 1)
