"""Reading untrusted TOML files: of bounded size, inside the project, with errors that name the file."""

from __future__ import annotations

from typing import Any

from fsagent_lint.errors import DataError
from fsagent_lint.files.border import UnreadableError
from fsagent_lint.files.read import read_file

MAX_SIZE = 64 * 1024
MAX_DOTS = 500
"""How many dots a line may have: for a dotted key, `tomllib` takes time in proportion to the square of its parts."""


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
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.count(b".") > MAX_DOTS:
            raise DataError(f"{path}: line {number} has more than {MAX_DOTS} dots; split it, or shorten its key")
    try:
        return tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: not valid TOML: {error}") from error
    except RecursionError as error:
        raise DataError(f"{path}: nested too deeply") from error
