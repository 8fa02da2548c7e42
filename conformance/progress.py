"""What a person who waits is told: how far it is, how long it will take, and what went wrong."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

PAUSE = 15.0
"""Seconds between two reports."""


@dataclass
class Progress:
    total: int
    say: Callable[[str], None]
    clock: Callable[[], float] = time.monotonic
    done: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    """Why something could not be observed, and the probe."""

    def __post_init__(self) -> None:
        self._began = self._said = self.clock()

    def step(self, failure: str = "", probe: str = "") -> None:
        """One more was tried. A failure is said at once, and once for all that have the same."""
        self.done += 1
        if failure:
            if all(failure != known for known, _ in self.failed):
                self.say(f"{probe} could not be observed: {failure}")
            self.failed.append((failure, probe))
        now = self.clock()
        if now - self._said >= PAUSE:
            self._said = now
            left = (now - self._began) / self.done * (self.total - self.done)
            self.say(f"  {self.done} of {self.total}, about {duration(left)} left")


def duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
