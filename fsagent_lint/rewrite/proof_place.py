"""The proof for the place: every harness that reads a folder, not only the one that a file is written for."""

from __future__ import annotations

from collections.abc import Iterable

from fsagent_lint.agent.readers import Reader, has_tools
from fsagent_lint.agent.widening import Bounds, accepted, grants, in_words, wider
from fsagent_lint.effect.effect import Effect
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.harnesses.harness import Harness


def place_problem(
    after: Document,
    readers: Iterable[Reader],
    bounds: Bounds,
    accept: frozenset[str],
    *,
    before: Document | None = None,
    had_tools: bool = False,
) -> str:
    """Which reader of a place grants more than was meant, or nothing any more; empty if none does.

    `before`: the file that is replaced; without one, `had_tools`: does the harness grant tools that it is written for?
    """
    for reader in readers:
        harness, new = reader.harness, reader.effect(after)
        old = reader.effect(before) if before is not None else None
        if more := [tool for tool in _gained(old, new, harness, bounds) if not accepted(tool, harness, bounds, accept)]:
            return f"{harness.title} also reads the file, and would grant {in_words(more)}"
        if "*" in accept:
            continue
        if not new.loads and (old is None or old.loads):
            return f"{harness.title} also reads the file, and would not load it: {new.error}"
        had = has_tools(old, harness) if old is not None else had_tools
        if had and new.loads and not has_tools(new, harness):
            return f"{harness.title} also reads the file, and would grant no tools"
    return ""


def _gained(old: Effect | None, new: Effect, harness: Harness, bounds: Bounds) -> tuple[str, ...]:
    """The native tools beyond the intent that a reader did not grant before."""
    return wider(new, harness, bounds, known=grants(old) if old is not None else frozenset())
