"""The border of a project: the one place that decides whether a path may be read or written.

A link that lies in a project came with it, so it must not lead out of it, nor into `.git`, where a checkout keeps
credentials. What the user names may lie anywhere else.
"""

from __future__ import annotations

import errno
import os
import stat
from functools import cached_property

from fsagent_lint._fast import NamedTuple
from fsagent_lint.files.names import is_git
from fsagent_lint.files.paths import absolute, relative, to_posix
from fsagent_lint.files.recent import Recent

_FILE_TYPES = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}
_MAX_DEPTH = 100


class FileError(Exception):
    """Why a file cannot be read or written."""


class UnreadableError(FileError):
    """Why a file cannot be read."""


class PathError(UnreadableError):
    """Why there is nothing to read at a path."""


class MissingError(PathError):
    """There is nothing at all at a path."""


class UnwritableError(FileError):
    """Why a file was not written."""


def describe_error(error: OSError) -> str:
    """The system's error message without the path, which is escaped and printed by the caller."""
    return f"cannot be read: {error.strerror or type(error).__name__}"


def border_problem(found: str, root: str) -> str:
    """Why a real path is not part of the project with this real root; empty if it is."""
    inside = relative(found, root) if os.name != "nt" else relative(found.lower(), root.lower())
    if inside is None:
        return "is outside the project"
    return "is inside .git" if any(map(is_git, inside.split("/"))) else ""


def real(path: str) -> str:
    """The path without links, as far as it exists."""
    return to_posix(os.path.realpath(path))


def is_link(path: str) -> bool:
    """On Windows, a junction also leads to another place."""
    return os.path.islink(path) or (os.name == "nt" and to_posix(os.path.realpath(path)) != absolute(path))


def find_root(folder: str) -> str | None:
    """The repository that contains a folder."""
    return Border().root(absolute(folder))


def project_of(folder: str) -> str:
    """The folder that a config file in this folder, and what it names, must not leave."""
    return Border().project(absolute(folder)) or absolute(folder)


class Found(NamedTuple):
    """A regular file that may be read."""

    path: str
    """The real path."""
    is_link: bool
    """Is the path that was asked for a link?"""


class Border:
    """Judges absolute paths; a folder is examined once for all the files in it."""

    def __init__(self) -> None:
        self._roots: Recent[str, str | None] = Recent()
        self._folders: Recent[str, str] = Recent()

    @cached_property
    def _here(self) -> str:
        return absolute(".")

    def root(self, folder: str) -> str | None:
        """The repository that contains a folder: the nearest folder with `.git`, going up.

        What a link in a repository leads to belongs to that repository, even if it has a `.git` of its own.
        """
        path, below = folder, []
        while path not in self._roots:
            below.append(path)
            parent = os.path.dirname(path)
            if parent == path:
                break
            path = parent
        root = self._roots.get(path)
        for path in reversed(below):
            if os.path.lexists(f"{path}/.git") and (root is None or not is_link(path)):
                root = path
            self._roots[path] = root
        return root

    def project(self, folder: str) -> str | None:
        """The folder that links must not leave: the repository, else the current folder; None outside of both."""
        if (root := self.root(folder)) is not None:
            return root
        return self._here if relative(folder, self._here) is not None and self._here != "/" else None

    def find(self, path: str, root: str | None = None) -> Found:
        """The file to read; PathError for what cannot or must not be read.

        `root`: the folder that links must not leave, by default the project; outside of any project the user's own links
        are followed.
        """
        folder, _, name = path.rpartition("/")
        root = root if root is not None else self.project(folder)
        try:
            mode = os.lstat(path).st_mode
        except FileNotFoundError:
            raise MissingError("no such file or folder") from None
        except OSError as error:
            raise PathError(describe_error(error)) from None
        except ValueError:  # a NUL in a name
            raise PathError("cannot be read: invalid file name") from None
        is_link = stat.S_ISLNK(mode)
        found = _resolve(path) if is_link else f"{self.real(folder).rstrip('/')}/{name}"
        self._check(found, root)
        if is_link:
            mode = os.stat(found).st_mode
        if not stat.S_ISREG(mode):
            raise PathError(f"{_FILE_TYPES.get(stat.S_IFMT(mode), 'a device')}, not a regular file")
        return Found(found, is_link)

    def check_folder(self, path: str, root: str | None = None) -> None:
        """PathError for a folder that must not be listed; `root`: as in `find`."""
        self._check(self.real(path), root if root is not None else self.project(path))

    def writable(self, path: str, root: str | None = None) -> str:
        """The real path of a file to be written; UnwritableError if it is outside of the root.

        `root`: by default the project; outside of any project the user's own links are followed.
        """
        folder, name = os.path.split(absolute(path))
        root = root if root is not None else self.project(folder)
        try:
            place = os.fsdecode(os.fsencode(f"{real(folder).rstrip('/')}/{name}"))
        except ValueError:  # a NUL, or letters that the disk cannot have
            raise UnwritableError("cannot be written: invalid file name") from None
        if root is not None and (problem := border_problem(place, real(root))):
            raise UnwritableError(f"{problem}; not written")
        return place

    def _check(self, found: str, root: str | None) -> None:
        if root is not None and (problem := border_problem(found, self.real(root))):
            raise PathError(f"{problem}; not read")

    def real(self, folder: str) -> str:
        """The real path of a folder."""
        found = self._folders.get(folder)
        if found is None:
            parent, _, name = folder.rpartition("/")
            # On Windows, a folder that is not a link can lead to another place (a junction).
            is_plain = os.sep == "/" and parent and name not in ("", ".", "..") and folder.count("/") < _MAX_DEPTH
            if is_plain and not os.path.islink(folder):
                found = f"{self.real(parent).rstrip('/')}/{name}"
            else:
                found = real(folder)
            self._folders[folder] = found
        return found


def _resolve(path: str) -> str:
    try:
        return to_posix(os.path.realpath(path, strict=True))
    except FileNotFoundError:
        raise PathError("a broken link") from None
    except OSError as error:
        loop = error.errno == errno.ELOOP
        raise PathError("a link to itself" if loop else describe_error(error)) from None
