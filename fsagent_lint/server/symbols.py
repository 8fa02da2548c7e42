"""The outline of a file: its agents, and the keys of each."""

from __future__ import annotations

from lsprotocol import types as lsp

from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.frontmatter.nodes import Entry, Span
from fsagent_lint.report.escape import escape
from fsagent_lint.server.positions import Positions
from fsagent_lint.server.workspace import View


def symbols(view: View) -> list[lsp.DocumentSymbol]:
    subject, positions = view.subject, view.buffer.positions
    members = [part for part in subject.parts if part.sort is Sort.MEMBER and part.title]
    if not members:
        return [_agent(subject, positions)] if subject.document.entries else []
    return [_agent(part, positions) for part in members]


def _agent(part: Subject, positions: Positions) -> lsp.DocumentSymbol:
    entries = part.document.entries
    name, fence = part.document.get("name"), part.document.opening_fence
    shown = name.value.span if name is not None else fence
    start = min(fence.start, *(entry.start for entry in entries), shown.start)
    end = max(fence.end, *(entry.end for entry in entries), shown.end)
    return lsp.DocumentSymbol(
        name=escape(part.title or part.name) or "agent",
        detail=part.kind_name,
        kind=lsp.SymbolKind.Class,
        range=positions.range(Span(start, end)),
        selection_range=positions.range(shown),
        children=[_key(entry, positions) for entry in entries if entry.name],
    )


def _key(entry: Entry, positions: Positions) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=escape(entry.name or ""),
        kind=lsp.SymbolKind.Property,
        range=positions.range(entry.span),
        selection_range=positions.range(entry.key.span),
    )
