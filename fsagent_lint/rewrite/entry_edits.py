"""Minimal edits of tool entries: the smallest change of text, in any shape."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.tool_values import ToolItem, ToolValue
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.lines import line_end, line_prefix, newline
from fsagent_lint.frontmatter.nodes import Entry, List, Map, Node, Scalar, Span
from fsagent_lint.frontmatter.quoting import quote
from fsagent_lint.frontmatter.remove_entries import ByIdentity, removal_spans, remove_entries
from fsagent_lint.rewrite.take_apart import Piece, take_apart


class Change(NamedTuple):
    """Names that replace an entry; without names it is removed."""

    item: ToolItem
    names: Sequence[str]
    word: str = ""
    """The entry's new value in a map; empty: the value stays."""
    merged: bool = False
    """It is removed because another entry stands for it now, and its comments go there."""


def replace_item(text: str, tool_value: ToolValue, item: ToolItem, names: Sequence[str]) -> tuple[Edit, ...] | None:
    """Write other names for an entry, except those that are there already; None if that cannot be done."""
    by_name = _index(ByIdentity(tool_value.items)).named
    new_names = []
    for name in dict.fromkeys(names):
        others = [other for other in by_name.get(name, ()) if other.span != item.span]
        if any((other.action, other.scope) != (item.action, item.scope) for other in others):
            return None  # it is unclear which of the two counts
        new_names += [] if others else [name]
    scope = f"({item.scope})" if item.text.endswith(")") and item.scope else ""
    return change_items(text, tool_value, [Change(item, [name + scope for name in new_names])])


def remove_item(text: str, tool_value: ToolValue, item: ToolItem) -> tuple[Edit, ...] | None:
    """Remove an entry; an emptied value becomes an explicit empty form, never an absent key."""
    return change_items(text, tool_value, [Change(item, ())])


def change_items(text: str, tool_value: ToolValue, changes: Sequence[Change]) -> tuple[Edit, ...] | None:
    """Rename and remove entries, all at once; None if the text does not allow it."""
    node = tool_value.entry.value
    if node.marked or _index(ByIdentity(tool_value.items)).odd or not all(change.item.exact for change in changes):
        return None
    edits: list[Edit] = []
    removed: dict[int, list[str]] = {}
    by_node: dict[int, list[Change]] = {}
    for change in changes:
        by_node.setdefault(id(change.item.node), []).append(change)
    for group in by_node.values():
        if isinstance(node, Map):
            made = _change_entry(text, tool_value, node, group[0])
        else:
            made = _change_scalar(text, tool_value, node, group)
        if made is None:
            return None
        edits += made
        for change in group if not made else ():
            if not change.names:
                left, moved = _left_behind(text, tool_value, change)
                removed.setdefault((change.item.whole or change.item.node).start, []).extend(left)
                edits += moved
    removals = remove_entries(text, tool_value.entry, removed) if removed else ()
    if removals is None:
        return None
    return tuple(edit for edit in (*edits, *removals) if edit.text != text[edit.span.start : edit.span.end])


def _left_behind(text: str, tool_value: ToolValue, change: Change) -> tuple[list[str], list[Edit]]:
    """The comments that a removed entry leaves in place of its lines, and the edits of those above and below them."""
    piece = _pieces(ByIdentity(tool_value), text).get(change.item.span.start)
    if piece is None or change.merged:
        return [], []
    own, apart, end = [], [], (change.item.whole or change.item.node).end
    for old, new in zip(piece.comments, piece.left_behind, strict=True):
        if old.alone and not change.item.span.start < old.start < end:
            apart.append(Edit(old.span, new.text))
        else:
            own.append(new.text)
    return own, apart


@lru_cache(maxsize=8)
def _pieces(tool_value: ByIdentity[ToolValue], text: str) -> dict[int, Piece]:
    pieces = take_apart(tool_value.value, text).pieces
    return {piece.item.span.start: piece for piece in pieces if piece.item is not None}


