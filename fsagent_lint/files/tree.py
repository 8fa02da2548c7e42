"""The files of a folder with their executable bits and links, of bounded number and size; nothing outside it is read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from fsagent_lint._fast import NamedTuple
from fsagent_lint.files.border import UnreadableError, border_problem, describe_error, find_root, real
from fsagent_lint.files.gitignore import NAME, IgnoreRules, load_all_rules, load_rules
from fsagent_lint.files.paths import relative, to_posix
from fsagent_lint.files.read import read_status
from fsagent_lint.files.walk import is_pruned

MAX_FILES = 1000
MAX_TOTAL = 64 * 1024 * 1024
_JUNK = frozenset((".DS_Store", "Thumbs.db", "desktop.ini"))
HAS_MODES = os.name != "nt"
"""Does the system know which files are executable?"""


class TreeFile(NamedTuple):
    path: str
    """Relative to the folder."""
    data: bytes
    """The content; of a link, the path that it leads to."""
    is_executable: bool = False
    is_link: bool = False


class Tree(NamedTuple):
    files: tuple[TreeFile, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    """What is not in `files`, and why; caches and the data of version control are not mentioned."""
    ignored: tuple[str, ...] = ()
    """What git ignores, which is not in `files` either."""
    nested: tuple[str, ...] = ()
    """Main files of folders inside, which are trees of their own."""


def read_tree(folder: str, main: str, skip: frozenset[str] = frozenset()) -> Tree:
    """The files of a folder but for its main file, and but for folders inside that have a main file, too.

    `skip`: names of further files to pass over. UnreadableError if there is too much.
    """
    walk = _Walk(real(folder), main, _JUNK | skip)
    pending = [("", load_all_rules(walk.folder, find_root(os.path.dirname(walk.folder))))]
    while pending:
        pending += walk.enter(*pending.pop())
    files = sorted(walk.files)
    broken = {each.path: "is a link to a file that is not copied" for each in _broken_links(walk.folder, files, main)}
    return Tree(
        tuple(each for each in files if each.path not in broken),
        tuple(sorted([*walk.left_out, *broken.items()])),
        tuple(sorted(walk.ignored)),
        tuple(sorted(walk.nested)),
    )


class _Walk:
    def __init__(self, folder: str, main: str, skip: frozenset[str]) -> None:
        self.folder, self.main, self.skip = folder, main.lower(), skip
        self.files: list[TreeFile] = []
        self.left_out: list[tuple[str, str]] = []
        self.ignored: list[str] = []
        self.nested: list[str] = []
        self.total = 0

    def enter(self, prefix: str, rules: IgnoreRules) -> Iterator[tuple[str, IgnoreRules]]:
        """Read the files of one folder; yields the folders in it, each with the ignore rules that hold there."""
        try:
            names = sorted(os.listdir(f"{self.folder}/{prefix}"))
        except OSError as error:
            self.left_out.append((prefix, describe_error(error)))
            return
        main = [prefix + name for name in names if name.lower() == self.main]
        if prefix and main:
            self.nested += main
            return
        if prefix and NAME in names:
            rules = load_rules(f"{self.folder}/{prefix[:-1]}", rules.parent)
        for name in names:
            path = prefix + name
            if name in self.skip or is_pruned(name) or path in main:
                continue
            if not name.isprintable():
                self.left_out.append((path, "has unprintable characters in its name"))
                continue
            mode = os.lstat(f"{self.folder}/{path}").st_mode
            if rules.ignores(name, is_folder=stat.S_ISDIR(mode)):
                self.ignored.append(path)
            elif stat.S_ISDIR(mode):
                yield f"{path}/", IgnoreRules([], rules, name)
            else:
                self._add(path, mode)

    def _add(self, path: str, mode: int) -> None:
        try:
            self.files.append(_read(self.folder, path, mode))
        except UnreadableError as error:
            self.left_out.append((path, str(error)))
            return
        self.total += len(self.files[-1].data)
        if len(self.files) > MAX_FILES or self.total > MAX_TOTAL:
            limit = f"more than {MAX_FILES:,} files or {MAX_TOTAL // 2**20} MiB"
            raise UnreadableError(f"has {limit} in its folder; not converted")


def _read(folder: str, path: str, mode: int) -> TreeFile:
    if stat.S_ISLNK(mode):
        target = os.readlink(f"{folder}/{path}")
        place = os.path.normpath(os.path.join(os.path.dirname(path), target))
        try:
            found = to_posix(os.path.realpath(f"{folder}/{path}", strict=True))
        except OSError:
            raise UnreadableError("is a broken link") from None
        # The path that it names counts, too: `../x/a` leads back inside only while the folder is called `x`.
        if os.path.isabs(target) or to_posix(place).split("/")[0] == ".." or border_problem(found, folder):
            raise UnreadableError("is a link out of the folder")
        return TreeFile(path, os.fsencode(target), is_link=True)
    data, status = read_status(f"{folder}/{path}")
    return TreeFile(path, data, HAS_MODES and bool(status.st_mode & stat.S_IXUSR))


def _broken_links(folder: str, files: list[TreeFile], main: str) -> Iterator[TreeFile]:
    """Links to what is not part of the tree."""
    known = {each.path for each in files} | {main}
    known |= {path[:at] for path in known for at, letter in enumerate(path) if letter == "/"}
    for each in files:
        if each.is_link and relative(real(f"{folder}/{each.path}"), folder) not in known:
            yield each
