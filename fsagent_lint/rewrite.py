"""Write rendered tool entries into a file: smallest edits where the shape stays, a new value where it changes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from fsagent_lint.edits import delete_entry, insert_first, quote, remove_item, replace_item
from fsagent_lint.findings import Edit
from fsagent_lint.nodes import Map, Scalar
from fsagent_lint.pieces import Parts, Piece, take_apart
from fsagent_lint.policy import Action
from fsagent_lint.render import Emit, Rendered
from fsagent_lint.source import Source, Span
from fsagent_lint.subject import Subject
from fsagent_lint.written import Item, Written

_SWITCH = {Action.ALLOW: "true", Action.ASK: "true", Action.DENY: "false"}


class Layout(NamedTuple):
    """How to write: the form, whether on lines of their own, and the author's habits."""

    form: str
    block: bool
    quotes: str
    step: str
    newline: str


def rewrite(subject: Subject, values: Sequence[Written], rendered: Rendered, form: str) -> tuple[Edit, ...]:
    """The edits that put the rendered entries in the place of the values that the file has."""
    text = subject.document.source.text
    if not values:
        return _insert(subject, rendered, form) if rendered.key is not None else ()
    first, rest = values[0], values[1:]
    if rendered.key is None:
        return tuple(delete_entry(text, value.entry) for value in values)
    if not rest and first.shape == form and (edits := _in_place(subject, first, rendered)) is not None:
        return edits
    parts = [take_apart(value, text) for value in values]
    layout = _layout(subject.document.source, first, parts, form)
    whole = _assemble(subject, rendered, parts, layout)
    edits = (Edit(Span(parts[0].start, parts[0].end), whole),)
    return (*edits, *(delete_entry(text, value.entry) for value in rest))


def _in_place(subject: Subject, written: Written, rendered: Rendered) -> tuple[Edit, ...] | None:
    """The shape stays: rename, remove and insert entries, and touch nothing else. None where that is not enough."""
    text, value = subject.document.source.text, written.entry.value
    left = [entry for entry in rendered.entries if entry.name != "*"]
    if isinstance(value, Map) and any(entry.scopes for entry in left):
        return None
    edits: list[Edit] = []
    if rendered.key != written.key:
        edits.append(Edit(Span(written.entry.key.start, written.entry.key.end), rendered.key or ""))
    placed: set[str] = set()
    texts = {item.text for item in written.items}
    for item in dict.fromkeys(item for item in written.items if item.name != "*"):
        mine = [entry for entry in left if _stands_for(subject, item, entry)]
        # A name that the author wrote stays with the entry that has it.
        names = [entry.name for entry in mine if entry.name not in placed | (texts - {item.text})]
        placed.update(names)
        if isinstance(value, Map) and any(item.action is not entry.action for entry in mine):
            return None
        if names != [item.text]:
            change = replace_item(text, written, item, names) if names else remove_item(text, written, item)
            if change is None:
                return None
            edits += change
    star = _star_in_place(written, rendered, text)
    if star is None or any(entry.name not in placed for entry in left):
        return None
    return None if _overlap([*edits, *star]) else (*edits, *star)


def _star_in_place(written: Written, rendered: Rendered, text: str) -> tuple[Edit, ...] | None:
    """`"*"` before all others; None where it stands in the way already."""
    star = next((entry for entry in rendered.entries if entry.name == "*"), None)
    there = [item for item in written.items if item.name == "*"]
    if star is None or not isinstance(written.entry.value, Map):
        return None if there else ()
    if not there:
        return (insert_first(text, written.entry.value, f'"*": {_word(star.action, rendered.role)}'),)
    fits = len(there) == 1 and there[0] is written.items[0] and there[0].action is star.action
    return () if fits else None


def _overlap(edits: Sequence[Edit]) -> bool:
    return any(one.span.end > other.span.start for one, other in pairwise(sorted(edits)))


def _stands_for(subject: Subject, item: Item, entry: Emit) -> bool:
    return bool(set(subject.meaning(item.name).tools) & set(entry.tools))