class _Index:
    """Lookups for every entry of a value, computed once."""

    def __init__(self, items: tuple[ToolItem, ...]) -> None:
        self.named: dict[str, list[ToolItem]] = {}  # two equal ones are enough to know that there are others
        self.within: dict[int, list[Span]] = {}
        self.odd = False
        """Some entry is not a name: what looks like a list may not be one."""
        for item in items:
            name = item.name
            if not (name[:1].isalnum() or name == "*" or any(map(str.isalnum, name))):
                self.odd = True
            same = self.named.setdefault(item.text, [])
            if not same or sum((other.action, other.scope) == (item.action, item.scope) for other in same) < 2:
                same.append(item)
            self.within.setdefault(id(item.node), []).append(item.span)


@lru_cache(maxsize=8)
def _index(items: ByIdentity[tuple[ToolItem, ...]]) -> _Index:
    return _Index(items.value)


def _change_scalar(text: str, tool_value: ToolValue, value: Node, changes: list[Change]) -> list[Edit] | None:
    """Edits within one scalar: of a list, or of text that holds all names; empty if nothing of it is left."""
    node, span = changes[0].item.node, changes[0].item.span
    if not isinstance(node, Scalar) or not node.start <= span.start <= span.end <= node.end:
        return None  # a map in a list: its name is a key
    within = _index(ByIdentity(tool_value.items)).within[id(node)]
    if not any(change.names for change in changes) and len(changes) == len(within):
        return []
    if isinstance(value, Scalar) or len(within) > 1:
        removed = {bisect_left(within, change.item.span) for change in changes if not change.names}
        blanks = tool_value.shape == "space-separated" or ("," not in node.value and len(within) > 1)
        separator = " " if blanks else ", "
        if not all(_fits_into(name, node.style) for change in changes for name in change.names):
            return None
        edits = [Edit(change.item.span, separator.join(change.names)) for change in changes if change.names]
        return edits + [Edit(span, "") for span in removal_spans(within, removed)]
    assert isinstance(value, List)
    if changes[0].item.whole is not None:  # its options are about this one name
        only = changes[0].names[0] if len(changes[0].names) == 1 else ""
        return [Edit(changes[0].item.span, only)] if only and _fits_into(only, node.style) else None
    names = [quote(name, node.style, flow=value.flow) for name in changes[0].names]
    whole = node.span
    if value.flow:
        return [Edit(whole, ", ".join(names))]
    before = line_prefix(text, node.start)
    if before.strip() != "-":
        return None
    end = line_end(text, node.end)
    more = "".join(f"{newline(text, end)}{before}{name}" for name in names[1:])
    return [Edit(whole, names[0]), *([Edit(Span(end, end), more)] if more else [])]


def _fits_into(name: str, style: str) -> bool:
    """Can a name become part of a scalar in these quotes as it is?"""
    text = quote(name, style)
    return text == name if style not in ("'", '"') else text[1:-1] == name


def _change_entry(text: str, tool_value: ToolValue, value: Map, change: Change) -> list[Edit] | None:
    """Edits of one entry of a map: its key, its value, and further entries with the same value."""
    entry = _entries(ByIdentity(tool_value.entry)).get(change.item.span)
    if entry is None or not isinstance(entry.key, Scalar) or entry.key.marked or entry.value.marked:
        return None
    if not change.names:
        return []
    first, *more = [quote(name, entry.key.style, flow=value.flow) for name in change.names]
    rest, edits = text[entry.key.end : entry.end], [Edit(entry.key.span, first)]
    if change.word:
        if not isinstance(entry.value, Scalar) or entry.value.start == entry.value.end:
            return None
        rest = text[entry.key.end : entry.value.start] + change.word
        edits.append(Edit(entry.value.span, change.word))
    if more:
        end = entry.end if value.flow else line_end(text, entry.end)
        joint = ", " if value.flow else newline(text, end) + line_prefix(text, entry.start)
        edits.append(Edit(Span(end, end), "".join(f"{joint}{key}{rest}" for key in more)))
    return edits


@lru_cache(maxsize=8)
def _entries(top: ByIdentity[Entry]) -> dict[tuple[int, int], Entry]:
    value = top.value.value
    return {(entry.key.start, entry.key.end): entry for entry in value.entries} if isinstance(value, Map) else {}
