"""A tool value split into entries with their comments, so that it can be written in another form."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.tool_values import ToolItem, ToolValue
from fsagent_lint.frontmatter.comments import Comment, about, disarm, find_comments, is_suppression
from fsagent_lint.frontmatter.lines import line_end, line_prefix, line_start
from fsagent_lint.frontmatter.nodes import Map, Scalar
from fsagent_lint.frontmatter.remove_entries import ByIdentity


class Pattern(NamedTuple):
    """A pattern below a permission, with its comments; without a name, those after the last pattern."""

    name: str | None
    text: str
    """The pattern as the author wrote it, with its quotes."""
    above: tuple[Comment, ...]
    trailing: tuple[Comment, ...]

    @property
    def comments(self) -> tuple[Comment, ...]:
        return (*self.above, *self.trailing)


class Piece(NamedTuple):
    """An entry with its comments; `item` is None for comments after the last entry."""

    item: ToolItem | None
    above: tuple[Comment, ...]
    """Comments on lines of their own before it."""
    trailing: tuple[Comment, ...]
    """Comments at the end of its line."""
    patterns: tuple[Pattern, ...] = ()

    @property
    def name(self) -> str:
        return self.item.text if self.item is not None else ""

    def about_patterns(self, patterns: Iterable[Pattern]) -> Iterator[Comment]:
        """The comments of patterns that are no longer below it."""
        for each in patterns:
            name = f"{self.name}({each.name})" if each.name is not None else self.name
            yield from (comment._replace(text=about(name, comment.text)) for comment in each.comments)

    @property
    def comments(self) -> tuple[Comment, ...]:
        return (*self.above, *self.trailing, *(comment for each in self.patterns for comment in each.comments))

    @property
    def left_behind(self) -> list[Comment]:
        """Its comments with their new texts, if it is dropped."""
        own = [comment._replace(text=about(self.name, comment.text)) for comment in (*self.above, *self.trailing)]
        return [*own, *self.about_patterns(self.patterns)]


class Parts(NamedTuple):
    key: str
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
        return any(piece.comments for piece in self.pieces)

    @property
    def left_behind(self) -> list[str]:
        """The comments of its entries, if the whole key is dropped."""
        own = (piece.left_behind if piece.item is not None else piece.above for piece in self.pieces)
        return [disarm(self.key, comment.text) for comments in own for comment in comments]


class _Owner:
    """An entry or a pattern while its comments are collected."""

    def __init__(self, start: int, stop: int, item: ToolItem | None = None) -> None:
        self.start, self.stop, self.item = start, stop, item
        self.above: list[Comment] = []
        self.trailing: list[Comment] = []
        self.patterns: list[_Pattern] = []

    def piece(self) -> Piece:
        return Piece(self.item, tuple(self.above), tuple(self.trailing), tuple(map(_Pattern.pattern, self.patterns)))


class _Pattern(_Owner):
    def __init__(self, start: int, stop: int, name: str | None = None, text: str = "") -> None:
        super().__init__(start, stop)
        self.name, self.text = name, text

    def pattern(self) -> Pattern:
        return Pattern(self.name, self.text, tuple(self.above), tuple(self.trailing))


def take_apart(value: ToolValue, text: str) -> Parts:
    """A trailing comment belongs to its entry, one on a line of its own belongs to the entry below."""
    return _take_apart(ByIdentity(value), text)


@lru_cache(maxsize=8)
def _take_apart(identity: ByIdentity[ToolValue], text: str) -> Parts:
    value = identity.value
    entry, node = value.entry, value.entry.value
    end = line_end(text, entry.end)
    first_line_end = line_end(text, entry.start)
    is_block = first_line_end < entry.end and not isinstance(node, Scalar)
    owners = _owners(value, text)
    last = _Owner(end, end)
    key_comment: list[str] = []
    starts = [owner.start for owner in owners]
    for comment in find_comments(text, entry.key.end, end, node):
        if not comment.alone and (not is_block or comment.start < min([first_line_end, *starts[:1]])):
            key_comment.append(comment.text)
        elif not is_block and owners and comment.start < node.start:
            owners[0].above.append(comment)
        elif not is_block or (comment.start >= node.end and not isinstance(node, Scalar) and node.flow):
            last.above.append(comment)
        else:
            at = bisect_right(starts, comment.start)
            before = owners[at - 1] if at else None
            if before is not None and _is_among_patterns(comment, before, text):
                _give(comment, before.patterns, before.patterns[-1], text)
            else:
                _give(comment, owners[max(at - 1, 0) : at + 1], last, text)
    pieces = [owner.piece() for owner in owners] + ([last.piece()] if last.above else [])
    return Parts(value.key, entry.start, end, " ".join(key_comment), tuple(pieces), is_block)


def _is_among_patterns(comment: Comment, owner: _Owner, text: str) -> bool:
    """Is a comment below a permission about one of its patterns? One after the last is, if it is indented so."""
    if not owner.patterns or line_start(text, comment.start) <= owner.start:
        return False
    if comment.start < owner.stop or not comment.alone:
        return True
    if is_suppression(comment.text):
        return False  # it applies to the next line
    return len(line_prefix(text, comment.start)) >= len(line_prefix(text, owner.patterns[0].start))


def _give(comment: Comment, owners: Sequence[_Owner], last: _Owner, text: str) -> None:
    """Add a comment to the entry that it is about."""
    before = [owner for owner in owners if owner.start < comment.start and owner is not last]
    after = next((owner for owner in owners if owner.start > comment.start), last)
    if comment.alone or not before or before[-1].stop < line_start(text, comment.start):
        after.above.append(comment)  # or it follows a lone dash or bracket
    else:
        before[-1].trailing.append(comment)


def _owners(value: ToolValue, text: str) -> list[_Owner]:
    """Entries in the file's order; of the patterns below one permission, the first stands for all."""
    node = value.entry.value
    if not isinstance(node, Map):
        items = sorted(value.items, key=lambda item: item.span.start)
        return [_Owner(item.span.start, max(item.span.end, (item.whole or item.node).end), item) for item in items]
    ends = {each.key.start: each.end for each in node.entries}
    firsts = {item.span.start: item for item in reversed(value.items)}
    owners = [_Owner(start, ends.get(start, item.node.end), item) for start, item in sorted(firsts.items())]
    for owner in owners:
        if owner.item is not None and isinstance(below := owner.item.node, Map):
            owner.patterns = [
                _Pattern(rule.start, rule.end, rule.name or "", text[rule.key.start : rule.key.end])
                for rule in below.entries
            ]
            owner.patterns.append(_Pattern(owner.stop, owner.stop))
    return owners
