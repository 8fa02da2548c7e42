"""Generated copies of agents: the states that they can be in, and who knows them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from fsagent_lint._fast import NamedTuple


class State(StrEnum):
    CURRENT = "current"
    MISSING = "missing"
    STALE = "stale"
    EDITED = "edited by hand"
    FOREIGN = "not generated"
    ORPHAN = "orphaned"

    @property
    def remedy(self) -> str:
        """The command that makes the copy current."""
        if self is State.ORPHAN:
            return "fsagent-lint sync --prune"
        return "fsagent-lint sync --force" if self in (State.EDITED, State.FOREIGN) else "fsagent-lint sync"


class CopyProblem(NamedTuple):
    """A copy that is not what `sync` would write; paths are relative to the folder of the config."""

    path: str
    source: str
    state: State


class Copies(Protocol):
    """The copies that the config asks for; paths are as in `Target`."""

    def add_found(self, paths: Sequence[str]) -> None:
        """The files of the run: a problem is reported once, at the source or at the copy."""

    def problems(self, path: str, data: bytes) -> Sequence[CopyProblem]:
        """What is to be reported about a source or a copy with this content."""

    def owns(self, path: str, data: bytes) -> bool:
        """Is it a copy, or a file in the place of one?"""
