"""A summary of one agent: enough to compare it with others after its file is closed."""

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
    program: str
    """A file with several agents: other files with agents of the same names are no rivals."""
    name: str
    granted: frozenset[str]
    """Harmful canonical tools that the running agent is granted."""
    chosen: frozenset[str]
    """Those of them that not every agent of the harness has."""
    possible: frozenset[str]
    """All harmful tools that the harness could grant."""
    description: int
    """A hash of the description without its line endings; like `prompt`, it is only comparable within one run."""
    prompt: int
    """A hash of the body without its blanks."""
    span: Span
    line: int
    column: int
    end_column: int
    source_line: str


def profile(subject: Subject) -> Profile | None:
    """None for a file that its harness does not load: other rules report that."""
    effect = subject.effect
    if subject.kind_name not in ("agent", "chatmode", "mode") or not effect.loads or subject.amends:
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
        subject.store,
        effect.name if subject.kind.identity == "name" else document.stem,
        *_harmful(harness, (*effect.tools, *effect.ask, *effect.conditional)),
        hash(_single_spaced(effect.data.get("description"))),
        hash(body),
        span,
        line,
        column,
        column + span.end - span.start,
        source_line,
    )


@lru_cache(maxsize=256)
def _harmful(harness: Harness, natives: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Of the harmful tools: those that are granted, those of them that are chosen, and all that exist."""
    chosen = [name for name in natives if name not in harness.fixed_tools]

    def harmful(names: Iterable[str]) -> frozenset[str]:
        return frozenset(tool for name in names for tool in harness.tools[name].grants if BUILTIN[tool] in HARMFUL)

    return harmful(natives), harmful(chosen), harmful(harness.tools)


def _single_spaced(value: Value) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
