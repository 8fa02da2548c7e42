"""Removing entries from a value, with their lines and commas, but never with comments of other entries."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

from fsagent_lint.frontmatter.comments import find_comments
from fsagent_lint.frontmatter.edits import Edit, whole_lines
from fsagent_lint.frontmatter.lines import line_end, line_prefix, newline
from fsagent_lint.frontmatter.nodes import Entry, Map, Node, Scalar, Span

_MARKS = frozenset("#/")
"""What comments begin with."""


def remove_entries(text: str, top: Entry, gone: Mapping[int, Sequence[str]]) -> tuple[Edit, ...] | None:
    """Remove the entries whose values start at these offsets; if none remains, leave an explicit empty form.

    `gone`: the comments to leave in place of each. None if a comment would be lost.
    """
    value = top.value
    if isinstance(value, Scalar):
        return (Edit(value.span, "[]"),) if gone else ()
    all_spans, numbers = _entry_spans(ByIdentity(top))
    comments = {numbers[start]: lines for start, lines in gone.items() if start in numbers}
    removed = sorted(comments)
    if len(removed) != len(gone):
        return None
    if not removed:
        return ()
    spans = [all_spans[number] for number in removed]
    emptied = len(removed) == len(all_spans)
    own_lines = all(_has_own_lines(text, span, flow=value.flow) for span in spans)
    if own_lines and not (emptied and value.flow and not _has_comments(text, value.span, value)):
        lines = tuple(_replace_lines(text, all_spans[number], comments[number]) for number in removed)
        return _with_empty_form(text, top, lines) if emptied and not value.flow else lines
    if not value.flow:
        return None
    cuts = [value.span] if emptied else removal_spans(all_spans, removed)
    if any(_has_comments(text, span, value) for span in cuts):
        return None
    empty = "" if not emptied else "{}" if isinstance(value, Map) else "[]"
    return tuple(Edit(span, empty) for span in cuts)


def _replace_lines(text: str, span: Span, comments: Sequence[str]) -> Edit:
    prefix = line_prefix(text, span.start)
    indent = prefix[: len(prefix) - len(prefix.lstrip(" \t"))]
    return Edit(whole_lines(text, *span), "".join(f"{indent}{line}{newline(text, span.start)}" for line in comments))


def _has_comments(text: str, span: Span, value: Node) -> bool:
    return not _MARKS.isdisjoint(text[span.start : span.end]) and any(find_comments(text, *span, value))


@lru_cache(maxsize=8)
def _entry_spans(top: ByIdentity[Entry]) -> tuple[list[Span], dict[int, int]]:
    """The entries' spans, and the number of each entry by the offset of its value."""
    value = top.value.value
    assert not isinstance(value, Scalar)
    if isinstance(value, Map):
        all_spans = [entry.span for entry in value.entries]
        return all_spans, {entry.value.start: number for number, entry in enumerate(value.entries)}
    all_spans = [item.span for item in value.items]
    return all_spans, {span.start: number for number, span in enumerate(all_spans)}


def _has_own_lines(text: str, span: Span, *, flow: bool) -> bool:
    """Is nothing else on the entry's lines? A dash, a comma or a comment belongs to the entry."""
    before, after = line_prefix(text, span.start).strip(), text[span.end : line_end(text, span.end)]
    if flow:
        return not before and re.fullmatch(r"\s*+,?+\s*+((#|//).*)?", after) is not None
    return before in ("", "-")


def _with_empty_form(text: str, top: Entry, lines: tuple[Edit, ...]) -> tuple[Edit, ...] | None:
    """Write `{}` or `[]`, because a block without entries would be null; comments on their own lines stay."""
    colon = text.find(":", top.key.end)
    if text[top.key.end : colon].strip():
        return None
    return (Edit(Span(colon + 1, colon + 1), " {}" if isinstance(top.value, Map) else " []"), *lines)


def removal_spans(spans: Sequence[Span], gone: Collection[int]) -> list[Span]:
    """The spans to cut to remove some of the parts, each with one separator; at least one part must remain."""
    return list(_cut(spans, sorted(gone)))


def _cut(spans: Sequence[Span], gone: list[int]) -> Iterator[Span]:
    at = 0
    while at < len(gone):
        first = last = gone[at]
        while at + 1 < len(gone) and gone[at + 1] == last + 1:
            at, last = at + 1, last + 1
        at += 1
        if first:
            yield Span(spans[first - 1].end, spans[last].end)
        else:
            yield Span(spans[0].start, spans[last + 1].start)


T = TypeVar("T")


class ByIdentity(Generic[T]):
    """Wraps an object to compare it by identity; comparing contents would take too long."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByIdentity) and self.value is other.value
