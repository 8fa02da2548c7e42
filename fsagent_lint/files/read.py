"""Reading untrusted files: regular files only, of bounded size, without blocking."""

from __future__ import annotations

import os
import stat

MAX_SIZE = 16 * 1024 * 1024
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class FileError(Exception):
    """Why a file cannot be read or written."""


class UnreadableError(FileError):
    """Why a file cannot be read."""


def describe_error(error: OSError) -> str:
    """The system's error message without the path, which is escaped and printed by the caller."""
    return f"cannot be read: {error.strerror or type(error).__name__}"


def read_file(path: str) -> bytes:
    """The bytes of a regular file."""
    return read_status(path)[0]


def read_status(path: str, *, follow: bool = True) -> tuple[bytes, os.stat_result]:
    """The bytes and the status of a regular file; `follow`: also through a link."""
    try:
        handle = os.open(path, _FLAGS if follow else _FLAGS | getattr(os, "O_NOFOLLOW", 0))
    except OSError as error:
        raise UnreadableError(describe_error(error)) from None
    except ValueError:
        raise UnreadableError("cannot be read: no file has such a name") from None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableError("is not a regular file")
        if status.st_size > MAX_SIZE:
            raise UnreadableError(f"is larger than {MAX_SIZE // 2**20} MiB")
        # Request one byte more than the size: a read of exactly the size has reached the end of the file.
        data = os.read(handle, status.st_size + 1)
        while len(data) != status.st_size and len(data) <= MAX_SIZE and (chunk := os.read(handle, 1 << 20)):
            data += chunk
        if len(data) > MAX_SIZE:
            raise UnreadableError(f"is larger than {MAX_SIZE // 2**20} MiB")
        return data, status
    except OSError as error:
        raise UnreadableError(describe_error(error)) from None
    finally:
        os.close(handle)
