"""What depends on the terminal: colour, and the progress of a long run."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from fsagent_lint.project.target import Progress

_PATIENCE = 1.0
"""After how many seconds a run shows its progress."""
_ERASE_LINE_ABOVE = "\x1b[1A\x1b[2K"


def wants_color(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or is_terminal(stream)


def is_terminal(stream: TextIO) -> bool:
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def terminal_columns(stream: TextIO) -> int:
    """The width of the terminal that a stream writes to; 0 if it is not a terminal."""
    try:
        return os.get_terminal_size(stream.fileno()).columns if is_terminal(stream) else 0
    except (OSError, ValueError):
        return 0


def painted(diff: str, stream: TextIO) -> str:
    """A diff, in colour if the stream takes it."""
    if not diff or not wants_color(stream):
        return diff
    from fsagent_lint.report.diff import paint

    return paint(diff)


@contextmanager
def progress_bar(*, quiet: bool = False, patience: float = _PATIENCE) -> Iterator[Progress | None]:
    """A function that shows on standard error how many files are done, if a person watches and the run takes long.

    The bar is gone when the run ends. None if nothing must be shown: not on a terminal, in CI, or with `quiet`.
    """
    if quiet or os.environ.get("CI") or not is_terminal(sys.stderr):
        yield None
        return
    begin = monotonic()
    bar: Any = None

    def show(done: int, total: int, path: str) -> None:  # noqa: ARG001
        nonlocal bar
        if bar is not None:
            bar.update(1)
        elif monotonic() - begin >= patience:
            bar = _start_bar(done, total)

    try:
        yield show
    finally:
        if bar is not None:
            bar.render_finish()
            sys.stderr.write(_ERASE_LINE_ABOVE)
            sys.stderr.flush()


def _start_bar(done: int, total: int) -> Any:
    import click

    bar: Any = click.progressbar(length=total, label="Checking", file=sys.stderr, update_min_steps=max(total // 200, 1))
    bar.__enter__()
    bar.update(done)
    return bar
