"""A tool key with its value as new text, in the author's style or in the target's, every comment next to its entry."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.tool_values import ToolItem, ToolValue
from fsagent_lint.effect.js_regex import regex_of_scope
from fsagent_lint.effect.presets import FORM
from fsagent_lint.frontmatter.comments import Comment, about, disarm
from fsagent_lint.frontmatter.lines import line_prefix, unify_newlines
from fsagent_lint.frontmatter.nodes import Scalar
from fsagent_lint.frontmatter.quoting import quote
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.kind import Key
from fsagent_lint.model.policy import Action
from fsagent_lint.rewrite.entries import RenderedEntry
from fsagent_lint.rewrite.render import Rendered
from fsagent_lint.rewrite.take_apart import Parts, Pattern, Piece

DOUBLE = '"'
TEXT = ("csv", "space-separated", FORM)
"""Forms of a single scalar."""
_MAPS = ("map", "permission")
_QUOTES = {"": "", "single": "'", "double": DOUBLE}
_SWITCH = {Action.ALLOW: "true", Action.ASK: "true", Action.DENY: "false"}


class Layout(NamedTuple):
    """How to write: the form, whether entries have lines of their own, and the style."""

    form: str
    block: bool
    quotes: str
    margin: str
    """The text before the key."""
    step: str
    """The indentation of entries beyond the margin."""
    newline: str
    native: bool
    """The target's usual style, whatever the author's is."""
    order: tuple[str, ...] = ()
    """Names in the order in which to write them; empty: the author's order."""


class Row:
    """An entry to write, with the comments that go with it."""

    def __init__(self, entry: RenderedEntry, item: ToolItem | None = None) -> None:
        self.entry, self.item = entry, item
        self.patterns: dict[str | None, Pattern] = {}
        """The author's patterns that are still there below the entry."""
        self.above: list[str] = []
        self.trailing: list[str] = []

    @property
    def tail(self) -> str:
        return "".join(f" {comment}" for comment in self.trailing)

    @property
    def comments(self) -> list[str]:
        """Its comments where it has no line of its own: one that suppresses would apply to every entry."""
        below = [line for each in self.patterns.values() for line in _texts(each.comments)]
        return [disarm(self.entry.name, line) for line in (*self.above, *self.trailing, *below)]

    def disarm(self) -> None:
        """Another entry is merged into it: a suppression stays one only if it was written for this name."""
        if self.item is not None and self.item.text != self.entry.name:
            name = self.item.text
            self.above, self.trailing = (
                [disarm(name, each) for each in lines] for lines in (self.above, self.trailing)
            )


class Replacements:
    """The rendered entries that replace each entry of the file."""

    def __init__(self, subject: Subject, rendered: Rendered) -> None:
        self.subject = subject
        self.by_tool: dict[object, list[RenderedEntry]] = {}
        self.star = [entry for entry in rendered.entries[:1] if entry.name == "*"]
        self.by_origin: dict[str, list[RenderedEntry]] = {}
        for entry in rendered.entries:
            if entry.origin:
                self.by_origin.setdefault(entry.origin, []).append(entry)
            for tool in entry.tools if not entry.origin else ():
                self.by_tool.setdefault(tool, []).append(entry)

    def entries(self, item: ToolItem | None) -> list[RenderedEntry]:
        if item is None or item.name == "*":
            return self.star if item is not None else []
        if self.by_origin:
            return self.by_origin.get(item.name, [])
        tools = self.subject.meaning(item.name).tools
        # By name, since comparing entries with thousands of patterns is slow.
        return list({entry.name: entry for tool in tools for entry in self.by_tool.get(tool, ())}.values())


def entry_word(action: Action, form: str) -> str:
    """The word for an action in a map."""
    return action.value if form == "permission" else _SWITCH[action]


def lay_out(
    source: Source, first: ToolValue | None, parts: Sequence[Parts], form: str, key: Key, *, native: bool
) -> Layout:
    """The target's usual style if `native`, or if there is no value yet; otherwise the author's.

    Entries that have comments get lines of their own in any case.
    """
    value = first.entry.value if first is not None else None
    native = native or first is None
    by_table = native or isinstance(value, Scalar)  # text has no style that a list could keep
    has_lines = key.layout == "block" if by_table else any(part.is_block for part in parts)
    block = form not in TEXT and (form in _MAPS or has_lines or any(part.has_comments for part in parts))
    quotes = "" if block else _QUOTES[key.quotes]
    if first is not None and not native and first.shape == "list":
        quotes = next((item.node.style for item in first.items if isinstance(item.node, Scalar)), quotes)
    margin = line_prefix(source.text, first.entry.start).lstrip("\ufeff") if first is not None else ""
    around = source.yaml_text
    if value is not None and not isinstance(value, Scalar) and value.flow:
        around = around.replace(source.text[value.start : value.end], "")  # its lines are aligned, not indented
    steps = re.findall(r"^( +)\S", unify_newlines(around), re.MULTILINE)
    step = (min(steps, key=len)[len(margin) :] if steps else "") or "  "
    if value is not None and not isinstance(value, Scalar) and not value.flow and not native:
        own = line_prefix(source.text, value.start)[len(margin) :]
        step = own if own or form == "list" else step
    return Layout(form, block, quotes, margin, step, source.newline, native, key.order if native else ())


