"""Writing a file: completely or not at all, keeping its mode, and only if it has not changed since it was read."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Callable
from functools import cache

from fsagent_lint._fast import NamedTuple, pattern
from fsagent_lint.files.border import Border, UnreadableError, UnwritableError, border_problem, real
from fsagent_lint.files.paths import absolute, relative
from fsagent_lint.files.read import read_status
from fsagent_lint.files.signals import shielded

_COPIED_ATTRIBUTES = ("user.", "system.posix_acl_access")
"""Prefixes of extended attributes that belong to the user, so they are kept."""
_START, _END = ".fsagent-lint-", ".tmp"
_TEMPORARY = pattern(r"\.fsagent-lint-[a-z0-9_]{8}\.tmp")
_ABANDONED = 3600
"""After how many seconds a temporary file is taken for what a killed run left behind."""


class Snapshot(NamedTuple):
    """The state of a file when it was read."""

    path: str
    """The real file, with links resolved."""
    data: bytes
    status: os.stat_result


def read_snapshot(path: str, border: Border | None = None) -> Snapshot:
    """Read a file in order to change it, a link inside the project as the file behind it."""
    found = (border or Border()).find(absolute(path))
    return Snapshot(found.path, *read_status(found.path))


def replace(snapshot: Snapshot, data: bytes, *, executable: bool | None = None) -> None:
    """Replace a file's bytes atomically; on UnwritableError, which says why, nothing has changed."""
    path, status = snapshot.path, snapshot.status
    if status.st_nlink > 1:
        raise UnwritableError("has other hard links, which would keep the old content; not changed")
    if not status.st_mode & 0o222:
        raise UnwritableError("is read-only; not changed")
    mode = _executable_mode(stat.S_IMODE(status.st_mode), executable)
    _write_atomically(
        path, data, lambda handle: _keep_metadata(handle, path, status, mode), lambda: _is_current(snapshot)
    )


def existing_file(path: str, root: str | None = None) -> Snapshot | None:
    """The file that already exists at a path to be written; None if there is none.

    UnwritableError if the path is outside the root, by default the project: a file there is not even read.
    """
    place = Border().writable(path, root)
    if os.path.islink(place):
        raise UnwritableError("is a link; not written")
    if not os.path.lexists(place):
        return None
    try:
        return Snapshot(place, *read_status(place))
    except UnreadableError as error:
        raise UnwritableError(str(error)) from None


def existing_link(path: str, root: str) -> bytes | None:
    """Where the link that already exists at a path leads to; None if there is nothing.

    UnwritableError if the path is outside the root, or is not a link.
    """
    place = Border().writable(path, root)
    if os.path.islink(place):
        return os.fsencode(os.readlink(place))
    if os.path.lexists(place):
        raise UnwritableError("already exists and is not a link; not written")
    return None


def existing_entry(path: str, root: str) -> bytes | None:
    """The bytes of the file at a path, or where the link there leads to; None if there is nothing."""
    if os.path.islink(Border().writable(path, root)):
        return existing_link(path, root)
    found = existing_file(path, root)
    return found.data if found is not None else None


def create(path: str, data: bytes, root: str | None = None, *, executable: bool | None = None) -> None:
    """Write a new or existing file, creating its parent folders, all inside the root, by default the project.

    `executable`: whether it can be run; None: an existing file stays as it is.
    """
    existing = existing_file(path, root)
    if existing is not None:
        replace(existing, data, executable=executable)
        return
    place = Border().writable(path, root)
    _make_parent(place)
    mode = _executable_mode(0o666 & ~_umask(), executable)
    _write_atomically(place, data, lambda handle: _set_mode(handle, mode), lambda: not os.path.lexists(place))


def create_link(path: str, target: bytes, root: str) -> None:
    """Write a symbolic link, or replace an existing one, creating its parent folders, all inside the root."""
    existing_link(path, root)
    place = Border().writable(path, root)
    _make_parent(place)
    try:
        with shielded(), tempfile.TemporaryDirectory(prefix=_START, dir=os.path.dirname(place)) as folder:
            os.symlink(os.fsdecode(target), f"{folder}/link")
            _rename(f"{folder}/link", place)
    except OSError as error:
        raise UnwritableError(f"cannot be written: {error.strerror or error}") from None


