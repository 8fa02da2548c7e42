"""Walk a folder without git: follow no links, skip dependencies and caches, honour .gitignore."""

from __future__ import annotations

import os
from collections.abc import Iterator

from fsagent_lint.files.gitignore import NAME, IgnoreRules, load_all_rules, load_rules
from fsagent_lint.files.read import describe_error

PRUNED = frozenset(
    (
        *(".git", ".hg", ".svn", ".jj", "node_modules", "bower_components", ".yarn", ".pnpm-store", ".next", ".nuxt"),
        *(".venv", "venv", ".tox", ".nox", ".eggs", "site-packages", "__pycache__", ".hypothesis", ".cache"),
        *(".mypy_cache", ".pytest_cache", ".ruff_cache", ".parcel-cache", ".turbo", ".gradle", ".terraform"),
    )
)


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
            if name in PRUNED or rules.ignores(name, is_folder=is_folder):
                continue
            if is_folder:
                pending.append((f"{prefix}{name}/", IgnoreRules([], rules, name)))
            if name.endswith(suffix):  # folders too: one may be where an agent file is expected
                yield prefix + name
