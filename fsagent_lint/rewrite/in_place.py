"""Write rendered tool entries over entries of the same shape: rename, remove, insert, and change nothing else."""

from __future__ import annotations

from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.tool_values import ToolItem, ToolValue
from fsagent_lint.frontmatter.comments import is_suppression
from fsagent_lint.frontmatter.edits import Edit, insert_first, overlap
from fsagent_lint.frontmatter.lines import line_end
from fsagent_lint.frontmatter.nodes import Map, Node, Scalar, Span
from fsagent_lint.frontmatter.quoting import quote
from fsagent_lint.rewrite.entries import RenderedEntry
from fsagent_lint.rewrite.entry_edits import Change, change_items
from fsagent_lint.rewrite.lay_out import Replacements, entry_word
from fsagent_lint.rewrite.render import Rendered
from fsagent_lint.rewrite.take_apart import Parts, Piece

ActionWords = tuple[tuple[str, str], ...]
"""The action words of a map's entry: pattern and word, with `*` for every use."""


def edit_in_place(
    subject: Subject, tool_value: ToolValue, parts: Parts, rendered: Rendered, form: str
) -> tuple[Edit, ...] | None:
    """The edits; None if such edits are not enough."""
    text, in_map = subject.document.source.text, isinstance(tool_value.entry.value, Map)
    replacements = Replacements(subject, rendered)
    pieces = [(piece, piece.item) for piece in parts.pieces if piece.item and not (in_map and piece.item.name == "*")]
    home: dict[str, ToolItem] = {}
    for _, item in pieces:
        for entry in replacements.entries(item):
            # A name that the author used stays with the entry that has it.
            if entry.name not in home or item.text == entry.name != home[entry.name].text:
                home[entry.name] = item
    if any(entry.name not in home for entry in rendered.entries if entry.name != "*"):
        return None
    suppresses = any(is_suppression(comment.text) for piece, _ in pieces for comment in piece.comments)
    changes: list[Change] = []
    edits = _rename_key(tool_value, rendered)
    for piece, item in pieces:
        entries = replacements.entries(item)
        own = [entry for entry in entries if home[entry.name] is item]
        changed = _change(item, own, form) if in_map else Change(item, [entry.name for entry in own])
        if changed is None:
            return None
        if entries and not own:
            changed = changed._replace(merged=True)
            if len(piece.comments) > len(piece.trailing) or suppresses:
                return None  # comments have to move to a line above the other entry, or to change
            edits += _move_trailing(text, piece, home[entries[0].name])
        changes += [changed] if changed.word or list(changed.names) != [item.text] else []
    made, star = change_items(text, tool_value, changes), _star(text, tool_value, rendered, form)
    if made is None or star is None or overlap([*edits, *made, *star]):
        return None
    return (*edits, *made, *star)


def _rename_key(tool_value: ToolValue, rendered: Rendered) -> list[Edit]:
    key = tool_value.entry.key
    if not isinstance(key, Scalar) or rendered.key in (None, tool_value.key):
        return []
    return [Edit(key.span, quote(rendered.key or "", key.style))]


def _change(item: ToolItem, entries: list[RenderedEntry], form: str) -> Change | None:
    """The change of a map's entry; None if it needs more than another word."""
    current, names = _current_words(item, form), [entry.name for entry in entries]
    wanted = list({_rendered_words(entry, form) for entry in entries})
    if wanted in ([], [current]):
        return Change(item, names)
    if len(wanted) == len(wanted[0]) == len(current) == 1 and not isinstance(item.node, Map):
        return Change(item, names, wanted[0][0][1])
    return None


def _current_words(item: ToolItem, form: str) -> ActionWords:
    if isinstance(item.node, Map):
        return tuple((rule.name or "", _word(rule.value, form)) for rule in item.node.entries)
    return (("*", _word(item.node, form)),)


def _word(node: Node, form: str) -> str:
    if not isinstance(node, Scalar) or node.marked:
        return ""
    # A quoted switch is text, not a switch.
    return node.value if form == "permission" else node.value.lower() if node.plain else ""


def _rendered_words(entry: RenderedEntry, form: str) -> ActionWords:
    if entry.scopes:
        return tuple((pattern, action.value) for pattern, action in entry.scopes)
    return (("*", entry_word(entry.action, form)),)


def _move_trailing(text: str, piece: Piece, kept: ToolItem) -> list[Edit]:
    """The comment of an entry that was merged into another one moves to that one."""
    end = line_end(text, kept.node.end)
    comments = "".join(f" {comment.text}" for comment in piece.trailing)
    return [Edit(Span(end, end), comments)] if comments else []


def _star(text: str, tool_value: ToolValue, rendered: Rendered, form: str) -> tuple[Edit, ...] | None:
    """The edits that put `"*"` before all others; None if an existing `"*"` does not fit."""
    wanted = next((entry for entry in rendered.entries if entry.name == "*"), None)
    node = tool_value.entry.value
    if not isinstance(node, Map):
        return () if wanted is None else None
    stars = [item for item in tool_value.items if item.name == "*"]
    if wanted is None or not node.entries:
        return None if stars or wanted else ()
    if not stars:
        return (insert_first(text, node, f'"*": {entry_word(wanted.action, form)}'),)
    fits = (
        len(stars) == 1
        and stars[0] is tool_value.items[0]
        and _current_words(stars[0], form) == _rendered_words(wanted, form)
    )
    return () if fits else None
