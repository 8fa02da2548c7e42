"""The files to check: candidates that a scan found, each real file once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from fsagent_lint._fast import NamedTuple
from fsagent_lint.files.read import read_status
from fsagent_lint.model.result import Problem

if TYPE_CHECKING:
    from fsagent_lint.harnesses.harness import Harness


class Target(NamedTuple):
    """A file to check; `path` is relative to the current folder where possible, with slashes."""

    path: str
    harness: str
    """Empty if it is unclear."""
    kind: str
    assumed: bool
    """The harness is a guess from the file's content."""
    real: str = ""
    """The file behind the path, if that is a link; it has been found to lie in the project."""
    unsure: bool = False
    """The content fits another harness nearly as well."""

    @property
    def file(self) -> str:
        """The file to read and to write."""
        return self.real or self.path


def read_target(target: Target) -> bytes:
    """The bytes of a file that was found; one that has become a link since is not read."""
    return read_status(target.file)[0]


class Candidate(NamedTuple):
    target: Target
    real: str
    is_link: bool


def choose_targets(candidates: Iterable[Candidate], harnesses: Sequence[Harness]) -> tuple[list[Target], list[Target]]:
    """Each real file once, under its own path if that was found, else under that of the first link; and its twins.

    A link that determines the harness is preferred to a path that does not. A twin is a link to a chosen file for a
    harness that does not read the file there: it is checked for that harness, too, but not fixed.
    """
    chosen: dict[str, Target] = {}
    twins: list[Target] = []
    for target, real, _ in sorted(candidates, key=_preference):
        first = chosen.setdefault(real, target)
        if not target.assumed and not _serves(first, target.harness, harnesses):
            twins.append(target)
    return sorted(chosen.values()), sorted(twins)


def _preference(candidate: Candidate) -> tuple[bool, bool, bool, str]:
    target = candidate.target
    return not target.harness, target.assumed, candidate.is_link, target.path


def split_unclear(targets: Iterable[Target]) -> tuple[list[Target], list[Problem]]:
    """The files whose harness is known, and a problem for each of the others."""
    problem = "several harnesses read this folder; set its harness with --from, or with `[[paths]]` in the config"
    known, unclear = [], []
    for target in targets:
        if target.harness:
            known.append(target)
        else:
            unclear.append(Problem(target.path, problem))
    return known, unclear


def _serves(target: Target, harness: str, harnesses: Sequence[Harness]) -> bool:
    """Is the file written for, or at least read by, the other harness?"""
    if harness in (target.harness, ""):
        return True
    kinds = next((each.kinds for each in harnesses if each.id == target.harness), {})
    kind = kinds.get(target.kind)
    return kind is not None and harness in (*kind.shared_with, *kind.read_by)


Progress = Callable[[int, int, str], object]
"""Called after each file with the number of files done, the number of all files, and the path."""


class Watch(NamedTuple):
    progress: Progress | None = None
    cancelled: Callable[[], bool] | None = None
    """Called before each file; True ends the run with the results so far."""

    def over(self, targets: Sequence[Target]) -> Iterator[Target]:
        """The targets one by one; asking for the next one means that the previous one is done."""
        for done, target in enumerate(targets, 1):
            if self.cancelled is not None and self.cancelled():
                return
            yield target
            if self.progress is not None:
                self.progress(done, len(targets), target.path)


UNWATCHED = Watch()
