"""Reports progress: how many probes are done, the time that is left, and the failures."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

INTERVAL = 15.0
"""Seconds between two reports."""


@dataclass
class Progress:
    total: int
    say: Callable[[str], None]
    clock: Callable[[], float] = time.monotonic
    done: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    """The reason for each failure, and the probe."""

    def __post_init__(self) -> None:
        self._started = self._reported = self.clock()

    def step(self, failure: str = "", probe: str = "") -> None:
        """Count one more probe. A failure is reported at once, but each reason only once."""
        self.done += 1
        if failure:
            if all(failure != known for known, _ in self.failed):
                self.say(f"{probe} could not be observed: {failure}")
            self.failed.append((failure, probe))
        now = self.clock()
        if now - self._reported >= INTERVAL:
            self._reported = now
            left = (now - self._started) / self.done * (self.total - self.done)
            self.say(f"  {self.done} of {self.total}, about {duration(left)} left")


def duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
