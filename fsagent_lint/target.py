"""The files to judge: candidates that a scan found, each real file once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from fsagent_lint.result import Problem

if TYPE_CHECKING:
    from fsagent_lint.harness import Harness


class Target(NamedTuple):
    """A file to judge; `path` is relative to the current folder where possible, with slashes."""

    path: str
    harness: str
    kind: str
    assumed: bool
    """The harness was told by the file's content."""


class Candidate(NamedTuple):
    target: Target
    real: str
    is_link: bool


def choose(candidates: Iterable[Candidate], harnesses: Sequence[Harness]) -> tuple[list[Target], list[Problem]]:
    """Each real file once, under its own name if that was found, else under that of the first link."""
    chosen: dict[str, Target] = {}
    problems: list[Problem] = []
    for target, real, _ in sorted(candidates, key=lambda candidate: (candidate.is_link, candidate.target.path)):
        first = chosen.setdefault(real, target)
        if not _serves(first, target.harness, harnesses):
            other = f"the same file as {first.path}, which is judged for {first.harness}"
            problems.append(Problem(target.path, f"{other}: one file cannot be written for {target.harness} too"))
    return sorted(chosen.values()), problems


def _serves(target: Target, harness: str, harnesses: Sequence[Harness]) -> bool:
    """Is a file of this sort meant for, or at least read by, the other harness?"""
    if harness == target.harness:
        return True
    kinds = next((each.kinds for each in harnesses if each.id == target.harness), {})
    kind = kinds.get(target.kind)
    return kind is not None and harness in (*kind.shared_with, *kind.read_by)
