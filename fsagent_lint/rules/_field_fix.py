"""Field values that a harness does not take, written as it does."""

from __future__ import annotations

from fsagent_lint._fast import pattern
from fsagent_lint.agent.subject import Subject
from fsagent_lint.effect.fields import wrong_field
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.nodes import Entry, Scalar, Span
from fsagent_lint.frontmatter.quoting import quote
from fsagent_lint.frontmatter.values import Value, core
from fsagent_lint.harnesses.kind import COLORS, Field
from fsagent_lint.model.finding import Fix, Safety

_WORDS = {"yes": "true", "on": "true", "no": "false", "off": "false"}
_HIDDEN_COLOR = pattern(r"[ \t]*(#[0-9a-fA-F]{6})(?=[ \t]*(?:[\r\n]|\Z))")


def field_fix(subject: Subject, entry: Entry, field: Field) -> Fix | None:
    """A fix that keeps what was said; None where nothing that the harness takes says the same."""
    value = entry.value
    if not isinstance(value, Scalar) or value.marked:
        return None
    text = subject.document.source.text
    if value.start == value.end:
        hidden = _HIDDEN_COLOR.match(text, value.end)
        if field.meaning != "color" or hidden is None:
            return None
        # `color: #ff0000` is a comment to YAML.
        return _fix(entry, Span(value.end, hidden.end()), f' "{hidden[1]}"', hidden[1])
    now = core(value.value) if value.plain else value.value
    for candidate in _candidates(value.value, field):
        if type(candidate) is type(now) and candidate == now:
            continue  # the value is right, and what is wrong lies elsewhere
        if not wrong_field({entry.name or "": candidate}, entry.name or "", field):
            written = quote(candidate, '"') if isinstance(candidate, str) else value.value.strip()
            shown = str(candidate) if isinstance(candidate, str) else written
            if not isinstance(candidate, str) and value.value in _WORDS:
                written = shown = _WORDS[value.value]
            return _fix(entry, value.span, written, shown)
    return None


def _candidates(text: str, field: Field) -> list[Value]:
    found: list[Value] = [core(_WORDS.get(text, text))]
    if field.meaning == "color" and text.lower() in COLORS:
        found.append(COLORS[text.lower()])
    return found


def _fix(entry: Entry, span: Span, text: str, shown: str) -> Fix:
    return Fix(f"Write `{shown}`", (Edit(span, text),), Safety.SAFE, frozenset((entry.name or "",)))
