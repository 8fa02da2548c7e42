"""Signal handling: stop at once, without a traceback, but never in the middle of writing a file."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
_MESSAGE = b"error: stopped\n"


class _Shield:
    """The number of writes in progress, and the signal received during them."""

    depth = 0
    pending = 0


def install() -> None:
    """Install the handlers, in the main thread; signals that the parent process had ignored stay ignored."""
    for name in _NAMES:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)


@contextmanager
def shielded() -> Iterator[None]:
    """Defer signals until the block is finished."""
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
    """Exit immediately: nothing needs cleanup, and the interrupted code must not continue."""
    try:
        os.write(2, _MESSAGE)
    finally:
        os._exit(128 + number)
