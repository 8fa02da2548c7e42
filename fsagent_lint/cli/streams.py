"""Standard output and standard error: their failures are distinguished from those of the checked files."""

from __future__ import annotations

import errno
import io
import os
import sys


class OutputError(Exception):
    """The pipe is closed, or the disk is full; `reason` is empty if the reader is gone."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _Guarded(io.RawIOBase):
    """A raw stream that raises only OutputError when it cannot be written to."""

    def __init__(self, raw: io.RawIOBase) -> None:
        self.raw = raw

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.raw.fileno()

    def isatty(self) -> bool:
        return self.raw.isatty()

    def write(self, data: object) -> int:
        try:
            size = self.raw.write(data)  # type: ignore[arg-type]
        except BrokenPipeError:
            raise OutputError("") from None
        except OSError as error:
            raise OutputError(error.strerror or str(error)) from None
        if size is None:
            raise OutputError(os.strerror(errno.EAGAIN))
        return size


def guard() -> None:
    """Guard both streams of this process; a stream that was closed before the start discards everything."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
            continue
        buffer = stream.detach()
        raw = _Guarded(buffer.detach() if isinstance(buffer, io.BufferedWriter) else buffer)
        by_line = name == "stderr" or raw.isatty()
        setattr(sys, name, io.TextIOWrapper(io.BufferedWriter(raw), "utf-8", line_buffering=by_line))
