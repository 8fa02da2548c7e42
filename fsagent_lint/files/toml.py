"""Reading untrusted TOML files: of bounded size, inside the project, with errors that name the file."""

from __future__ import annotations

import os
from typing import Any

from fsagent_lint.errors import DataError
from fsagent_lint.files.read import UnreadableError, read_file

MAX_SIZE = 1024 * 1024


def read_toml(path: str) -> dict[str, Any]:
    return parse_toml(read_bytes(path), path)


def read_bytes(path: str) -> bytes:
    try:
        return read_file(os.path.realpath(path))
    except UnreadableError as error:
        raise DataError(f"{path}: {error}") from error


def parse_toml(data: bytes, path: str) -> dict[str, Any]:
    import tomllib

    if len(data) > MAX_SIZE:
        raise DataError(f"{path}: larger than {MAX_SIZE // 1024} KiB")
    try:
        return tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: not valid TOML: {error}") from error
    except RecursionError as error:
        raise DataError(f"{path}: nested too deeply") from error


def check_link(path: str) -> None:
    """A file that the user did not name must not link outside the project: errors would quote its content."""
    from fsagent_lint.files.paths import PathError, absolute, find_root, real, resolve

    folder = absolute(os.path.dirname(path))
    try:
        resolve(path, real(find_root(folder) or folder))
    except PathError as error:
        raise DataError(f"{path}: {error}") from error
