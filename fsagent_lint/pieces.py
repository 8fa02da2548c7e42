"""A tool value taken apart: entries with the comments around them, so that it can be put together in another form."""

from __future__ import annotations

import re
from typing import NamedTuple

from fsagent_lint.nodes import Map, Scalar
from fsagent_lint.written import Item, Written

_LINE_END = re.compile(r"\r\n|\n|\r|\Z")
_COMMENT = re.compile(r"(?:^|(?<=[\s,\[\]{}]))#.*")


class Piece(NamedTuple):
    """An entry with its comments; `item` is None for comments after the last entry."""

    item: Item | None
    above: tuple[str, ...] = ()
    """Comment lines before it, without indentation."""
    beside: str = ""
    """The comment at the end of its line."""


class Parts(NamedTuple):
    start: int
    """The start of the key."""
    end: int
    """The end of the value's last line, without the line end."""
    beside_key: str
    """The comment on the key's line."""
    pieces: tuple[Piece, ...]
    is_block: bool
    """Entries stand on lines of their own."""

    @property
    def has_comments(self) -> bool:
        return any(piece.above or piece.beside for piece in self.pieces)


def take_apart(written: Written, text: str) -> Parts:
    """Line by line: a comment after an entry is its own, one on a line of its own belongs to the entry below."""
    entry = written.entry
    end = line_end(text, entry.end)
    is_block = re.search(r"[\r\n]", text[entry.start : entry.end]) is not None
    if isinstance(entry.value, Scalar):
        # Inside a scalar there are no comments; behind it there may be one.
        comment = _comment(text, entry.value.end, end)
        return Parts(entry.start, end, comment, tuple(Piece(item) for item in written.items), False)
    ends = {each.key.start: each.end for each in entry.value.entries} if isinstance(entry.value, Map) else {}
    pieces: list[Piece] = []
    above: list[str] = []
    beside_key = ""
    at, first = entry.start, True
    while at < end:
        stop = line_end(text, at)
        here = [item for item in written.items if at <= item.span.start < stop and _is_first(item, pieces)]
        covered = max((min(ends.get(item.span.start, item.node.end), stop) for item in here), default=at)
        comment = _comment(text, covered if here else entry.key.end if first else at, stop)
        pieces += [Piece(item, tuple(above) if item is here[0] else ()) for item in here]
        above = [] if here else above
        if (comment and not is_block) or (comment and first and not here):
            beside_key = comment
        elif comment and here:
            pieces[-1] = pieces[-1]._replace(beside=comment)
        elif comment:
            above.append(comment)
        newline = _LINE_END.match(text, stop)
        at, first = (newline.end() if newline else stop) or stop + 1, False
    if above:
        pieces.append(Piece(None, tuple(above)))
    return Parts(entry.start, end, beside_key, tuple(pieces), is_block)


def _is_first(item: Item, pieces: list[Piece]) -> bool:
    """The patterns below one permission are items of one key: the first stands for all."""
    return not any(piece.item is not None and piece.item.span == item.span for piece in pieces)


def _comment(text: str, start: int, stop: int) -> str:
    found = _COMMENT.search(text[start:stop])
    return found[0].rstrip() if found else ""


def line_end(text: str, offset: int) -> int:
    """Where the line ends that holds the offset, before its line end."""
    found = _LINE_END.search(text, offset)
    assert found is not None
    return found.start()
