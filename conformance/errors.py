"""What the person at the keyboard can do something about."""

from __future__ import annotations


class LabError(Exception):
    """Shown as one sentence; the command line then ends with 2."""
