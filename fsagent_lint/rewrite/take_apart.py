"""A tool value taken apart: entries with the comments around them, so that it can be put together in another form."""

from __future__ import annotations

from bisect import bisect_right

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.tool_values import ToolItem, ToolValue
from fsagent_lint.frontmatter.comments import find_comments
from fsagent_lint.frontmatter.lines import line_end, line_start
from fsagent_lint.frontmatter.nodes import Map, Scalar


class Piece(NamedTuple):
    """An entry with its comments; `item` is None for comments after the last entry."""

    item: ToolItem | None
    above: tuple[str, ...] = ()
    """Comments on lines of their own before it."""
    beside: str = ""
    """The comment at the end of its line."""
    inside: tuple[str, ...] = ()
    """Comments on lines of their own among the patterns below it."""
    patterns: tuple[str, ...] = ()
    """Comments at the ends of these patterns' lines."""
    line: int = -1
    """Where its line begins."""


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
        return any(piece.above or piece.beside or piece.inside or piece.patterns for piece in self.pieces)

    @property
    def own_lines(self) -> tuple[str, ...]:
        """Every comment that is not about one entry."""
        return tuple(line for piece in self.pieces for line in (*piece.above, *piece.inside))


class _Owner:
    """An entry while its comments are being gathered."""

    def __init__(self, item: ToolItem | None, start: int, stop: int, text: str) -> None:
        self.item, self.start, self.stop = item, start, stop
        self.line = line_start(text, start)
        self.above: list[str] = []
        self.beside: list[str] = []
        self.inside: list[str] = []
        self.patterns: list[str] = []

    def piece(self) -> Piece:
        lists = tuple(self.inside), tuple(self.patterns)
        return Piece(self.item, tuple(self.above), " ".join(self.beside), *lists, self.line)


def take_apart(written: ToolValue, text: str) -> Parts:
    """A comment after an entry is its own, one on a line of its own belongs to the entry below."""
    entry = written.entry
    end = line_end(text, entry.end)
    multiline = line_end(text, entry.start) < entry.end
    is_block = multiline and not isinstance(entry.value, Scalar)
    owners = _owners(written, text)
    last = _Owner(None, end, end, text)
    beside_key: list[str] = []
    starts = [owner.start for owner in owners]
    for comment in find_comments(text, entry.key.end, end, entry.value):
        at = bisect_right(starts, comment.start)
        before, after = owners[at - 1] if at else None, owners[at] if at < len(owners) else last
        line = line_start(text, comment.start)
        inside = before is not None and comment.start < before.stop
        if comment.alone:
            (before.inside if before is not None and inside else after.above).append(comment.text)
        elif not is_block or (before is None and line <= entry.start):
            beside_key.append(comment.text)
        elif before is None or before.stop < line:
            after.above.append(comment.text)  # beside a lone dash or bracket
        elif line != before.line and before.item is not None and isinstance(before.item.node, Map):
            before.patterns.append(comment.text)
        else:
            before.beside.append(comment.text)
    pieces = [owner.piece() for owner in owners] + ([last.piece()] if last.above else [])
    return Parts(entry.start, end, " ".join(beside_key), tuple(pieces), is_block)


def _owners(written: ToolValue, text: str) -> list[_Owner]:
    """Entries in the file's order; the patterns below one permission are items of one key, the first stands for all."""
    value = written.entry.value
    if isinstance(value, Map):
        ends = {each.key.start: each.end for each in value.entries}
        firsts = {item.span.start: item for item in reversed(written.items)}
        return [_Owner(item, start, ends.get(start, item.node.end), text) for start, item in sorted(firsts.items())]
    items = sorted(written.items, key=lambda item: item.span.start)
    return [_Owner(item, item.span.start, max(item.span.end, (item.whole or item.node).end), text) for item in items]
