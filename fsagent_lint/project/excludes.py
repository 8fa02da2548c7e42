"""Which files the config excludes, entirely or for some rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsagent_lint.files.globs import Glob
from fsagent_lint.files.paths import relative, to_posix

if TYPE_CHECKING:
    from fsagent_lint.project.settings import Settings


class Excluded:
    """What `exclude` leaves out, whether found or named: a pre-commit hook names every file that it checks."""

    def __init__(self, settings: Settings) -> None:
        self.folder = to_posix(settings.folder)
        self.globs = [Glob(pattern) for pattern in settings.exclude]

    def covers(self, path: str) -> bool:
        """`path` is absolute."""
        inside = relative(path, self.folder) if self.globs else None
        return inside is not None and any(glob.covers(inside) for glob in self.globs)


class PerFileIgnores:
    """The rules that `per-file-ignores` disables for a file."""

    def __init__(self, settings: Settings) -> None:
        self.folder = to_posix(settings.folder)
        self.entries = [(Glob(pattern), codes) for pattern, codes in settings.per_file_ignores.items()]

    def codes(self, path: str) -> frozenset[str]:
        """Codes and names as in the config; `path` is absolute."""
        inside = relative(path, self.folder) if self.entries else None
        if inside is None:
            return frozenset()
        return frozenset(code for glob, codes in self.entries if glob.covers(inside) for code in codes)
