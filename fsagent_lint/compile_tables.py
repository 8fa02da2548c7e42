"""`python -m fsagent_lint.compile_tables`: write the tables as Python, which loads in a twentieth of the time.

The TOML stays the only source: a table that has changed since is read from there (`harness.builtin_harness`), and a test
asks for this command.
"""

from __future__ import annotations

import os
from binascii import crc32

from fsagent_lint import harness
from fsagent_lint.harness import FOLDER, builtin_ids, module_name, read_table
from fsagent_lint.record import Record

WIDTH = 118
COMPILED = os.path.join(os.path.dirname(FOLDER), "compiled")

_HEADER = '''\
"""{id}.toml as Python. Do not edit: `python -m fsagent_lint.compile_tables` writes it."""

import datetime

from fsagent_lint.harness import {names}

SOURCE = {source}
'''


def compile_table(id: str) -> str:
    """The module of a harness."""
    with open(os.path.join(FOLDER, f"{id}.toml"), "rb") as file:
        data = file.read()
    names = [name for name, value in vars(harness).items() if value in Record.__subclasses__()]
    header = _HEADER.format(id=id, names=", ".join(names), source=crc32(data))
    return f"{header}HARNESS = {_expression(read_table(id, data), 0)}\n"


def _expression(value: object, indent: int) -> str:
    """What `repr` says, on several lines where one is too short."""
    line = repr(value)
    if indent + len(line) <= WIDTH or not isinstance(value, (Record, dict, tuple)):
        return line
    inner = indent + 4
    if isinstance(value, Record):
        opening, closing = f"{type(value).__name__}(", ")"
        parts = [f"{name}={_expression(each, inner)}" for name, each in value.given().items()]
    elif isinstance(value, dict):
        opening, closing = "{", "}"
        parts = [f"{key!r}: {_expression(each, inner)}" for key, each in value.items()]
    else:
        opening, closing = "(", ")"
        parts = [_expression(each, inner) for each in value]
    lines = "".join(f"{' ' * inner}{part},\n" for part in parts)
    return f"{opening}\n{lines}{' ' * indent}{closing}"


def main() -> None:
    for id in builtin_ids():
        path = os.path.join(COMPILED, f"{module_name(id)}.py")
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(compile_table(id))


if __name__ == "__main__":
    main()
