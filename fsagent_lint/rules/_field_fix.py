"""Fixes for field values that the harness does not accept."""

from __future__ import annotations

from fsagent_lint._fast import pattern
from fsagent_lint.agent.subject import Subject
from fsagent_lint.effect.fields import field_problem
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.nodes import Entry, Scalar, Span
from fsagent_lint.frontmatter.quoting import quote
from fsagent_lint.frontmatter.values import Value, core
from fsagent_lint.harnesses.kind import COLORS, Field
from fsagent_lint.model.finding import Fix, Safety

_WORDS = {"yes": "true", "on": "true", "no": "false", "off": "false"}
_HIDDEN_COLOR = pattern(r"[ \t]*(#[0-9a-fA-F]{6})(?=[ \t]*(?:[\r\n]|\Z))")


def field_fix(subject: Subject, entry: Entry, field: Field) -> Fix | None:
    """A fix that keeps the meaning; None where no value that the harness accepts means the same."""
    value = entry.value
    if not isinstance(value, Scalar) or value.marked:
        return None
    source = subject.document.source.text
    if value.start == value.end:
        hidden = _HIDDEN_COLOR.match(source, value.end)
        if field.meaning != "color" or hidden is None:
            return None
        # `color: #ff0000` is a comment to YAML.
        return _fix(entry, Span(value.end, hidden.end()), f' "{hidden[1]}"', hidden[1])
    current = core(value.value) if value.plain else value.value
    for candidate in _candidates(value.value, field):
        if type(candidate) is type(current) and candidate == current:
            continue  # this value is right already; the problem is another one
        if not field_problem({entry.name or "": candidate}, entry.name or "", field):
            text = quote(candidate, '"') if isinstance(candidate, str) else value.value.strip()
            shown = str(candidate) if isinstance(candidate, str) else text
            if not isinstance(candidate, str) and value.value in _WORDS:
                text = shown = _WORDS[value.value]
            return _fix(entry, value.span, text, shown)
    return None


def _candidates(text: str, field: Field) -> list[Value]:
    found: list[Value] = [core(_WORDS.get(text, text))]
    if field.meaning == "color" and text.lower() in COLORS:
        found.append(COLORS[text.lower()])
    return found


def _fix(entry: Entry, span: Span, text: str, shown: str) -> Fix:
    return Fix(f"Write `{shown}`", (Edit(span, text),), Safety.SAFE, frozenset((entry.name or "",)))
