"""What one agent amounts to, in a few words: enough to compare it with others when its file is closed again."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.subject import Subject
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.model.tool import BUILTIN, HARMFUL


class Profile(NamedTuple):
    path: str
    harness: str
    kind: str
    name: str
    granted: frozenset[str]
    """Canonical tools that could do harm and that the running agent has."""
    chosen: frozenset[str]
    """Those of them that not every agent of its harness has."""
    possible: frozenset[str]
    """Those that its harness could give at all."""
    description: int
    """A hash of it, but for line ends; like the next one it means nothing to another run."""
    prompt: int
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
    entry = document.get("name")
    span = entry.value.span if entry is not None else document.opening_fence
    line, column, _, _, source_line = document.source.place(span)
    body = document.prompt.translate(None, b" \t\r\n")
    return Profile(
        document.source.path,
        harness.id,
        subject.kind_name,
        effect.name if subject.kind.identity == "name" else document.stem,
        *_harmful(harness, (*effect.tools, *effect.ask, *effect.conditional)),
        hash(_words(effect.data.get("description"))),
        hash(body),
        span,
        line,
        column,
        column + span.end - span.start,
        source_line,
    )


@lru_cache(maxsize=256)
def _harmful(harness: Harness, given: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Of the tools that can do harm: those that are given, those of them that are chosen, and all that there are."""
    chosen = [name for name in given if name not in harness.fixed_tools]

    def harmful(names: Iterable[str]) -> frozenset[str]:
        return frozenset(tool for name in names for tool in harness.tools[name].grants if BUILTIN[tool] in HARMFUL)

    return harmful(given), harmful(chosen), harmful(harness.tools)


def _words(value: Value) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
