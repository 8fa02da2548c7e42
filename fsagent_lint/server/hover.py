"""Hover: what a tool does, what a key gives the agent in each harness that reads the file, and what a field means."""

from __future__ import annotations

import re

from lsprotocol import types as lsp

from fsagent_lint.agent.explain import distances, explain
from fsagent_lint.agent.readers import readers_of
from fsagent_lint.agent.subject import Subject
from fsagent_lint.effect.describe import ROLES, code, field_meaning, field_notes, field_value, key_notes
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import all_harnesses
from fsagent_lint.project.tool_registry import tool_pages
from fsagent_lint.report.escape import MESSAGE, escape
from fsagent_lint.report.explanation import render_explanation
from fsagent_lint.server.completion.tools import tools_of
from fsagent_lint.server.workspace import View


def hover(view: View, offset: int) -> lsp.Hover | None:
    for part in view.subject.parts[::-1]:
        found = _tool(view, part, offset) or _tool_key(part, offset) or _field(part, offset)
        if found is not None:
            text, span = found
            content = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
            return lsp.Hover(content, view.buffer.positions.range(span))
    return None


def _covers(span: Span, offset: int) -> bool:
    return span.start <= offset <= span.end


def _tool(view: View, subject: Subject, offset: int) -> tuple[str, Span] | None:
    values = (*subject.values, *subject.misplaced)
    item = next((item for value in values for item in value.items if _covers(item.span, offset)), None)
    if item is None:
        return None
    tools = subject.meaning(item.name).tools
    registry = tools_of(view)
    entries = [entry for entry in registry.all() if any(entry.tool.covers(tool) for tool in tools)]
    harnesses = [each for each in all_harnesses() if not each.neutral]
    pages = []
    for page in tool_pages(entries, harnesses):
        rows = [
            f"| {harness.title} | {', '.join(map(code, names)) if names else '–'} |"
            for harness in harnesses
            if (names := page.names[harness.full_id][0]) or harness is subject.harness
        ]
        origins = "".join(f" · defined in {code(escape(each))}" for each in page.origins if each != "built in")
        title = f"**{escape(str(page.tool))}** · {page.risk}{origins}"
        pages.append("\n\n".join(filter(None, (title, page.description, "\n".join(["| | |", "| --- | --- |", *rows])))))
    return ("\n\n---\n\n".join(pages), item.span) if pages else None


def _tool_key(subject: Subject, offset: int) -> tuple[str, Span] | None:
    value = next((each for each in subject.values if _covers(each.entry.key.span, offset)), None)
    if value is None:
        return None
    facts = subject.kind.keys[value.key]
    notes = " ".join([f"{ROLES[facts.role].capitalize()}.", *key_notes(facts)])
    return (
        f"**{value.key}** · {subject.harness.title}: {notes}\n\n{_fenced(explanation(subject))}",
        value.entry.key.span,
    )


def explanation(subject: Subject) -> str:
    """What each harness that reads the file grants the agent, compared with what was intended."""
    harnesses = list({reader.harness: None for reader in readers_of(subject.document.source.path)}) or [subject.harness]
    found = explain(subject, harnesses)
    return render_explanation(found, subject.intent.policy, distances(subject, harnesses)).partition("\n")[2]


def _field(subject: Subject, offset: int) -> tuple[str, Span] | None:
    entry = next((each for each in subject.document.entries if _covers(each.span, offset)), None)
    facts = subject.kind.fields.get(entry.name or "") if entry is not None else None
    if entry is None or facts is None:
        return None
    notes = "; ".join(filter(None, (field_meaning(facts), *field_notes(facts))))
    lines = [
        f"**{entry.name}** · {subject.harness.title}: {field_value(facts)}",
        f"{notes[:1].upper()}{notes[1:]}{'.' if notes else ''}",
        source(subject.harness),
    ]
    return "\n\n".join(filter(None, lines)), entry.key.span


def source(harness: Harness) -> str:
    """Where the facts about a harness come from."""
    when = f", verified {harness.verified}" if harness.verified else ""
    where = f": <{harness.sources[0]}>" if harness.sources else ""
    return f"_{harness.title} {harness.shown_version}{when}{where}_".replace(" ,", ",")


def _fenced(text: str) -> str:
    """As a block of code, which nothing in it can close."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{escape_lines(text)}\n{fence}"


def escape_lines(text: str) -> str:
    return "\n".join(escape(line, MESSAGE) for line in text.rstrip("\n").split("\n"))