def _layout(source: Source, first: Written, parts: Sequence[Parts], form: str) -> Layout:
    block = any(part.is_block or part.has_comments for part in parts)
    if form in ("map", "permission"):
        block = True
    styles = [item.node.style for item in first.items if isinstance(item.node, Scalar) and first.shape == "list"]
    quotes = styles[0] if styles else ("'" if form == "list" and not block else "")
    lines = re.findall(r"^( +)\S", source.yaml_text, re.MULTILINE)
    step = min(lines, key=len) if lines else "  "
    return Layout(form, block and form != "csv", quotes, step, source.newline)


def _assemble(subject: Subject, rendered: Rendered, parts: Sequence[Parts], layout: Layout) -> str:
    """The key with its value, comments where they were, or above the key where they no longer fit."""
    rows = list(_rows(subject, rendered, [piece for part in parts for piece in part.pieces]))
    beside = " ".join(dict.fromkeys(part.beside_key for part in parts if part.beside_key))
    tail = f" {beside}" if beside else ""
    key, newline = rendered.key or "", layout.newline
    names = [entry.name for entry, _, _ in rows if entry is not None]
    if not names:
        return _above(rows, newline) + f"{key}: []{tail}"
    if layout.form == "csv":
        return _above(rows, newline) + f"{key}: {quote(', '.join(names))}{tail}"
    if not layout.block:
        inner = ", ".join(quote(name, layout.quotes, flow=True) for name in names)
        return f"{key}: [{inner}]{tail}"
    lines = [f"{key}:{tail}"]
    for entry, above, comment in rows:
        lines += [layout.step + line for line in above]
        if entry is not None:
            lines += [layout.step + line for line in _entry_lines(entry, comment, rendered.role, layout)]
    return newline.join(lines)


def _rows(
    subject: Subject, rendered: Rendered, pieces: Sequence[Piece]
) -> list[tuple[Emit | None, tuple[str, ...], str]]:
    """Each entry with the comments of the one that it comes from; a dropped entry's own comment goes with it."""
    left = list(rendered.entries)
    rows: list[tuple[Emit | None, tuple[str, ...], str]] = []
    if left and left[0].name == "*":
        rows.append((left.pop(0), (), ""))
    for piece in pieces:
        mine = [entry for entry in left if piece.item is not None and _stands_for(subject, piece.item, entry)]
        left = [entry for entry in left if entry not in mine]
        if not mine and piece.above:
            rows.append((None, piece.above, ""))
        for number, entry in enumerate(mine):
            rows.append((entry, piece.above if number == 0 else (), piece.beside if number == 0 else ""))
    tail = [row for row in rows if row[0] is None and row is rows[-1]] if left else []
    return [*(row for row in rows if row not in tail), *((entry, (), "") for entry in left), *tail]


def _above(rows: Sequence[tuple[Emit | None, tuple[str, ...], str]], newline: str) -> str:
    comments = [line for _, above, beside in rows for line in (*above, beside) if line]
    return "".join(f"{line}{newline}" for line in comments)


def _entry_lines(entry: Emit, comment: str, role: str, layout: Layout) -> list[str]:
    tail = f" {comment}" if comment else ""
    if layout.form == "list":
        return [f"- {quote(entry.name, layout.quotes)}{tail}"]
    key = quote(entry.name)
    if not entry.scopes:
        return [f"{key}: {_word(entry.action, role)}{tail}"]
    patterns = [f'{layout.step}"{pattern}": {action.value}' for pattern, action in entry.scopes]
    return [f"{key}:{tail}", *patterns]


def _word(action: Action, role: str) -> str:
    return _SWITCH[action] if role == "switch" else action.value


def _insert(subject: Subject, rendered: Rendered, form: str) -> tuple[Edit, ...]:
    """A key of its own at the end of the frontmatter."""
    source = subject.document.source
    layout = Layout(form, form in ("map", "permission"), "'" if form == "list" else "", "  ", source.newline)
    text = _assemble(subject, rendered, [], layout)
    end = source.yaml.end
    lead = "" if end == source.yaml.start or source.text[end - 1] in "\r\n" else source.newline
    return (Edit(Span(end, end), f"{lead}{text}{source.newline}"),)
