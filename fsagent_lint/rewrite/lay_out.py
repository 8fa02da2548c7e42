"""A tool key with its value as new text: another form, the author's habits, every comment beside what it is about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.tool_values import ToolItem, ToolValue
from fsagent_lint.effect.js_regex import of_scope
from fsagent_lint.effect.presets import FORM
from fsagent_lint.frontmatter.lines import lead, line_end
from fsagent_lint.frontmatter.nodes import Map, Scalar
from fsagent_lint.frontmatter.quoting import quote
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.model.policy import Action
from fsagent_lint.rewrite.render import Emit, Rendered
from fsagent_lint.rewrite.take_apart import Parts, Piece

DOUBLE = '"'
TEXT = ("csv", "words", FORM)
"""Forms of a single scalar."""
_SWITCH = {Action.ALLOW: "true", Action.ASK: "true", Action.DENY: "false"}


class Layout(NamedTuple):
    """How to write: the form, whether on lines of their own, and the author's habits."""

    form: str
    block: bool
    quotes: str
    margin: str
    """What stands before the key."""
    step: str
    """What entries are indented by, beyond the margin."""
    newline: str


class EntryLine(NamedTuple):
    """A line to write: an entry with its comments, or comments alone."""

    entry: Emit | None
    above: tuple[str, ...] = ()
    beside: str = ""
    item: ToolItem | None = None
    """What the entry comes from."""
    line: int = -1


class Meant:
    """Which entries to write stand for an entry that was written."""

    def __init__(self, subject: Subject, rendered: Rendered) -> None:
        self.subject = subject
        self.by_tool: dict[object, list[Emit]] = {}
        self.star = [entry for entry in rendered.entries[:1] if entry.name == "*"]
        for entry in rendered.entries:
            for tool in entry.tools:
                self.by_tool.setdefault(tool, []).append(entry)

    def entries(self, item: ToolItem | None) -> list[Emit]:
        if item is None or item.name == "*":
            return self.star if item is not None else []
        tools = self.subject.meaning(item.name).tools
        # By name, as entries with thousands of patterns take their time to compare.
        return list({entry.name: entry for tool in tools for entry in self.by_tool.get(tool, ())}.values())


def entry_word(action: Action, form: str) -> str:
    """What a map says for an action."""
    return action.value if form == "permission" else _SWITCH[action]


def lay_out(source: Source, first: ToolValue, parts: Sequence[Parts], form: str) -> Layout:
    text, value = source.text, first.entry.value
    block = form in ("map", "permission") or any(part.is_block or part.has_comments for part in parts)
    styles = [item.node.style for item in first.items if isinstance(item.node, Scalar) and first.shape == "list"]
    quotes = styles[0] if styles else ("'" if form == "list" and not block else "")
    margin = lead(text, first.entry.start).lstrip("\ufeff")
    steps = re.findall(r"^( +)\S", source.yaml_text, re.MULTILINE)
    step = min(steps, key=len)[len(margin) :] if steps else ""
    if parts and parts[0].is_block and not isinstance(value, Scalar) and not value.flow:
        own = lead(text, value.start)[len(margin) :]
        step = own if own or form == "list" else step or "  "
    else:
        step = step or "  "
    return Layout(form, block and form not in TEXT, quotes, margin, step, source.newline)


def assemble(subject: Subject, rendered: Rendered, parts: Sequence[Parts], layout: Layout) -> str:
    """The key with its value, comments where they were, or above the key where they no longer fit."""
    rows = _rows(Meant(subject, rendered), rendered, [piece for part in parts for piece in part.pieces])
    beside = " ".join(dict.fromkeys(part.beside_key for part in parts[:1] if part.beside_key))
    tail = f" {beside}" if beside else ""
    key, joint = rendered.key or "", layout.newline + layout.margin
    entries = [(row.entry, row) for row in rows if row.entry is not None]
    if layout.form in TEXT or not layout.block or not entries:
        above = [line for row in rows for line in (*row.above, row.beside) if line]
        names = [entry.name for entry, _ in entries]
        inner = ", ".join(_spelled(entry, row, layout, rendered.option) for entry, row in entries)
        value = _text(names, layout.form) if layout.form in TEXT and (names or layout.form == "words") else f"[{inner}]"
        return joint.join([*above, f"{key}: {value}{tail}"])
    lines = [f"{key}:{tail}"]
    for row in rows:
        lines += [layout.step + line for line in row.above]
        if row.entry is not None:
            lines += [
                layout.step + line for line in _entry_lines(row, row.entry, subject, layout, option=rendered.option)
            ]
    return joint.join(lines)


