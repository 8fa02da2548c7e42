"""Write rendered tool entries over entries of the same shape: rename, remove, insert, and touch nothing else."""

from __future__ import annotations

from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.tool_values import ToolItem, ToolValue
from fsagent_lint.frontmatter.edits import Edit, insert_first, overlap
from fsagent_lint.frontmatter.lines import line_end
from fsagent_lint.frontmatter.nodes import Map, Node, Scalar, Span
from fsagent_lint.frontmatter.quoting import quote
from fsagent_lint.rewrite.entry_edits import Change, change_items
from fsagent_lint.rewrite.lay_out import Meant, entry_word
from fsagent_lint.rewrite.render import Emit, Rendered
from fsagent_lint.rewrite.take_apart import Parts, Piece

Said = tuple[tuple[str, str], ...]
"""What a map says about a tool: words by pattern, `*` for every use."""


def edit_in_place(
    subject: Subject, written: ToolValue, parts: Parts, rendered: Rendered, form: str
) -> tuple[Edit, ...] | None:
    """None where that is not enough."""
    text, in_map = subject.document.source.text, isinstance(written.entry.value, Map)
    meant = Meant(subject, rendered)
    pieces = [(piece, piece.item) for piece in parts.pieces if piece.item and not (in_map and piece.item.name == "*")]
    home: dict[str, ToolItem] = {}
    for _, item in pieces:
        for entry in meant.entries(item):
            # A name that the author wrote stays with the entry that has it.
            if entry.name not in home or item.text == entry.name != home[entry.name].text:
                home[entry.name] = item
    if any(entry.name not in home for entry in rendered.entries if entry.name != "*"):
        return None
    changes: list[Change] = []
    edits = _rename_key(written, rendered)
    for piece, item in pieces:
        entries = meant.entries(item)
        mine = [entry for entry in entries if home[entry.name] is item]
        changed = _change(item, mine, form) if in_map else Change(item, [entry.name for entry in mine])
        if changed is None or (
            piece.inside and not mine
        ):  # comments among the patterns of a dropped entry have to move
            return None
        changes += [changed] if changed.word or list(changed.names) != [item.text] else []
        edits += _keep_beside(text, piece, home[entries[0].name]) if entries and not mine else []
    made, star = change_items(text, written, changes), _star(text, written, rendered, form)
    if made is None or star is None or overlap([*edits, *made, *star]):
        return None
    return (*edits, *made, *star)


def _rename_key(written: ToolValue, rendered: Rendered) -> list[Edit]:
    key = written.entry.key
    if not isinstance(key, Scalar) or rendered.key in (None, written.key):
        return []
    return [Edit(key.span, quote(rendered.key or "", key.style))]


def _change(item: ToolItem, entries: list[Emit], form: str) -> Change | None:
    """What becomes of a map's entry; None where that takes more than another word."""
    said, names = _said(item, form), [entry.name for entry in entries]
    wanted = list({_wanted(entry, form) for entry in entries})
    if wanted in ([], [said]):
        return Change(item, names)
    if len(wanted) == len(wanted[0]) == len(said) == 1 and not isinstance(item.node, Map):
        return Change(item, names, wanted[0][0][1])
    return None


def _said(item: ToolItem, form: str) -> Said:
    if isinstance(item.node, Map):
        return tuple((rule.name or "", _word(rule.value, form)) for rule in item.node.entries)
    return (("*", _word(item.node, form)),)


def _word(node: Node, form: str) -> str:
    if not isinstance(node, Scalar) or node.marked:
        return ""
    # A quoted switch is text, and no switch.
    return node.value if form == "permission" else node.value.lower() if node.plain else ""


def _wanted(entry: Emit, form: str) -> Said:
    if entry.scopes:
        return tuple((pattern, action.value) for pattern, action in entry.scopes)
    return (("*", entry_word(entry.action, form)),)


def _keep_beside(text: str, piece: Piece, kept: ToolItem) -> list[Edit]:
    """The comment of an entry that became part of another one goes there."""
    end = line_end(text, kept.node.end)
    return [Edit(Span(end, end), f" {piece.beside}")] if piece.beside else []


def _star(text: str, written: ToolValue, rendered: Rendered, form: str) -> tuple[Edit, ...] | None:
    """`"*"` before all others; None where it stands in the way already."""
    wanted = next((entry for entry in rendered.entries if entry.name == "*"), None)
    value = written.entry.value
    if not isinstance(value, Map):
        return () if wanted is None else None
    there = [item for item in written.items if item.name == "*"]
    if wanted is None or not value.entries:
        return None if there or wanted else ()
    if not there:
        return (insert_first(text, value, f'"*": {entry_word(wanted.action, form)}'),)
    fits = len(there) == 1 and there[0] is written.items[0] and _said(there[0], form) == _wanted(wanted, form)
    return () if fits else None
