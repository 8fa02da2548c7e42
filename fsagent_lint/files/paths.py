"""The bounds of a project, and which links stay inside it; paths use slashes on every system."""

from __future__ import annotations

import errno
import os
import stat

from fsagent_lint.files.read import describe_error

_FILE_TYPES = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}


class PathError(Exception):
    """Why a path is not read."""


class MissingError(PathError):
    """There is nothing at a path."""


def to_posix(path: str) -> str:
    return path if os.sep == "/" else path.replace(os.sep, "/")


def absolute(path: str) -> str:
    return to_posix(os.path.abspath(path))


def real(path: str) -> str:
    return to_posix(os.path.realpath(path))


class Roots:
    """The repository that contains each folder; no folder is examined twice."""

    def __init__(self) -> None:
        self._known: dict[str, str | None] = {}

    def find(self, folder: str) -> str | None:
        """The nearest folder that contains `.git`, starting from an absolute folder and going up."""
        below = []
        while folder not in self._known:
            parent = os.path.dirname(folder)
            if os.path.lexists(f"{folder}/.git"):
                self._known[folder] = folder
            elif parent == folder:
                self._known[folder] = None
            else:
                below.append(folder)
                folder = parent
        root = self._known[folder]
        self._known.update(dict.fromkeys(below, root))
        return root


def find_root(folder: str) -> str | None:
    return Roots().find(folder)


def relative(path: str, folder: str) -> str | None:
    """A path relative to a folder, empty for the folder itself; None if it is outside the folder."""
    if path == folder:
        return ""
    prefix = folder.rstrip("/") + "/"
    return path[len(prefix) :] if path.startswith(prefix) else None


def resolve(path: str, root: str) -> str:
    """The real file behind a path; PathError if it is missing or outside the project with this real root."""
    try:
        found = to_posix(os.path.realpath(path, strict=True))
    except FileNotFoundError:
        raise PathError("a link to a file that does not exist") from None
    except OSError as error:
        loop = error.errno == errno.ELOOP
        raise PathError("a link that leads back to itself" if loop else describe_error(error)) from None
    check_inside(found, root)
    return found


def check_inside(found: str, root: str) -> None:
    """PathError for a real path that is not part of the project."""
    inside = relative(found, root)
    if inside is None:
        raise PathError("leaves the project: what lies behind the link is not read")
    # A checkout keeps credentials in .git.
    if ".git" in inside.split("/"):
        raise PathError("leaves the project: what lies in .git is not read")


_MAX_DEPTH = 100


class RealFiles:
    """Resolves paths to regular files; a folder is resolved once for all the files in it."""

    def __init__(self) -> None:
        self.folders: dict[str, str] = {}

    def find(self, path: str, root: str) -> tuple[str, bool]:
        """The real path, and whether a link led to it; PathError for what cannot or must not be read."""
        try:
            mode = os.lstat(path).st_mode
        except FileNotFoundError:
            raise MissingError("no such file or folder") from None
        except OSError as error:
            raise PathError(describe_error(error)) from None
        except ValueError as error:  # a NUL in a name
            raise PathError(str(error)) from None
        is_link = stat.S_ISLNK(mode)
        if is_link:
            found = resolve(path, self._folder(root))
            mode = os.stat(found).st_mode
        else:
            folder, _, name = path.rpartition("/")
            found = f"{self._folder(folder)}/{name}"
            check_inside(found, self._folder(root))
        if not stat.S_ISREG(mode):
            raise PathError(f"{_FILE_TYPES.get(stat.S_IFMT(mode), 'a device')}, not a regular file")
        return found, is_link

    def check_folder(self, path: str, root: str) -> None:
        check_inside(self._folder(path), self._folder(root))

    def _folder(self, path: str) -> str:
        found = self.folders.get(path)
        if found is None:
            parent, _, name = path.rpartition("/")
            # On Windows, a folder that is not a link can lead to another place (a junction).
            is_plain = os.sep == "/" and parent and name not in ("", ".", "..") and path.count("/") < _MAX_DEPTH
            if is_plain and not os.path.islink(path):
                found = f"{self._folder(parent).rstrip('/')}/{name}"
            else:
                found = real(path)
            self.folders[path] = found
        return found
