"""What each harness that reads the file grants the agent, in a line above or behind its tool key."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from fsagent_lint.agent.explain import explain
from fsagent_lint.agent.profile import AGENTS
from fsagent_lint.agent.subject import Subject
from fsagent_lint.frontmatter.lines import line_end
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.report.explanation import brief_effect
from fsagent_lint.server.hover import explanation
from fsagent_lint.server.workspace import View


def code_lenses(view: View) -> list[lsp.CodeLens]:
    positions = view.buffer.positions
    return [lsp.CodeLens(positions.range(span), lsp.Command(title=text, command="")) for span, text, _ in _hints(view)]


def inlay_hints(view: View, selection: lsp.Range) -> list[lsp.InlayHint]:
    positions, wanted = view.buffer.positions, view.buffer.positions.span(selection)
    return [
        lsp.InlayHint(positions.position(end), text, padding_left=True, tooltip=explanation(part))
        for span, text, part in _hints(view)
        if wanted.start <= (end := line_end(view.buffer.text, span.start)) <= wanted.end
    ]


def _hints(view: View) -> Iterator[tuple[Span, str, Subject]]:
    for part in view.subject.parts:
        if part.kind_name in AGENTS and (text := _summary(part)):
            values = part.values
            yield values[0].entry.key.span if values else part.document.opening_fence, text, part


def _summary(subject: Subject) -> str:
    readers = explain(subject, ())["readers"]
    return " · ".join(
        f"{harness.title}: {brief_effect(effect, harness.default_tools)}"
        for harness, effect in ((get_harness(id), effect) for id, effect in readers.items())
    )
