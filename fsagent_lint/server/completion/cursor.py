"""Where in the frontmatter a cursor is: told by the lines around it, since what is being written is often not valid YAML."""

from __future__ import annotations

import re
from typing import Literal

from fsagent_lint._fast import NamedTuple, pattern
from fsagent_lint.frontmatter.lines import line_end, line_start
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.frontmatter.quoting import split

Form = Literal["key", "csv", "list", "flow", "map-key", "map-value"]
"""What is being written: a key of the frontmatter, text after a key, an entry of a list in lines or in brackets, or the
key or the value of an entry of a map."""

_KEY = pattern(r"([\w-]+)[ \t]*:(?=[ \t\r\n]|\Z)")
_WORD = pattern(r"[^\s,\[\]{}:#'\"()]*")


class Cursor(NamedTuple):
    key: str
    """The key of the frontmatter whose value is being written; empty if it is a key."""
    form: Form
    word: Span
    """What a completion replaces."""
    quoted: str = ""
    """The quote that stands before the word."""
    entry: str = ""
    """The key in a map whose value is being written."""
    before: str = ""
    """The text between the colon and the word: nothing but blanks if the value is still empty."""


def find_cursor(text: str, region: Span, offset: int) -> Cursor | None:
    """`region`: the frontmatter; None for a cursor outside of it or in a comment."""
    if not region.start <= offset <= region.end:
        return None
    start = max(line_start(text, offset), region.start)
    before = text[start:offset]
    if before.lstrip().startswith("#") or " #" in before:
        return None
    found = _owner(text, region, start, offset)
    if found is None:
        is_key = not before[:1].isspace() and not before.startswith("-") and ":" not in before
        return Cursor("", "key", _word(text, start, offset)) if is_key else None
    key, colon = found
    value = text[colon:offset]
    opened = value.lstrip()
    if opened.startswith(("[", "{")):
        return _in_flow(text, key, colon, offset, is_map=opened.startswith("{"))
    if line_start(text, colon) == line_start(text, offset):
        return _in_text(text, key, colon, offset)
    return _in_block(text, key, start, offset)


def _owner(text: str, region: Span, start: int, offset: int) -> tuple[str, int] | None:
    """The key whose value contains the offset, and where the value starts; None if a key is being written."""
    line = text[start : line_end(text, start)]
    at = start
    if line.strip() and not line[0].isspace() and not line.startswith("-"):
        found = _KEY.match(text, start)
        return (found[1], found.end()) if found is not None and found.end() <= offset else None
    if not line.strip() and offset == start:
        return None  # an empty line: a new key
    while at > region.start:
        at = line_start(text, at - (2 if text.startswith("\r\n", at - 2) else 1))
        found = _KEY.match(text, at)
        if found is not None:
            return found[1], found.end()
        if text[at : at + 1] not in (" ", "\t", "-", "\n", "\r", "#", "]", "}"):
            return None
    return None


def _word(text: str, start: int, offset: int) -> Span:
    """From a start to the end of the word under the cursor."""
    rest = _WORD.match(text, offset)
    return Span(start, rest.end() if rest is not None else offset)


def _stripped(text: str, start: int, offset: int) -> tuple[int, str]:
    """The start without blanks and an opening quote, and that quote."""
    while start < offset and text[start] in " \t\r\n":
        start += 1
    quoted = text[start] if start < offset and text[start] in "'\"" else ""
    return start + len(quoted), quoted


def _in_text(text: str, key: str, colon: int, offset: int) -> Cursor:
    value, last = text[colon:offset], 0
    for _, end in split(value, ","):
        last = end if value.find(",", end) >= 0 else last
    at = value.find(",", last)
    first, quoted = _stripped(text, colon, offset)
    start = _stripped(text, colon + at + 1, offset)[0] if at >= 0 else first
    return Cursor(key, "csv", _word(text, start, offset), quoted, before=text[colon:start])


def _in_flow(text: str, key: str, colon: int, offset: int, *, is_map: bool) -> Cursor | None:
    value = text[colon:offset]
    if value.count("[") + value.count("{") <= value.count("]") + value.count("}"):
        return None  # it has ended
    at = max(value.rfind(each) for each in "[{,") + 1
    start, quoted = _stripped(text, colon + at, offset)
    if not is_map:
        return Cursor(key, "flow", _word(text, start, offset), quoted, before=text[colon:start])
    return _in_pair(text, key, start, offset, quoted)


def _in_pair(text: str, key: str, start: int, offset: int, quoted: str) -> Cursor:
    name, separator, _ = text[start:offset].partition(":")
    if not separator:
        return Cursor(key, "map-key", _word(text, start, offset), quoted, before=" ")
    value, quoted = _stripped(text, start + len(name) + 1, offset)
    return Cursor(key, "map-value", _word(text, value, offset), quoted, name.strip(" \t'\""), " ")


def _in_block(text: str, key: str, start: int, offset: int) -> Cursor | None:
    first, quoted = _stripped(text, start, offset)
    if text.startswith("-", first) and re.match(r"-[ \t]*", text[first:offset]):
        first, quoted = _stripped(text, first + 1, offset)
        return Cursor(key, "list", _word(text, first, offset), quoted, before=" ")
    return _in_pair(text, key, first, offset, quoted)
