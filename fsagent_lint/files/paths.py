"""Paths as text: with slashes on every system, and relative to a folder."""

from __future__ import annotations

import os


def to_posix(path: str) -> str:
    return path if os.sep == "/" else path.replace(os.sep, "/")


def absolute(path: str) -> str:
    return to_posix(os.path.abspath(path))


def relative(path: str, folder: str) -> str | None:
    """A path relative to a folder, empty for the folder itself; None if it is outside the folder."""
    if path == folder:
        return ""
    prefix = folder.rstrip("/") + "/"
    return path[len(prefix) :] if path.startswith(prefix) else None
