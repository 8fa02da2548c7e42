"""Completion of tools, as they are written at a place: in a comma string, a list, or a map with switches or actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types as lsp

from fsagent_lint.frontmatter.quoting import quote
from fsagent_lint.harnesses.kind import Key
from fsagent_lint.model.policy import Action
from fsagent_lint.model.tool import Risk
from fsagent_lint.project.neighbours import ProjectNeighbours
from fsagent_lint.project.tool_registry import RegisteredTool, Registry
from fsagent_lint.server.completion.cursor import Cursor
from fsagent_lint.server.workspace import View

_WORDS = {"map": ("true", "false"), "permission": tuple(action.value for action in Action)}
_QUOTES = {"single": "'", "double": '"'}


def tool_items(view: View, cursor: Cursor, offset: int, *, snippets: bool) -> Iterator[lsp.CompletionItem]:
    key = view.subject.kind.keys[cursor.key]
    here = view.buffer.positions.range(cursor.word)
    if cursor.form == "map-value":
        yield from _actions(key, here)
        return
    for value in key.presets if cursor.form == "csv" and not cursor.before.strip() else ():
        yield lsp.CompletionItem(
            value, kind=lsp.CompletionItemKind.Value, text_edit=lsp.TextEdit(here, _apart(cursor) + value)
        )
    listed = {
        item.name
        for value in view.subject.values
        if value.key == cursor.key
        for item in value.items
        if not item.span.start <= offset <= item.span.end
    }
    registry = tools_of(view)
    for name, entries in {**registry.names_for(view.subject.harness), **dict.fromkeys(key.also, ())}.items():
        if name not in listed:
            yield from _items(name, entries, key, cursor, here, snippets=snippets)


def tools_of(view: View) -> Registry:
    """Every tool that the project of a file has."""
    neighbours = view.subject.neighbours
    known = neighbours if isinstance(neighbours, ProjectNeighbours) else None
    return Registry(view.workspace.run.settings, known)


def _items(
    name: str, entries: Sequence[RegisteredTool], key: Key, cursor: Cursor, here: lsp.Range, *, snippets: bool
) -> Iterator[lsp.CompletionItem]:
    risks = list(dict.fromkeys(entry.risk for entry in entries))
    description = "\n\n".join(filter(None, (entry.description for entry in entries)))
    documentation = description or ", ".join(entry.origin for entry in entries)

    def item(label: str, text: str, order: str, *, is_snippet: bool = False) -> lsp.CompletionItem:
        return lsp.CompletionItem(
            label,
            kind=lsp.CompletionItemKind.Function,
            detail=", ".join(risks) or None,
            documentation=documentation or None,
            filter_text=name,
            sort_text=f"{order}{name}",
            text_edit=lsp.TextEdit(here, text),
            insert_text_format=lsp.InsertTextFormat.Snippet if is_snippet else None,
        )

    form = _form(key, cursor)
    if form in _WORDS and snippets:
        choice = ",".join(_WORDS[form])
        yield item(name, _written(_escaped(name), key, cursor, f"${{1|{choice}|}}"), "1", is_snippet=True)
        return
    yield item(name, _written(name, key, cursor, _WORDS[form][0] if form in _WORDS else ""), "1")
    takes_scope = key.scopes == "honoured" or name in key.scoped
    if takes_scope and form not in _WORDS and snippets and Risk.EXECUTE in risks and "(" not in name:
        text = _escaped(_written(f"{name}(\0)", key, cursor, "")).replace("\0", "${1:git diff *}")
        yield item(f"{name}(…)", text, "2", is_snippet=True)


def _form(key: Key, cursor: Cursor) -> str:
    """The form of the value: that of its place, or the usual one if there is no value yet."""
    if cursor.form == "csv" and not cursor.before.strip():
        return key.forms[0] if not cursor.quoted else "csv"
    if cursor.form == "map-key":
        return "permission" if key.role == "permission" else "map"
    return cursor.form


def _written(name: str, key: Key, cursor: Cursor, word: str) -> str:
    form, apart = _form(key, cursor), _apart(cursor)
    if form in _WORDS:
        pair = f"{name if cursor.quoted else _quoted(name)}: {word}"
        return pair if cursor.form == "map-key" else f"\n  {pair}"
    if form == "list" and cursor.form == "csv":
        quoted = _quoted(name, _QUOTES.get(key.quotes, ""), flow=key.layout == "flow")
        return f"{apart}[{quoted}]" if key.layout == "flow" else f"\n  - {_quoted(name)}"
    if cursor.quoted or form in ("csv", "space-separated"):
        return apart + name
    return _quoted(name, _QUOTES.get(key.quotes, ""), flow=cursor.form == "flow")


def _quoted(name: str, style: str = "", *, flow: bool = False) -> str:
    return quote(name, style, flow=flow) if "\0" not in name else name


def _apart(cursor: Cursor) -> str:
    """A blank after the colon, where there is none."""
    return " " if cursor.form == "csv" and cursor.before == "" else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def _actions(key: Key, here: lsp.Range) -> Iterator[lsp.CompletionItem]:
    for word in _WORDS["permission" if key.role == "permission" else "map"]:
        yield lsp.CompletionItem(
            word, kind=lsp.CompletionItemKind.EnumMember, text_edit=lsp.TextEdit(here, word), sort_text=word
        )
