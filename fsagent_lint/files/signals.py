"""Being told to stop: at once, without a traceback, but never in the middle of writing a file."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
_MESSAGE = b"error: stopped\n"


class _Shield:
    """How many writes are under way, and the signal that came meanwhile."""

    depth = 0
    pending = 0


def install() -> None:
    """For a program's main thread; what its parent has it ignore stays ignored."""
    for name in _NAMES:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)


@contextmanager
def shielded() -> Iterator[None]:
    """What happens in here is finished before a signal counts."""
    _Shield.depth += 1
    try:
        yield
    finally:
        _Shield.depth -= 1
        if _Shield.pending and not _Shield.depth:
            _leave(_Shield.pending)


def _stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the signature is Python's
    if _Shield.depth:
        _Shield.pending = number
    else:
        _leave(number)


def _leave(number: int) -> None:
    """Nothing is open that would have to be tidied up, and code that was interrupted must not go on."""
    try:
        os.write(2, _MESSAGE)
    finally:
        os._exit(128 + number)
