"""Names that some disk or system takes for something else: one name of a path, whatever system this one is."""

from __future__ import annotations

import re

from fsagent_lint._fast import pattern

MAX_BYTES = 255
_GIT = frozenset((".git", "git~1"))
_DEVICE = pattern(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:[.:].*)?", re.IGNORECASE | re.DOTALL)
_FORBIDDEN = frozenset('<>:"/\\|?*')


def is_git(name: str) -> bool:
    """Is it `.git`, or would a disk of Windows or macOS find `.git` by this name?"""
    if not name.isascii():
        from unicodedata import category

        name = "".join(each for each in name if category(each) != "Cf")  # macOS takes no notice of them
    return name.partition(":")[0].rstrip(" .").lower() in _GIT


def name_problem(name: str) -> str:
    """Why a file cannot have this name on every system; empty if it can."""
    from unicodedata import category

    if not name.strip(". "):
        return "is not a valid name"
    if is_git(name):
        return "is reserved for git"
    if _DEVICE.fullmatch(name):
        return "is a device name on Windows"
    if name[-1] in ". ":
        return "ends in a dot or a blank, which Windows removes"
    if any(each in _FORBIDDEN or category(each)[0] == "C" for each in name):
        return "has characters that some systems do not allow"
    if len(name.encode("utf-8", "surrogateescape")) > MAX_BYTES:
        return f"is longer than {MAX_BYTES} bytes"
    return ""


def fold(path: str) -> str:
    """The same for all paths that are one file on a disk that ignores case and how an accent is written."""
    from unicodedata import normalize

    return normalize("NFC", normalize("NFD", path).casefold())
