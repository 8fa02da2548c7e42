"""Writing a file: completely or not at all, keeping its mode, and only if it has not changed since it was read."""

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

_COPIED_ATTRIBUTES = ("user.", "system.posix_acl_access")
"""Prefixes of extended attributes that belong to the user, so they are kept."""


class UnwritableError(FileError):
    """Why a file was not written."""


class Snapshot(NamedTuple):
    """The state of a file when it was read."""

    path: str
    """The real file, with links resolved."""
    data: bytes
    status: os.stat_result


def read_snapshot(path: str) -> Snapshot:
    """Read a file in order to change it; UnreadableError or UnwritableError if that is not allowed."""
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


def replace(snapshot: Snapshot, data: bytes, *, executable: bool | None = None) -> None:
    """Replace a file's bytes atomically; on UnwritableError, which says why, nothing has changed."""
    path, status = snapshot.path, snapshot.status
    if status.st_nlink > 1:
        raise UnwritableError("has other hard links, which would keep the old text; not changed")
    if not status.st_mode & 0o222:
        raise UnwritableError("is read-only; not changed")
    mode = _executable_mode(stat.S_IMODE(status.st_mode), executable)
    _write_atomically(
        path, data, lambda handle: _keep_metadata(handle, path, status, mode), lambda: _is_current(snapshot)
    )


def existing_file(path: str, root: str) -> Snapshot | None:
    """The file that already exists at a path to be written; None if there is none.

    UnwritableError if the path is outside the root: a file there is not even read.
    """
    path = os.path.abspath(path)
    _check_place(path, root)
    if os.path.islink(path):
        raise UnwritableError("is a link; not written")
    if not os.path.lexists(path):
        return None
    try:
        return Snapshot(path, *read_status(path, follow=False))
    except UnreadableError as error:
        raise UnwritableError(str(error)) from None


def existing_link(path: str, root: str) -> bytes | None:
    """Where the link that already exists at a path leads to; None if there is nothing.

    UnwritableError if the path is outside the root, or is not a link.
    """
    path = os.path.abspath(path)
    _check_place(path, root)
    if os.path.islink(path):
        return os.fsencode(os.readlink(path))
    if os.path.lexists(path):
        raise UnwritableError("is there already, and is not a link; not written")
    return None


def _check_place(path: str, root: str) -> None:
    if not _is_inside(os.path.realpath(os.path.dirname(path)), os.path.realpath(root)):
        raise UnwritableError("leaves the project; not written")


def create(path: str, data: bytes, root: str, *, executable: bool | None = None) -> None:
    """Write a new or existing file, creating its parent folders, all inside the root.

    `executable`: whether it can be run; None: an existing file stays as it is.
    """
    existing = existing_file(path, root)
    if existing is not None:
        replace(existing, data, executable=executable)
        return
    path = os.path.abspath(path)
    _make_parent(path)
    mode = _executable_mode(0o666 & ~_umask(), executable)
    _write_atomically(path, data, lambda handle: _set_mode(handle, mode), lambda: not os.path.lexists(path))


def create_link(path: str, target: bytes, root: str) -> None:
    """Write a symbolic link, or replace an existing one, creating its parent folders, all inside the root."""
    existing_link(path, root)
    path = os.path.abspath(path)
    _make_parent(path)
    try:
        with shielded(), tempfile.TemporaryDirectory(prefix=".fsagent-lint-", dir=os.path.dirname(path)) as folder:
            os.symlink(os.fsdecode(target), f"{folder}/link")
            _rename(f"{folder}/link", path)
    except OSError as error:
        raise UnwritableError(f"cannot be written: {error.strerror or error}") from None


def _make_parent(path: str) -> None:
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    except OSError as error:
        raise UnwritableError(f"cannot be written: {error.strerror or error}") from None


def _executable_mode(mode: int, executable: bool | None) -> int:
    """A mode with or without permission to execute, for those who may read."""
    if executable is None:
        return mode
    return mode | (mode & 0o444) >> 2 if executable else mode & ~0o111


def _write_atomically(path: str, data: bytes, finish: Callable[[int], None], is_current: Callable[[], bool]) -> None:
    """Write a temporary file in the same folder, and rename it in one step."""
    folder = os.path.dirname(path)
    try:
        with shielded():
            # A fixed-length name without `.md`: the file's own name may have the maximum length, and harnesses
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
    """Is the file still as it was when it was read? Timestamps are too coarse, so the content is compared too."""
    try:
        data, status = read_status(snapshot.path, follow=False)
    except UnreadableError:
        return False
    return data == snapshot.data and _identity(status) == _identity(snapshot.status)


def _identity(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size, status.st_mode, status.st_nlink


def _keep_metadata(handle: int, path: str, status: os.stat_result, mode: int) -> None:
    if hasattr(os, "fchown") and (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
        try:
            os.fchown(handle, status.st_uid, status.st_gid)
        except PermissionError:
            raise UnwritableError("belongs to somebody else, and would no longer; not changed") from None
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):  # not every file system has them
            for name in os.listxattr(path):
                if name.startswith(_COPIED_ATTRIBUTES):
                    os.setxattr(handle, name, os.getxattr(path, name))
    _set_mode(handle, mode)


def _set_mode(handle: int, mode: int) -> None:
    if hasattr(os, "fchmod"):
        os.fchmod(handle, mode)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _rename(temporary: str, path: str) -> None:
    """Rename, with retries: Windows refuses while a virus scanner or an editor briefly has the file open."""
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
    """Make the rename survive a power failure; not every system supports this."""
    try:
        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    except OSError:
        return
    with contextlib.suppress(OSError):
        os.fsync(handle)
    os.close(handle)
