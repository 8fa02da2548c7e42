"""The rules of .gitignore files, for trees where git cannot be used."""

from __future__ import annotations

import os

from fsagent_lint.files.border import UnreadableError
from fsagent_lint.files.globs import MAX_LENGTH, Glob
from fsagent_lint.files.read import read_status

NAME = ".gitignore"
MAX_SIZE = 1024 * 1024


class IgnoreRules:
    """The rules of one folder, linked to those of its parent folder."""

    __slots__ = ("folder_name", "globs", "parent")

    def __init__(self, globs: list[tuple[Glob, bool]], parent: IgnoreRules | None, folder_name: str) -> None:
        self.globs = globs  # each with True to ignore, False to include again (`!`)
        self.parent = parent
        self.folder_name = folder_name  # prefixed to paths for the parent's rules

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """`path` is relative to the folder; the nearest rules take precedence, and in a file the last match wins."""
        rules: IgnoreRules | None = self
        while rules is not None:
            for glob, ignored in reversed(rules.globs):
                if glob.matches(path, is_folder=is_folder):
                    return ignored
            path = f"{rules.folder_name}/{path}"
            rules = rules.parent
        return False


def load_rules(folder: str, parent: IgnoreRules | None = None) -> IgnoreRules:
    """The rules that apply in a folder; `parent`: those of its parent folder. Like git, follows no link."""
    try:
        text = read_status(f"{folder}/{NAME}")[0][:MAX_SIZE].decode("utf-8", "surrogateescape")
    except UnreadableError:
        text = ""
    globs = [rule for line in text.split("\n") if (rule := _parse_line(line)) is not None]
    return IgnoreRules(globs, parent, os.path.basename(folder))


def load_all_rules(folder: str, root: str | None) -> IgnoreRules:
    """The rules that apply in a folder, from the root of its project down."""
    parent_folder = os.path.dirname(folder)
    if root is None or folder == root or parent_folder == folder:
        return load_rules(folder)
    return load_rules(folder, load_all_rules(parent_folder, root))


def _parse_line(line: str) -> tuple[Glob, bool] | None:
    line = line.removesuffix("\r")
    stripped = line.rstrip(" ")
    if stripped.endswith("\\") and stripped != line:
        stripped += " "  # an escaped trailing space is significant
    if not stripped or stripped.startswith("#") or len(stripped) > MAX_LENGTH:
        return None
    ignored = not stripped.startswith("!")
    return Glob(stripped if ignored else stripped[1:]), ignored
