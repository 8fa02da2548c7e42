"""The rules of .gitignore files, for trees that git cannot be asked about."""

from __future__ import annotations

import os

from fsagent_lint.files.globs import MAX_LENGTH, Glob
from fsagent_lint.files.read import UnreadableError, read_file

NAME = ".gitignore"
MAX_SIZE = 1024 * 1024


class Rules:
    """The rules of one folder, and those of the folders above it."""

    __slots__ = ("above", "globs", "skip")

    def __init__(self, globs: list[tuple[Glob, bool]], above: Rules | None, name: str) -> None:
        self.globs = globs  # with: does it ignore, or take back what another ignored?
        self.above = above
        self.skip = name  # of the folder, as the rules above see it

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """`path` is relative to the folder; the nearest rules are asked first, the last of a file wins."""
        rules: Rules | None = self
        while rules is not None:
            for glob, ignored in reversed(rules.globs):
                if glob.matches(path, is_folder=is_folder):
                    return ignored
            path = f"{rules.skip}/{path}"
            rules = rules.above
        return False


def load_rules(folder: str, above: Rules | None = None) -> Rules:
    """The rules that hold in a folder; `above` are those of the folder that it lies in."""
    try:
        text = read_file(f"{folder}/{NAME}")[:MAX_SIZE].decode("utf-8", "surrogateescape")
    except UnreadableError:
        text = ""
    globs = [rule for line in text.split("\n") if (rule := _parse_line(line)) is not None]
    return Rules(globs, above, os.path.basename(folder))


def load_all_rules(folder: str, root: str | None) -> Rules:
    """The rules that hold in a folder, from the root of its project down."""
    parent = os.path.dirname(folder)
    if root is None or folder == root or parent == folder:
        return load_rules(folder)
    return load_rules(folder, load_all_rules(parent, root))


def _parse_line(line: str) -> tuple[Glob, bool] | None:
    line = line.removesuffix("\r")
    stripped = line.rstrip(" ")
    if stripped.endswith("\\") and stripped != line:
        stripped += " "  # `\ ` at the end is a blank that counts
    if not stripped or stripped.startswith("#") or len(stripped) > MAX_LENGTH:
        return None
    ignored = not stripped.startswith("!")
    return Glob(stripped if ignored else stripped[1:]), ignored
