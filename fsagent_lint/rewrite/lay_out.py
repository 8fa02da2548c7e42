"""A tool key with its value as new text: another form, the author's style, every comment next to its entry."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.tool_values import ToolItem, ToolValue
from fsagent_lint.effect.js_regex import regex_of_scope
from fsagent_lint.effect.presets import FORM
from fsagent_lint.frontmatter.lines import line_end, line_prefix
from fsagent_lint.frontmatter.nodes import Map, Scalar
from fsagent_lint.frontmatter.quoting import quote
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.model.policy import Action
from fsagent_lint.rewrite.render import Rendered, RenderedEntry
from fsagent_lint.rewrite.take_apart import Parts, Piece

DOUBLE = '"'
TEXT = ("csv", "words", FORM)
"""Forms of a single scalar."""
_SWITCH = {Action.ALLOW: "true", Action.ASK: "true", Action.DENY: "false"}


class Layout(NamedTuple):
    """How to write: the form, whether entries have lines of their own, and the author's style."""

    form: str
    block: bool
    quotes: str
    margin: str
    """The text before the key."""
    step: str
    """The indentation of entries beyond the margin."""
    newline: str


class EntryLine(NamedTuple):
    """A line to write: an entry with its comments, or comments alone."""

    entry: RenderedEntry | None
    above: tuple[str, ...] = ()
    trailing: str = ""
    item: ToolItem | None = None
    """The item that the entry comes from."""
    line: int = -1


class Replacements:
    """The rendered entries that replace each entry of the file."""

    def __init__(self, subject: Subject, rendered: Rendered) -> None:
        self.subject = subject
        self.by_tool: dict[object, list[RenderedEntry]] = {}
        self.star = [entry for entry in rendered.entries[:1] if entry.name == "*"]
        for entry in rendered.entries:
            for tool in entry.tools:
                self.by_tool.setdefault(tool, []).append(entry)

    def entries(self, item: ToolItem | None) -> list[RenderedEntry]:
        if item is None or item.name == "*":
            return self.star if item is not None else []
        tools = self.subject.meaning(item.name).tools
        # By name, since comparing entries with thousands of patterns is slow.
        return list({entry.name: entry for tool in tools for entry in self.by_tool.get(tool, ())}.values())


def entry_word(action: Action, form: str) -> str:
    """The word for an action in a map."""
    return action.value if form == "permission" else _SWITCH[action]


def lay_out(source: Source, first: ToolValue, parts: Sequence[Parts], form: str) -> Layout:
    text, value = source.text, first.entry.value
    block = form in ("map", "permission") or any(part.is_block or part.has_comments for part in parts)
    styles = [item.node.style for item in first.items if isinstance(item.node, Scalar) and first.shape == "list"]
    quotes = styles[0] if styles else ("'" if form == "list" and not block else "")
    margin = line_prefix(text, first.entry.start).lstrip("\ufeff")
    steps = re.findall(r"^( +)\S", source.yaml_text, re.MULTILINE)
    step = min(steps, key=len)[len(margin) :] if steps else ""
    if parts and parts[0].is_block and not isinstance(value, Scalar) and not value.flow:
        own = line_prefix(text, value.start)[len(margin) :]
        step = own if own or form == "list" else step or "  "
    else:
        step = step or "  "
    return Layout(form, block and form not in TEXT, quotes, margin, step, source.newline)


def assemble(subject: Subject, rendered: Rendered, parts: Sequence[Parts], layout: Layout) -> str:
    """The key with its value; comments stay where they were, or move above the key if they no longer fit."""
    rows = _rows(Replacements(subject, rendered), rendered, [piece for part in parts for piece in part.pieces])
    comment = " ".join(dict.fromkeys(part.key_comment for part in parts[:1] if part.key_comment))
    tail = f" {comment}" if comment else ""
    key, joint = rendered.key or "", layout.newline + layout.margin
    entries = [(row.entry, row) for row in rows if row.entry is not None]
    if layout.form in TEXT or not layout.block or not entries:
        above = [line for row in rows for line in (*row.above, row.trailing) if line]
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
    """One scalar for all names; a preset has a single name."""
    return names[0] if form == FORM else quote((" " if form == "words" else ", ").join(names))


