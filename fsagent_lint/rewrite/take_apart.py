"""A tool value split into entries with their comments, so that it can be written in another form."""

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
    trailing: str = ""
    """The trailing comment on its line."""
    inside: tuple[str, ...] = ()
    """Comments on lines of their own among the patterns below it."""
    patterns: tuple[str, ...] = ()
    """Trailing comments of these patterns."""
    line: int = -1
    """The offset of its line."""


class Parts(NamedTuple):
    start: int
    """The start of the key."""
    end: int
    """The end of the value's last line, without the line end."""
    key_comment: str
    """The comment on the key's line."""
    pieces: tuple[Piece, ...]
    is_block: bool
    """Entries stand on lines of their own."""

    @property
    def has_comments(self) -> bool:
        return any(piece.above or piece.trailing or piece.inside or piece.patterns for piece in self.pieces)

    @property
    def own_lines(self) -> tuple[str, ...]:
        """Every comment that is not about one entry."""
        return tuple(line for piece in self.pieces for line in (*piece.above, *piece.inside))


class _Owner:
    """An entry while its comments are collected."""

    def __init__(self, item: ToolItem | None, start: int, stop: int, text: str) -> None:
        self.item, self.start, self.stop = item, start, stop
        self.line = line_start(text, start)
        self.above: list[str] = []
        self.trailing: list[str] = []
        self.inside: list[str] = []
        self.patterns: list[str] = []

    def piece(self) -> Piece:
        lists = tuple(self.inside), tuple(self.patterns)
        return Piece(self.item, tuple(self.above), " ".join(self.trailing), *lists, self.line)


def take_apart(value: ToolValue, text: str) -> Parts:
    """A trailing comment belongs to its entry, one on a line of its own belongs to the entry below."""
    entry = value.entry
    end = line_end(text, entry.end)
    multiline = line_end(text, entry.start) < entry.end
    is_block = multiline and not isinstance(entry.value, Scalar)
    owners = _owners(value, text)
    last = _Owner(None, end, end, text)
    key_comment: list[str] = []
    starts = [owner.start for owner in owners]
    for comment in find_comments(text, entry.key.end, end, entry.value):
        at = bisect_right(starts, comment.start)
        before, after = owners[at - 1] if at else None, owners[at] if at < len(owners) else last
        line = line_start(text, comment.start)
        inside = before is not None and comment.start < before.stop
        if comment.alone:
            (before.inside if before is not None and inside else after.above).append(comment.text)
        elif not is_block or (before is None and line <= entry.start):
            key_comment.append(comment.text)
        elif before is None or before.stop < line:
            after.above.append(comment.text)  # after a lone dash or bracket
        elif line != before.line and before.item is not None and isinstance(before.item.node, Map):
            before.patterns.append(comment.text)
        else:
            before.trailing.append(comment.text)
    pieces = [owner.piece() for owner in owners] + ([last.piece()] if last.above else [])
    return Parts(entry.start, end, " ".join(key_comment), tuple(pieces), is_block)


def _owners(value: ToolValue, text: str) -> list[_Owner]:
    """Entries in the file's order; of the patterns below one permission, the first stands for all."""
    node = value.entry.value
    if isinstance(node, Map):
        ends = {each.key.start: each.end for each in node.entries}
        firsts = {item.span.start: item for item in reversed(value.items)}
        return [_Owner(item, start, ends.get(start, item.node.end), text) for start, item in sorted(firsts.items())]
    items = sorted(value.items, key=lambda item: item.span.start)
    return [_Owner(item, item.span.start, max(item.span.end, (item.whole or item.node).end), text) for item in items]
