"""Reading untrusted TOML files: of bounded size, inside the project, with errors that name the file."""

from __future__ import annotations

from typing import Any

from fsagent_lint.errors import DataError
from fsagent_lint.files.border import UnreadableError
from fsagent_lint.files.read import read_file

MAX_SIZE = 1024 * 1024


def read_toml(path: str, root: str | None = None) -> dict[str, Any]:
    """`root`: the folder that the file must not leave, by default the project that it lies in."""
    try:
        return parse_toml(read_file(path, root=root), path)
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
