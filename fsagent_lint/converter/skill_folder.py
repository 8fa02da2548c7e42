"""A skill is a folder: the scripts, references and assets beside its SKILL.md are copied with it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from fsagent_lint.files.border import real
from fsagent_lint.files.paths import relative
from fsagent_lint.files.tree import HAS_MODES, Tree, TreeFile, read_tree
from fsagent_lint.files.write import create, create_link, existing_file, existing_link
from fsagent_lint.model.finding import Consequence
from fsagent_lint.model.loss import LossKind, ReportedLoss
from fsagent_lint.report.diff import diff
from fsagent_lint.report.escape import escape

KIND = "skill"
MAIN_FILE = "SKILL.md"
MANIFEST = ".fsagent-lint-copies"
"""The list of the files that `sync` has copied into the folder of a skill."""


def read_companions(source: str, destination: str) -> Tree:
    """What is copied with the skill in the file `source` into the folder `destination`."""
    folder, name = os.path.split(source)
    if name.lower() != MAIN_FILE.lower():
        return Tree()
    if relative(real(destination), real(folder)) is not None:
        return Tree(left_out=(("", f"contains {destination}"),))
    return read_tree(folder or ".", MAIN_FILE, frozenset((MANIFEST,)))


def report_left_out(tree: Tree) -> Iterator[ReportedLoss]:
    """The files of a skill that are not copied, and why."""
    for path, reason in tree.left_out:
        what = f"`{path}`" if path else "The skill's folder"
        yield ReportedLoss(LossKind.FILE, f"{what} {reason}; not copied.", Consequence.IGNORED)
    for path in tree.ignored:
        yield ReportedLoss(LossKind.FILE, f"`{path}` is ignored by git; not copied.", Consequence.STYLE)
    for path in tree.nested:
        yield ReportedLoss(LossKind.FILE, f"`{path}` is a separate skill; not copied.", Consequence.STYLE)


def find_copy(path: str, companion: TreeFile, root: str) -> TreeFile | None:
    """What exists at the path of a copy; equal to the companion if it is current."""
    if companion.is_link:
        target = existing_link(path, root)
        return None if target is None else companion._replace(data=target)
    found = existing_file(path, root)
    if found is None:
        return None
    is_executable = HAS_MODES and bool(found.status.st_mode & stat.S_IXUSR)
    return companion._replace(data=found.data, is_executable=is_executable)


def write_copy(path: str, companion: TreeFile, root: str) -> None:
    if companion.is_link:
        create_link(path, companion.data, root)
    else:
        create(path, companion.data, root, executable=companion.is_executable)


def show_change(shown: str, before: TreeFile | None, after: TreeFile) -> str:
    """The change as a diff, or in one line: a link, a binary file, an empty one, or a mode."""
    if after.is_link:
        return f"Link b/{escape(shown)} -> {escape(os.fsdecode(after.data))}\n"
    if before is None and not after.data:
        return f"Empty file b/{escape(shown)}\n"
    if before is not None and before.data == after.data:
        return f"Mode of b/{escape(shown)}: {'executable' if after.is_executable else 'not executable'}\n"
    return diff(shown, before.data if before is not None else b"", after.data)
