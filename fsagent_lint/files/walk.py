"""Walk a folder without git: follow no links, skip dependencies and caches, honour .gitignore."""

from __future__ import annotations

import os
from collections.abc import Iterator

from fsagent_lint.files.border import Border, PathError, describe_error
from fsagent_lint.files.gitignore import NAME, IgnoreRules, load_all_rules, load_rules
from fsagent_lint.files.names import is_git
from fsagent_lint.files.paths import to_posix

PRUNED = frozenset(
    (
        *(".hg", ".svn", ".jj", "node_modules", "bower_components", ".yarn", ".pnpm-store", ".next", ".nuxt"),
        *(".venv", "venv", ".tox", ".nox", ".eggs", "site-packages", "__pycache__", ".hypothesis", ".cache"),
        *(".mypy_cache", ".pytest_cache", ".ruff_cache", ".parcel-cache", ".turbo", ".gradle", ".terraform"),
    )
)


def is_pruned(name: str) -> bool:
    """Is it the folder of a cache, of dependencies, or of version control?"""
    return name in PRUNED or is_git(name)


def walk(folder: str, root: str | None, warnings: list[str], suffix: str | tuple[str, ...] = ".md") -> Iterator[str]:
    """Paths below a folder that end in `suffix`, relative to it; `root`: where the project and its ignore rules start."""
    pending = [("", load_all_rules(folder, root))]
    while pending:
        prefix, rules = pending.pop()
        try:
            with os.scandir(f"{folder}/{prefix}") as entries:
                found = {entry.name: entry for entry in entries}
        except OSError as error:
            warnings.append(f"could not open directory '{prefix}': {describe_error(error)}")
            continue
        if prefix and "pyvenv.cfg" in found:
            continue
        if prefix and NAME in found:
            rules = load_rules(f"{folder}/{prefix[:-1]}", rules.parent)
        for name, entry in found.items():
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder and not name.endswith(suffix):
                continue
            if is_pruned(name) or rules.ignores(name, is_folder=is_folder):
                continue
            if is_folder:
                pending.append((f"{prefix}{name}/", IgnoreRules([], rules, name)))
            if name.endswith(suffix):  # folders too: one may be where an agent file is expected
                yield prefix + name


def markdown_below(home: str, border: Border, root: str, *, deep: bool, limit: int) -> Iterator[str]:
    """The markdown files in a folder of a project, ignored ones included; `deep`: also in the folders below."""
    try:
        border.check_folder(home, root)
    except PathError:
        return
    for folder, folders, files in os.walk(home):
        folders[:] = sorted(name for name in folders if not is_git(name)) if deep else []
        for name in sorted(files):
            if name.endswith(".md"):
                if limit <= 0:
                    return
                limit -= 1
                yield to_posix(f"{folder}/{name}")


def odd_files(folder: str, suffix: str) -> Iterator[str]:
    """The names of pipes, sockets and folders that are called like files, which git does not list."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(suffix) and not entry.is_symlink() and not entry.is_file():
                    yield entry.name
    except OSError:
        return  # deleted since it was listed
