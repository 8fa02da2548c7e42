"""What depends on the terminal: colour."""

from __future__ import annotations

import os
from typing import TextIO


def wants_color(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")


def painted(diff: str, stream: TextIO) -> str:
    """A diff, in colour if the stream takes it."""
    if not diff or not wants_color(stream):
        return diff
    from fsagent_lint.report.diff import paint

    return paint(diff)
