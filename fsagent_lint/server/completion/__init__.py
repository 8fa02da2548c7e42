"""Completion: keys, their values, tools in the form of their place, and the names of rules in suppression comments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types as lsp

from fsagent_lint._fast import pattern
from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.effect.describe import ROLES, field_meaning, field_notes, field_value
from fsagent_lint.frontmatter.lines import line_end, line_start
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.frontmatter.quoting import quote
from fsagent_lint.harnesses.kind import Field
from fsagent_lint.rules import all_rules
from fsagent_lint.server.completion.cursor import Cursor, find_cursor
from fsagent_lint.server.completion.tools import tool_items
from fsagent_lint.server.workspace import View

TRIGGERS = [":", " ", ",", "[", "-", "{", "'", '"', "("]
_IGNORE = pattern(r"fsagent(?:-lint)?:[ \t]*ignore(?:-file)?\[(?:[^\[\]\r\n]*,)?[ \t]*([\w-]*)\Z")
_BOOLEANS = ("true", "false")


def completions(view: View, offset: int, *, snippets: bool) -> list[lsp.CompletionItem]:
    """`snippets`: the editor lets people choose a part of what was inserted."""
    text = view.buffer.text
    comment = _IGNORE.search(text[line_start(text, offset) : offset])
    if comment is not None:
        return [*_rules(view, Span(offset - len(comment[1]), offset))]
    if view.subject.sort is not Sort.MARKDOWN:
        return []
    source = view.subject.document.source
    region = source.yaml if source.problem in (None, "unclosed") else Span(0, 0)
    cursor = find_cursor(text, region, offset) if region.end else None
    if cursor is None:
        return []
    if cursor.form == "key":
        return [*_keys(view, cursor)]
    if cursor.key in view.subject.kind.keys:
        return [*tool_items(view, cursor, offset, snippets=snippets)]
    field = view.subject.kind.fields.get(cursor.key)
    return [*_values(view, cursor, field)] if field is not None else []


def _rules(view: View, word: Span) -> Iterator[lsp.CompletionItem]:
    here = view.buffer.positions.range(word)
    for rule in all_rules():
        yield lsp.CompletionItem(
            rule.name,
            kind=lsp.CompletionItemKind.EnumMember,
            detail=rule.code,
            documentation=rule.summary,
            text_edit=lsp.TextEdit(here, rule.name),
        )


def _keys(view: View, cursor: Cursor) -> Iterator[lsp.CompletionItem]:
    """The keys that the file does not have yet."""
    subject, text = view.subject, view.buffer.text
    here = view.buffer.positions.range(cursor.word)
    current = text[cursor.word.start : cursor.word.end]
    present = subject.document.by_name.keys() - {current}
    rest = text[cursor.word.end : line_end(text, cursor.word.end)]
    colon = "" if rest.lstrip().startswith(":") else ": "
    for name, key in subject.kind.keys.items():
        if name not in present and not key.instead:
            role = ROLES[key.role]
            yield _item(name, here, f"{name}{colon}", lsp.CompletionItemKind.Property, role, order=f"1{name}")
    for name, field in subject.kind.fields.items():
        if name not in present and not field.instead:
            notes = "; ".join(filter(None, (field_meaning(field), *field_notes(field))))
            order = f"{0 if field.required else 2}{name}"
            item = _item(name, here, f"{name}{colon}", lsp.CompletionItemKind.Field, field_value(field), notes, order)
            yield item


def _values(view: View, cursor: Cursor, field: Field) -> Iterator[lsp.CompletionItem]:
    here = view.buffer.positions.range(cursor.word)
    for value, detail in dict(_possible(view.subject, field)).items():
        text = value if cursor.quoted or value in _BOOLEANS else quote(value, flow=cursor.form == "flow")
        if cursor.form == "csv" and field.type == ("list",):
            text = f"[{text}]" if not cursor.before.strip() else text
        blank = " " if cursor.form == "csv" and cursor.before == "" else ""
        yield _item(value, here, blank + text, lsp.CompletionItemKind.Value, detail)


def _possible(subject: Subject, field: Field) -> Iterator[tuple[str, str]]:
    yield from ((value, "") for value in field.values)
    if "boolean" in field.type and not field.values:
        yield from ((value, "") for value in _BOOLEANS)
    if field.meaning == "model":
        models = subject.harness.models
        names = (name for families in models.bare.values() for name in families.values())
        yield from ((name, "model") for name in filter(None, (models.inherit, *names)))
    if field.agents:
        yield from _named((*subject.harness.agents, *sorted(subject.known_agents)), "agent")
    if field.skills:
        yield from _named((*subject.harness.skills, *sorted(subject.known_skills)), "skill")
    if field.servers:
        yield from _named(sorted(subject.known_servers), "MCP server")


def _named(names: Iterable[str], what: str) -> Iterator[tuple[str, str]]:
    return ((name, what) for name in names)


def _item(
    label: str,
    here: lsp.Range,
    text: str,
    kind: lsp.CompletionItemKind,
    detail: str = "",
    notes: str = "",
    order: str | None = None,
) -> lsp.CompletionItem:
    return lsp.CompletionItem(
        label,
        kind=kind,
        detail=detail or None,
        documentation=notes or None,
        sort_text=order,
        text_edit=lsp.TextEdit(here, text),
    )
