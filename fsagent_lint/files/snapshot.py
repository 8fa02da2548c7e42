"""Files of an older revision, laid out in a temporary folder, so that they are read as those of the project are."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from fsagent_lint._fast import NamedTuple
from fsagent_lint.errors import UserError
from fsagent_lint.files.border import find_root, real
from fsagent_lint.files.git import Stored, stored_files
from fsagent_lint.files.names import is_git, name_problem
from fsagent_lint.files.paths import absolute, relative
from fsagent_lint.files.read import exists, read_file


class Snapshot(NamedTuple):
    """`files`: relative to the current folder; `left_out`: files whose names cannot be written."""

    files: tuple[str, ...]
    left_out: tuple[str, ...]


@contextmanager
def at_revision(since: str, is_wanted: Callable[[str], bool], keep: Sequence[str] = ()) -> Iterator[Snapshot]:
    """Within this context, the current folder is the same one as it was at the merge base with a revision.

    Only wanted files are there. `keep`: files that are as they are now. The current folder belongs to the whole process.
    """
    here = absolute(".")
    root = find_root(real(here))
    if root is None:
        raise UserError("--since needs git: the current folder is not in a repository.")
    inside = relative(real(here), root) or ""
    now = [(name, read_file(path)) for path in keep if (name := relative(real(absolute(path)), root)) is not None]
    with tempfile.TemporaryDirectory(prefix="fsagent-lint-") as folder:
        top = real(folder)
        os.makedirs(f"{top}/.git")  # the border of a project
        os.makedirs(f"{top}/{inside}", exist_ok=True)
        _write(top, (Stored(*each) for each in now))
        names, left_out = _write(top, stored_files(root, since, is_wanted))
        files = [found for name in names if (found := relative(name, inside) if inside else name) is not None]
        try:
            os.chdir(f"{top}/{inside}")
            yield Snapshot(tuple(files), tuple(left_out))
        finally:
            os.chdir(here)


def _write(top: str, files: Iterable[Stored]) -> tuple[list[str], list[str]]:
    """The names of the files that were written, and of those that were not."""
    written, left_out = [], []
    for name, data in files:
        path = f"{top}/{name}"
        if not _is_plain(name) or exists(path):  # names that differ in letter case alone may be one file
            left_out.append(name)
            continue
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "xb") as file:
                file.write(data)
            written.append(name)
        except OSError:
            left_out.append(name)
    return written, left_out


def _is_plain(name: str) -> bool:
    """Does a path from a tree, which may be damaged, stay in the folder?"""
    parts = name.split("/")
    if os.name == "nt":
        return not any(map(name_problem, parts))
    return not any(part in ("", ".", "..") or is_git(part) for part in parts)
