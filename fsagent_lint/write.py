"""Writing a file: complete or not at all, with its mode, and only if nobody else changed it meanwhile."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from typing import NamedTuple

from fsagent_lint.files import read
from fsagent_lint.project import find_root


class UnwritableError(Exception):
    """Why a file was not written."""


class Snapshot(NamedTuple):
    """A file as it was when it was read."""

    path: str
    """The real file, behind any link."""
    data: bytes
    stamp: tuple[int, int, int, int]


def take(path: str) -> Snapshot:
    """Read a file for changing it; UnreadableError or UnwritableError where that must not be."""
    real = os.path.realpath(path)
    if os.path.islink(path) or real != os.path.abspath(path):
        _check_link(path, real)
    data = read(real)
    return Snapshot(real, data, _stamp(real))


def _check_link(path: str, real: str) -> None:
    folder = os.path.dirname(os.path.abspath(path))
    root = os.path.realpath(find_root(folder) or os.getcwd())
    if os.path.commonpath([root, real]) != root:
        raise UnwritableError("leaves the project: the file behind the link is not changed")


def replace(snapshot: Snapshot, data: bytes) -> None:
    """Put new bytes in a file's place, atomically; UnwritableError says why not, and then nothing has changed."""
    try:
        status = os.stat(snapshot.path)
        if status.st_nlink > 1:
            raise UnwritableError("has other hard links, which would keep the old text; not changed")
        if not status.st_mode & 0o222:
            raise UnwritableError("is read-only; not changed")
        _replace(snapshot, data, status)
    except OSError as error:
        raise UnwritableError(f"cannot be written: {error.strerror or error}") from None


def _replace(snapshot: Snapshot, data: bytes, status: os.stat_result) -> None:
    folder = os.path.dirname(snapshot.path)
    # A name of fixed length and without `.md`: the file's own may be as long as names get, and harnesses load *.md.
    handle, temporary = tempfile.mkstemp(prefix=".fsagent-lint-", suffix=".tmp", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            _keep_metadata(file.fileno(), snapshot.path, status)
            os.fsync(file.fileno())
        if _stamp(snapshot.path) != snapshot.stamp:
            raise UnwritableError("was changed by someone else meanwhile; not written")
        _rename(temporary, snapshot.path)
    except BaseException:
        _remove(temporary)
        raise
    _sync_folder(folder)


def _keep_metadata(handle: int, path: str, status: os.stat_result) -> None:
    if hasattr(os, "fchown") and (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
        os.fchown(handle, status.st_uid, status.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(handle, stat.S_IMODE(status.st_mode))
    if hasattr(os, "listxattr"):
        for name in os.listxattr(path):
            if name.startswith("user."):
                os.setxattr(handle, name, os.getxattr(path, name))


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


def _stamp(path: str) -> tuple[int, int, int, int]:
    status = os.stat(path)
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def _sync_folder(folder: str) -> None:
    """So that the new name survives a power cut; not every system can."""
    try:
        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    except OSError:
        return
    with contextlib.suppress(OSError):
        os.fsync(handle)
    os.close(handle)


def create(path: str, data: bytes, root: str) -> None:
    """Write a file that may be new, with the folders on its way, all inside the root."""
    folder = os.path.dirname(os.path.abspath(path))
    real_root = os.path.realpath(root)
    if os.path.commonpath([real_root, os.path.realpath(folder)]) != real_root or os.path.islink(path):
        raise UnwritableError("leaves the project, or is a link; not written")
    try:
        os.makedirs(folder, exist_ok=True)
        if os.path.lexists(path):
            replace(Snapshot(os.path.abspath(path), b"", _stamp(path)), data)
            return
        handle, temporary = tempfile.mkstemp(prefix=".fsagent-lint-", suffix=".tmp", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o666 & ~_umask())
            _rename(temporary, path)
        except BaseException:
            _remove(temporary)
            raise
    except OSError as error:
        raise UnwritableError(f"cannot be written: {error.strerror or error}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
