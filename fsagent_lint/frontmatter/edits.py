"""Surgical edits of whole entries and values: splice, insert, swap, delete."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from fsagent_lint._fast import NamedTuple, pattern
from fsagent_lint.frontmatter.comments import is_suppression
from fsagent_lint.frontmatter.lines import end_above, line_end, line_prefix, line_start, newline, splits_newline
from fsagent_lint.frontmatter.nodes import Entry, Map, Span
from fsagent_lint.frontmatter.quoting import quote

_LINE_END = pattern(r"\r\n|\n|\r|\Z")

__all__ = ("apply_edits", "delete_entry", "insert_first", "move_to_front", "overlap", "quote", "stands_alone")


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with edits applied; they must not overlap, nor begin or end inside a line break."""
    parts, at = [], 0
    for edit in sorted(edits):
        if splits_newline(text, edit.span.start) or splits_newline(text, edit.span.end):
            raise ValueError(f"an edit inside the line break at {edit.span}")
        parts += [text[at : edit.span.start], edit.text]
        at = edit.span.end
    return "".join([*parts, text[at:]])


def overlap(edits: Sequence[Edit]) -> bool:
    """Do two edits change the same text, or insert at the same place?"""
    ordered = sorted(edits)
    return any(
        one.span.end > other.span.start or (one.span == other.span and one.span.start == one.span.end)
        for one, other in pairwise(ordered)
    )


def insert_first(text: str, value: Map, entry: str) -> Edit:
    """Insert an entry before all others of a map; comments above the first entry stay with that entry."""
    start = value.entries[0].start
    if value.flow:
        margin = line_prefix(text, start)
        apart = (
            f"{newline(text, start)}{margin}" if not margin.strip() and line_start(text, start) > value.start else " "
        )
        return Edit(Span(start, start), f"{entry},{apart}")
    indent, start = line_prefix(text, start), line_start(text, start)
    while (above := line_prefix(text, end_above(text, start)).strip()) == "" or above.startswith("#"):
        start = line_start(text, end_above(text, start))
    return Edit(Span(start, start), f"{indent}{entry}{newline(text, start)}")


def move_to_front(text: str, entries: Sequence[Entry], *, flow: bool) -> tuple[Edit, ...] | None:
    """Move the last of successive entries of a map before the first, with its lines; None if they are not its alone.

    `flow`: commas stay where they are; None if a comment would stay with them.
    """
    early, late = entries[0], entries[-1]
    apart = line_start(text, early.start) != line_start(text, late.start)
    if flow or not apart:
        spans = [each.span for each in entries]
        if apart and any(_has_comment(text[span.end : line_end(text, span.end)]) for span in spans):
            return None
        texts = [text[span.start : span.end] for span in spans]
        return tuple(Edit(span, new) for span, new in zip(spans, [texts[-1], *texts[:-1]], strict=True))
    lines = whole_lines(text, late.start, late.end)
    moved = text[lines.start : lines.end]
    if not moved.endswith(("\n", "\r")) or any(line_prefix(text, each.start).strip() for each in (early, late)):
        return None  # something else is on the line
    return (Edit(Span(*[line_start(text, early.start)] * 2), moved), Edit(lines, ""))


def _has_comment(rest: str) -> bool:
    return any(mark in rest for mark in ("#", "//", "/*"))


def delete_entry(text: str, entry: Entry) -> Edit:
    """Delete a top-level entry, with every line that it occupies, and with a suppression above it."""
    lines = whole_lines(text, entry.start, entry.end)
    return Edit(Span(suppression_above(text, lines.start).start, lines.end), "")


def suppression_above(text: str, start: int) -> Span:
    """The line above the one that begins at an offset, if it suppresses findings there; else nothing.

    It must not stay where the line goes: it would apply to the next one.
    """
    above = line_start(text, end_above(text, start)) if start > 0 else start
    line = text[above:start].strip()
    return Span(above if line.startswith("#") and is_suppression(line) else start, start)


def stands_alone(text: str, entry: Entry) -> bool:
    """Is nothing else on an entry's lines, except for a comment?"""
    rest = text[entry.end : line_end(text, entry.end)].strip()
    return not line_prefix(text, entry.start).strip("\ufeff \t") and (not rest or rest.startswith("#"))


def whole_lines(text: str, start: int, end: int) -> Span:
    """Every line that a range touches, including the last line's line end."""
    found = _LINE_END.match(text, line_end(text, end))
    assert found is not None
    return Span(line_start(text, start), found.end())


class Edit(NamedTuple):
    span: Span
    text: str