def _rows(replacements: Replacements, rendered: Rendered, pieces: Sequence[Piece]) -> list[EntryLine]:
    """Each entry with the comments of its origins; the trailing comment of a dropped entry is dropped with it."""
    rows: list[EntryLine] = []
    placed: dict[str, int] = {}
    # `*` comes first, wherever it was.
    for piece in sorted(
        pieces, key=lambda piece: not (replacements.star and piece.item is not None and piece.item.name == "*")
    ):
        own = replacements.entries(piece.item)
        new = [entry for entry in own if entry.name not in placed]
        above = piece.above if _keeps_inside(piece, new) else (*piece.above, *piece.inside)
        above = above if _keeps_inside(piece, new) or not own else (*above, *piece.patterns)
        for number, entry in enumerate(new):
            placed[entry.name] = len(rows)
            rows.append(
                EntryLine(entry, () if number else above, "" if number else piece.trailing, piece.item, piece.line)
            )
        if not new and above:
            rows.append(EntryLine(None, above))
        if not new and piece.trailing:
            _keep_trailing(rows, [placed[entry.name] for entry in own], piece)
    star = [EntryLine(entry) for entry in replacements.star if entry.name not in placed]
    left = [EntryLine(entry) for entry in rendered.entries if entry.name not in placed and entry.name != "*"]
    tail = rows[-1:] if rows and rows[-1].entry is None and left else []
    return [*star, *rows[: len(rows) - len(tail)], *left, *tail]


def _keep_trailing(rows: list[EntryLine], merged: list[int], piece: Piece) -> None:
    """Keep the comment of an entry that was merged into another one, or that shared its line with one."""
    at = merged[0] if merged else len(rows) - 1
    if merged or (rows and rows[at].line == piece.line):
        rows[at] = rows[at]._replace(trailing=f"{rows[at].trailing} {piece.trailing}".strip())


def _keeps_inside(piece: Piece, entries: Sequence[RenderedEntry]) -> bool:
    """Are the patterns below a permission kept as they are, with the comments among them?"""
    return any(_own_patterns(piece.item, entry) for entry in entries)


def _own_patterns(item: ToolItem | None, entry: RenderedEntry) -> bool:
    if item is None or not isinstance(item.node, Map) or item.node.flow:
        return False
    current = [(rule.name, rule.value.value if isinstance(rule.value, Scalar) else "") for rule in item.node.entries]
    return current == [(pattern, action.value) for pattern, action in entry.scopes]


def _spelled(entry: RenderedEntry, row: EntryLine, layout: Layout, option: str, *, flow: bool = True) -> str:
    """An item of a list, with its limit in the option that the harness reads."""
    name, _, limit = entry.name.partition("(") if option else (entry.name, "", "")
    if not limit:
        return quote(entry.name, _style(row, layout), flow=flow)
    regex = regex_of_scope(limit.removesuffix(")")) or ""
    return f"[{quote(name, flow=True)}, {{{option}: {quote(regex, DOUBLE, flow=True)}}}]"


def _entry_lines(row: EntryLine, entry: RenderedEntry, subject: Subject, layout: Layout, *, option: str) -> list[str]:
    tail = f" {row.trailing}" if row.trailing else ""
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
    """The lines of the patterns below a permission, without their indentation."""
    width = len(line_prefix(text, item.node.start))
    block = text[line_end(text, item.span.end) : line_end(text, item.node.end)]
    lines = re.split(r"\r\n|\n|\r", block)[1:]
    return [line[min(width, len(line) - len(line.lstrip(" "))) :] for line in lines]


def _style(row: EntryLine, layout: Layout) -> str:
    node = row.item.node if row.item is not None else None
    return node.style if isinstance(node, Scalar) and node.style in ("'", '"') and layout.quotes else layout.quotes