def assemble(subject: Subject, rendered: Rendered, parts: Sequence[Parts], layout: Layout) -> str:
    """The key with its value; comments stay where they were, or move above the key if they no longer fit."""
    rows, end = _rows(Replacements(subject, rendered), rendered, [piece for part in parts for piece in part.pieces])
    if layout.order:
        rows.sort(key=lambda row: _rank(row.entry, layout.order))
    key, joint = rendered.key or "", layout.newline + layout.margin
    home = comment_home(parts, key)
    tail = f" {home.key_comment}" if home is not None and home.key_comment else ""
    above = [about(part.key, part.key_comment) for part in parts[:1] if part.key_comment and part is not home]
    if not layout.block or not rows:
        above += [*(line for row in rows for line in row.comments), *(disarm(key, line) for line in end)]
        return joint.join([*above, f"{key}: {_one_line(rows, layout, rendered.option)}{tail}"])
    below = [line for row in rows for line in (*row.above, *_entry_lines(row, layout, rendered.option))] + end
    return joint.join([*above, f"{key}:{tail}", *(layout.step + line for line in below)])


def comment_home(parts: Sequence[Parts], key: str) -> Parts | None:
    """The part whose comment goes on the new key's line: the key of this name, or the first one."""
    return next((part for part in parts if part.key == key and part.key_comment), parts[0] if parts else None)


def _rows(replacements: Replacements, rendered: Rendered, pieces: Sequence[Piece]) -> tuple[list[Row], list[str]]:
    """The entries with their comments, and the comments after the last one.

    The comments of an entry that was merged into another one go there; those of a dropped one stay where it was.
    """
    rows: dict[str, Row] = {}
    waiting: list[str] = []
    end: list[str] = []
    # `*` comes first, wherever it was.
    for piece in sorted(pieces, key=lambda piece: not (replacements.star and piece.name == "*")):
        own = replacements.entries(piece.item)
        new = [entry for entry in own if entry.name not in rows]
        if piece.item is None:
            end += _texts(piece.above)
        elif not own:
            waiting += _texts(piece.left_behind)
        elif not new:
            row = rows[own[0].name]
            row.disarm()
            row.above[:0] = [disarm(piece.name, line) for line in _texts(piece.above)]
            row.above[:0] = _texts(piece.about_patterns(piece.patterns))
            row.trailing += [disarm(piece.name, line) for line in _texts(piece.trailing)]
        else:
            made = _new_rows(piece, new)
            made[0].above[:0] = waiting
            waiting = []
            rows.update((row.entry.name, row) for row in made)
    star = [Row(entry) for entry in replacements.star if entry.name not in rows]
    left = [Row(entry) for entry in rendered.entries if entry.name not in rows and entry.name != "*"]
    return [*star, *rows.values(), *left], [*waiting, *end]


def _new_rows(piece: Piece, entries: Sequence[RenderedEntry]) -> list[Row]:
    """The entries that replace a piece: its comments go to the first, those of its patterns to the same patterns."""
    rows = [Row(entry, piece.item) for entry in entries]
    left = {each.name: each for each in piece.patterns}
    for row in rows:
        if row.entry.scopes:
            names = (*(pattern for pattern, _ in row.entry.scopes), None)
            row.patterns = {name: left.pop(name) for name in names if name in left}
        elif own := left.pop(row.entry.name.partition("(")[2].removesuffix(")"), None):
            row.above, row.trailing = _texts(own.above), _texts(own.trailing)
    rows[0].above[:0] = _texts([*piece.about_patterns(left.values()), *piece.above])
    rows[0].trailing[:0] = _texts(piece.trailing)
    return rows


def _texts(comments: Iterable[Comment]) -> list[str]:
    return [comment.text for comment in comments]


def _rank(entry: RenderedEntry, order: tuple[str, ...]) -> int:
    name = entry.name.partition("(")[0]
    return order.index(name) if name in order else len(order)


def _one_line(rows: Sequence[Row], layout: Layout, option: str) -> str:
    names = [row.entry.name for row in rows]
    if layout.form not in TEXT or not (names or layout.form == "space-separated"):
        return f"[{', '.join(_spelled(row, layout, option) for row in rows)}]"
    # A preset has a single name.
    return names[0] if layout.form == FORM else quote((" " if layout.form == "space-separated" else ", ").join(names))


def _spelled(row: Row, layout: Layout, option: str) -> str:
    """An item of a list, with its limit in the option that the harness reads."""
    name, _, limit = row.entry.name.partition("(") if option else (row.entry.name, "", "")
    if not limit:
        return quote(name, _style(row, layout), flow=not layout.block)
    regex = regex_of_scope(limit.removesuffix(")")) or ""
    return f"[{quote(name, flow=True)}, {{{option}: {quote(regex, DOUBLE, flow=True)}}}]"


def _style(row: Row, layout: Layout) -> str:
    """The author's quotes for the entry, in the author's style."""
    node = row.item.node if row.item is not None and not layout.native else None
    return node.style if isinstance(node, Scalar) and node.style in ("'", DOUBLE) and layout.quotes else layout.quotes


def _entry_lines(row: Row, layout: Layout, option: str) -> list[str]:
    if layout.form == "list":
        return [f"- {_spelled(row, layout, option)}{row.tail}"]
    key = quote(row.entry.name)
    if not row.entry.scopes:
        return [f"{key}: {entry_word(row.entry.action, layout.form)}{row.tail}"]
    lines = []
    for pattern, action in row.entry.scopes:
        own = row.patterns.get(pattern)
        text = quote(pattern, DOUBLE) if own is None or layout.native else own.text
        tail = "".join(f" {line}" for line in _texts(own.trailing)) if own is not None else ""
        lines += [*(_texts(own.above) if own is not None else ()), f"{text}: {action.value}{tail}"]
    lines += _texts(row.patterns[None].above) if None in row.patterns else []
    return [f"{key}:{row.tail}", *((layout.step or "  ") + line for line in lines)]
