"""How a caller follows a run over many files, and ends it early."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.project.target import Target

Progress = Callable[[int, int, str], object]
"""Called after each file with the number of files done, the number of all files, and the path."""


class Watch(NamedTuple):
    progress: Progress | None = None
    cancelled: Callable[[], bool] | None = None
    """Asked before each file; True ends the run, and what is done so far is its result."""

    def over(self, targets: Sequence[Target]) -> Iterator[Target]:
        """The targets, one after another; whoever asks for the next one has done the one before."""
        for done, target in enumerate(targets, 1):
            if self.cancelled is not None and self.cancelled():
                return
            yield target
            if self.progress is not None:
                self.progress(done, len(targets), target.path)


UNWATCHED = Watch()