def _text(names: Sequence[str], form: str) -> str:
    """One scalar for all names; a set goes by its own."""
    return names[0] if form == FORM else quote((" " if form == "words" else ", ").join(names))


def _rows(meant: Meant, rendered: Rendered, pieces: Sequence[Piece]) -> list[EntryLine]:
    """Each entry with the comments of the ones that it comes from; a dropped entry's own comment goes with it."""
    rows: list[EntryLine] = []
    placed: dict[str, int] = {}
    # `*` comes first, wherever it stood.
    for piece in sorted(
        pieces, key=lambda piece: not (meant.star and piece.item is not None and piece.item.name == "*")
    ):
        mine = meant.entries(piece.item)
        fresh = [entry for entry in mine if entry.name not in placed]
        above = piece.above if _keeps_inside(piece, fresh) else (*piece.above, *piece.inside)
        above = above if _keeps_inside(piece, fresh) or not mine else (*above, *piece.patterns)
        for number, entry in enumerate(fresh):
            placed[entry.name] = len(rows)
            rows.append(
                EntryLine(entry, () if number else above, "" if number else piece.beside, piece.item, piece.line)
            )
        if not fresh and above:
            rows.append(EntryLine(None, above))
        if not fresh and piece.beside:
            _keep_beside(rows, [placed[entry.name] for entry in mine], piece)
    star = [EntryLine(entry) for entry in meant.star if entry.name not in placed]
    left = [EntryLine(entry) for entry in rendered.entries if entry.name not in placed and entry.name != "*"]
    tail = rows[-1:] if rows and rows[-1].entry is None and left else []
    return [*star, *rows[: len(rows) - len(tail)], *left, *tail]


def _keep_beside(rows: list[EntryLine], merged: list[int], piece: Piece) -> None:
    """The comment of an entry that became part of another one, or that shares its line with one, stays."""
    at = merged[0] if merged else len(rows) - 1
    if merged or (rows and rows[at].line == piece.line):
        rows[at] = rows[at]._replace(beside=f"{rows[at].beside} {piece.beside}".strip())


def _keeps_inside(piece: Piece, entries: Sequence[Emit]) -> bool:
    """Are the patterns below a permission written as they stand, with the comments among them?"""
    return any(_own_patterns(piece.item, entry) for entry in entries)


def _own_patterns(item: ToolItem | None, entry: Emit) -> bool:
    if item is None or not isinstance(item.node, Map) or item.node.flow:
        return False
    written = [(rule.name, rule.value.value if isinstance(rule.value, Scalar) else "") for rule in item.node.entries]
    return written == [(pattern, action.value) for pattern, action in entry.scopes]


def _spelled(entry: Emit, row: EntryLine, layout: Layout, option: str, *, flow: bool = True) -> str:
    """An item of a list; a limit where the harness looks for it."""
    name, _, limit = entry.name.partition("(") if option else (entry.name, "", "")
    if not limit:
        return quote(entry.name, _style(row, layout), flow=flow)
    regex = of_scope(limit.removesuffix(")")) or ""
    return f"[{quote(name, flow=True)}, {{{option}: {quote(regex, DOUBLE, flow=True)}}}]"


def _entry_lines(row: EntryLine, entry: Emit, subject: Subject, layout: Layout, *, option: str) -> list[str]:
    tail = f" {row.beside}" if row.beside else ""
    if layout.form == "list":
        return [f"- {_spelled(entry, row, layout, option, flow=False)}{tail}"]
    key = quote(entry.name)
    if not entry.scopes:
        return [f"{key}: {entry_word(entry.action, layout.form)}{tail}"]
    step = layout.step or "  "
    if row.item is not None and _own_patterns(row.item, entry):
        return [f"{key}:{tail}", *(step + line for line in _lines_below(row.item, subject.document.source.text))]
    patterns = [f"{quote(pattern, DOUBLE)}: {action.value}" for pattern, action in entry.scopes]
    return [f"{key}:{tail}", *(step + pattern for pattern in patterns)]


def _lines_below(item: ToolItem, text: str) -> list[str]:
    """The patterns below a permission as they stand, without their indentation."""
    width = len(lead(text, item.node.start))
    block = text[line_end(text, item.span.end) : line_end(text, item.node.end)]
    lines = re.split(r"\r\n|\n|\r", block)[1:]
    return [line[min(width, len(line) - len(line.lstrip(" "))) :] for line in lines]


def _style(row: EntryLine, layout: Layout) -> str:
    node = row.item.node if row.item is not None else None
    return node.style if isinstance(node, Scalar) and node.style in ("'", '"') and layout.quotes else layout.quotes
