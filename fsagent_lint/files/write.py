"""Writing a file: complete or not at all, with its mode, and only if nobody else changed it meanwhile."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Callable

from fsagent_lint._fast import NamedTuple
from fsagent_lint.files.paths import find_root
from fsagent_lint.files.read import FileError, UnreadableError, read_status
from fsagent_lint.files.signals import shielded

_COPIED = ("user.", "system.posix_acl_access")
"""Extended attributes that are the owner's to keep."""


class UnwritableError(FileError):
    """Why a file was not written."""


class Snapshot(NamedTuple):
    """A file as it was when it was read."""

    path: str
    """The real file, behind any link."""
    data: bytes
    status: os.stat_result


def take(path: str) -> Snapshot:
    """Read a file for changing it; UnreadableError or UnwritableError where that must not be."""
    real = os.path.realpath(path)
    if os.path.islink(path) or real != os.path.abspath(path):
        _check_link(path, real)
    return Snapshot(real, *read_status(real, follow=False))


def _check_link(path: str, real: str) -> None:
    folder = os.path.dirname(os.path.abspath(path))
    root = os.path.realpath(find_root(folder) or os.getcwd())
    if not _is_inside(real, root):
        raise UnwritableError("leaves the project: the file behind the link is not changed")


def _is_inside(path: str, root: str) -> bool:
    try:
        return os.path.normcase(os.path.commonpath([root, path])) == os.path.normcase(root)
    except ValueError:  # on another drive
        return False


def replace(snapshot: Snapshot, data: bytes) -> None:
    """Put new bytes in a file's place, atomically; UnwritableError says why not, and then nothing has changed."""
    path, status = snapshot.path, snapshot.status
    if status.st_nlink > 1:
        raise UnwritableError("has other hard links, which would keep the old text; not changed")
    if not status.st_mode & 0o222:
        raise UnwritableError("is read-only; not changed")
    _put(path, data, lambda handle: _keep_metadata(handle, path, status), lambda: _is_current(snapshot))


def standing(path: str, root: str) -> Snapshot | None:
    """The file that is where another one is to be written; None if there is none yet.

    UnwritableError where the place is outside the root: what lies there is not even read.
    """
    path = os.path.abspath(path)
    if not _is_inside(os.path.realpath(os.path.dirname(path)), os.path.realpath(root)) or os.path.islink(path):
        raise UnwritableError("leaves the project, or is a link; not written")
    if not os.path.lexists(path):
        return None
    try:
        return Snapshot(path, *read_status(path, follow=False))
    except UnreadableError as error:
        raise UnwritableError(str(error)) from None


def create(path: str, data: bytes, root: str) -> None:
    """Write a file that may be new, with the folders on its way, all inside the root."""
    there = standing(path, root)
    if there is not None:
        replace(there, data)
        return
    path = os.path.abspath(path)
    folder = os.path.dirname(path)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise UnwritableError(f"cannot be written: {error.strerror or error}") from None
    _put(path, data, lambda handle: _set_mode(handle, 0o666 & ~_umask()), lambda: not os.path.lexists(path))


def _put(path: str, data: bytes, finish: Callable[[int], None], is_current: Callable[[], bool]) -> None:
    """Write beside the file, and put the result in its place in one step."""
    folder = os.path.dirname(path)
    try:
        with shielded():
            # A name of fixed length and without `.md`: the file's own may be as long as names get, and harnesses
            # load *.md.
            handle, temporary = tempfile.mkstemp(prefix=".fsagent-lint-", suffix=".tmp", dir=folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                    file.flush()
                    finish(file.fileno())
                    os.fsync(file.fileno())
                if not is_current():
                    raise UnwritableError("was changed by someone else meanwhile; not written")
                _rename(temporary, path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
                raise
            _sync_folder(folder)
    except OSError as error:
        raise UnwritableError(f"cannot be written: {error.strerror or error}") from None


def _is_current(snapshot: Snapshot) -> bool:
    """Is the file what it was when it was read? Clocks are too coarse to tell, so its text counts too."""
    try:
        data, status = read_status(snapshot.path, follow=False)
    except UnreadableError:
        return False
    return data == snapshot.data and _identity(status) == _identity(snapshot.status)


def _identity(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size, status.st_mode, status.st_nlink


def _keep_metadata(handle: int, path: str, status: os.stat_result) -> None:
    if hasattr(os, "fchown") and (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
        try:
            os.fchown(handle, status.st_uid, status.st_gid)
        except PermissionError:
            raise UnwritableError("belongs to somebody else, and would no longer; not changed") from None
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):  # not every file system has them
            for name in os.listxattr(path):
                if name.startswith(_COPIED):
                    os.setxattr(handle, name, os.getxattr(path, name))
    _set_mode(handle, stat.S_IMODE(status.st_mode))


def _set_mode(handle: int, mode: int) -> None:
    if hasattr(os, "fchmod"):
        os.fchmod(handle, mode)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _rename(temporary: str, path: str) -> None:
    """Windows refuses while a virus scanner or an editor has the file open for a moment."""
    import time

    for attempt in range(10):
        try:
            os.replace(temporary, path)
            return
        except PermissionError as error:
            if getattr(error, "winerror", None) not in (5, 32, 33) or attempt == 9:
                raise
            time.sleep(0.25)


def _sync_folder(folder: str) -> None:
    """So that the new name survives a power cut; not every system can."""
    try:
        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    except OSError:
        return
    with contextlib.suppress(OSError):
        os.fsync(handle)
    os.close(handle)
