"""Reading untrusted files: inside the project, regular files only, of bounded size, without blocking."""

from __future__ import annotations

import os
import stat

from fsagent_lint.files.border import Border, PathError, UnreadableError, describe_error, is_link, real
from fsagent_lint.files.paths import absolute

MAX_SIZE = 16 * 1024 * 1024
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def read_file(path: str, border: Border | None = None, root: str | None = None, *, limit: int = MAX_SIZE) -> bytes:
    """The bytes of a file, which may be a link inside the project.

    `border`: that of the run, if many files are read; `root`: the folder that links must not leave.
    """
    found = (border or Border()).find(absolute(path), root)
    return read_status(found.path, limit=limit)[0]


def read_status(path: str, *, limit: int = MAX_SIZE) -> tuple[bytes, os.stat_result]:
    """The bytes and the status of a regular file; a link is not followed."""
    try:
        if not _NO_FOLLOW and is_link(path):
            raise UnreadableError("is a link")
        handle = os.open(path, _FLAGS | _NO_FOLLOW)
    except OSError as error:
        raise UnreadableError(describe_error(error)) from None
    except ValueError:
        raise UnreadableError("cannot be read: invalid file name") from None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableError("is not a regular file")
        if status.st_size > limit:
            raise UnreadableError(f"is larger than {limit // 2**20} MiB")
        # Request one byte more than the size: a read of exactly the size has reached the end of the file.
        data = os.read(handle, status.st_size + 1)
        while len(data) != status.st_size and len(data) <= limit and (chunk := os.read(handle, 1 << 20)):
            data += chunk
        if len(data) > limit:
            raise UnreadableError(f"is larger than {limit // 2**20} MiB")
        return data, status
    except OSError as error:
        raise UnreadableError(describe_error(error)) from None
    finally:
        os.close(handle)


def read_head(path: str, size: int) -> bytes:
    """The first bytes of a regular file; a link is not followed."""
    try:
        handle = os.open(path, _FLAGS | _NO_FOLLOW)
    except OSError as error:
        raise UnreadableError(describe_error(error)) from None
    try:
        return os.read(handle, size)
    except OSError as error:
        raise UnreadableError(describe_error(error)) from None
    finally:
        os.close(handle)


def read_installed(path: str) -> bytes:
    """A file of an installed package, which installers may link from anywhere."""
    return read_status(real(path))[0]


def exists(path: str) -> bool:
    """Is there anything, also a link that leads nowhere?"""
    return os.path.lexists(path)


def is_file(path: str) -> bool:
    """Is there a file that may be read?"""
    try:
        Border().find(absolute(path))
    except PathError:
        return False
    return True


def is_folder(path: str) -> bool:
    """Is there a folder, or a link to one?"""
    return os.path.isdir(path)


def list_folder(path: str, border: Border | None = None, root: str | None = None) -> list[str]:
    """The names in a folder, sorted; none if there is no such folder, or it must not be listed."""
    try:
        (border or Border()).check_folder(absolute(path), root)
        return sorted(os.listdir(path))
    except (PathError, OSError):
        return []
