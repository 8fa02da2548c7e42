"""What one agent amounts to, in a few words: enough to compare it with others when its file is closed again."""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

from fsagent_lint.source import Span
from fsagent_lint.subject import Subject
from fsagent_lint.tool import BUILTIN, HARMFUL
from fsagent_lint.values import Value


class Profile(NamedTuple):
    path: str
    harness: str
    kind: str
    name: str
    granted: frozenset[str]
    """Canonical tools that could do harm and that the running agent has."""
    possible: frozenset[str]
    """Those that its harness could give at all."""
    description: str
    prompt: str
    """A hash of the body, but for blanks."""
    span: Span
    line: int
    column: int
    end_column: int
    source_line: str


def profile(subject: Subject) -> Profile | None:
    """None for a file that its harness does not load: other rules say so."""
    effect = subject.effect
    if subject.kind_name not in ("agent", "chatmode", "mode") or not effect.loads:
        return None
    harness, document = subject.harness, subject.document
    given = {*effect.tools, *effect.ask, *effect.conditional}
    entry = document.get("name")
    span = Span(entry.value.start, entry.value.end) if entry is not None else document.opening_fence
    line, column = document.source.position(span.start)
    body = re.sub(rb"\s+", b" ", document.source.data[document.source.body :]).strip()
    return Profile(
        document.source.path,
        harness.id,
        subject.kind_name,
        effect.name if subject.kind.identity == "name" else document.stem,
        _harmful(tool for native in given for tool in harness.tools[native].grants),
        _harmful(tool for facts in harness.tools.values() for tool in facts.grants),
        _words(effect.data.get("description")),
        hashlib.sha256(body).hexdigest()[:16],
        span,
        line,
        column,
        column + span.end - span.start,
        document.source.line_at(span.start),
    )


def _harmful(tools: object) -> frozenset[str]:
    return frozenset(tool for tool in tools if BUILTIN[tool] in HARMFUL)  # type: ignore[attr-defined]


def _words(value: Value) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