def write_report(path: str, data: bytes) -> None:
    """Write to a file, a device or a pipe that the user named; a link in a project is not followed out of it.

    A file is replaced in one step where its folder allows that.
    """
    place, flags = _report_place(path)
    if (mode := _mode_of_own(place)) is not None and os.access(os.path.dirname(place), os.W_OK | os.X_OK):
        _write_atomically(place, data, lambda handle: _set_mode(handle, mode), lambda: True)
    else:
        _write_through(place, flags | os.O_TRUNC, data)


def append_report(path: str, data: bytes) -> None:
    """Append to a file that the user's environment named."""
    place, flags = _report_place(path)
    _write_through(place, flags | os.O_APPEND, data)


def _report_place(path: str) -> tuple[str, int]:
    """Where to write a report, and how to open that place."""
    flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    place = absolute(path)
    root = Border().project(os.path.dirname(place))
    if root is not None:
        place, flags = real(place), flags | getattr(os, "O_NOFOLLOW", 0)
        if problem := border_problem(place, real(root)):
            raise UnwritableError(f"{problem}; not written")
    return place, flags


def _mode_of_own(path: str) -> int | None:
    """The mode of a file that may be replaced; None for a device, a pipe, a link, or a file of others or of two names."""
    try:
        status = os.lstat(path)
    except OSError:
        return 0o666 & ~_umask()
    user = os.geteuid() if hasattr(os, "geteuid") else status.st_uid
    is_own = stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and status.st_uid == user
    return stat.S_IMODE(status.st_mode) if is_own else None


def _write_through(place: str, flags: int, data: bytes) -> None:
    try:
        with os.fdopen(os.open(place, flags, 0o666), "wb") as file:
            file.write(data)
    except OSError as error:
        raise UnwritableError(f"cannot be written: {error.strerror or error}") from None


def remove(path: str, root: str) -> None:
    """Remove a file below the root, but none that lies behind a link, and nothing in `.git`."""
    place = _own_place(path, root)
    try:
        os.unlink(place)
    except OSError as error:
        raise UnwritableError(f"cannot be removed: {error.strerror or error}") from None


def remove_empty_folders(folder: str, top: str) -> None:
    """Remove a folder and those around it as far as they are empty, below `top`."""
    with contextlib.suppress(OSError, UnwritableError):
        while absolute(folder) != absolute(top):
            os.rmdir(_own_place(folder, top))
            folder = os.path.dirname(folder)


def _own_place(path: str, root: str) -> str:
    folder, name = os.path.split(absolute(path))
    inside = relative(folder, absolute(root))
    place = f"{real(folder)}/{name}"
    if inside is None or border_problem(place, real(root)) or relative(real(folder), real(root)) != inside:
        raise UnwritableError("is reached through a link; not removed")
    return place


@cache
def remove_leftovers(folder: str) -> None:
    """Remove the temporary files that killed runs left in a folder; nothing else, and each folder once in a run."""
    import time

    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not _TEMPORARY.fullmatch(entry.name) or not entry.is_file(follow_symlinks=False):
                continue
            if entry.stat(follow_symlinks=False).st_mtime < time.time() - _ABANDONED:
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)


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
    remove_leftovers(folder)
    try:
        with shielded():
            # A fixed-length name without `.md`: the file's own name may have the maximum length, and harnesses
            # load *.md.
            handle, temporary = tempfile.mkstemp(prefix=_START, suffix=_END, dir=folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                    file.flush()
                    finish(file.fileno())
                    os.fsync(file.fileno())
                if real(folder) != folder:  # it became a link meanwhile
                    raise UnwritableError("is outside the project; not written")
                if is_current():
                    _rename(temporary, path)
                elif _holds(path, data):
                    os.unlink(temporary)  # somebody else did the same
                else:
                    raise UnwritableError("was changed by another program meanwhile; not written")
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
        data, status = read_status(snapshot.path)
    except UnreadableError:
        return False
    return data == snapshot.data and _identity(status) == _identity(snapshot.status)


def _holds(path: str, data: bytes) -> bool:
    try:
        return read_status(path)[0] == data
    except UnreadableError:
        return False


def _identity(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size, status.st_mode, status.st_nlink


def _keep_metadata(handle: int, path: str, status: os.stat_result, mode: int) -> None:
    new = os.fstat(handle)  # a folder may give its own group to what is created in it
    if hasattr(os, "fchown") and (status.st_uid, status.st_gid) != (new.st_uid, new.st_gid):
        try:
            os.fchown(handle, status.st_uid, status.st_gid)
        except PermissionError:
            raise UnwritableError("belongs to another user, and its owner would change; not changed") from None
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
