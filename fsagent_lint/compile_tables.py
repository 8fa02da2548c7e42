"""`python -m fsagent_lint.compile_tables`: write the tables as Python, which loads in a twentieth of the time.

Beside a module for each table there are two about all of them, for questions that would load every one: `all_outlines`
(whose is a file?) and `all_names` (whose is a name?).
The TOML stays the only source: a table that has changed since is read from there (`tables.builtin_harness`, `index`),
and a test asks for this command.
"""

from __future__ import annotations

import os
from binascii import crc32
from types import ModuleType

from fsagent_lint import harness, kind
from fsagent_lint.harness import Harness, Outline
from fsagent_lint.kind import Place
from fsagent_lint.record import Record
from fsagent_lint.tables import FOLDER, builtin_ids, module_name, read_table, table_source

WIDTH = 118
COMPILED = os.path.join(os.path.dirname(FOLDER), "compiled")

_HEADER = '"""{what}. Do not edit: `python -m fsagent_lint.compile_tables` writes it."""\n\n'
_IMPORT = "from {module} import {names}\n"


def compile_all() -> dict[str, str]:
    """Every file of the folder with its text."""
    tables = {id: read_table(id, table_source(id)) for id in builtin_ids()}
    modules = {module_name(id): compile_table(table) for id, table in tables.items()}
    modules["all_outlines"] = _compile_outlines(tables)
    modules["all_names"] = _compile_names(tables)
    return {f"{name}.py": text for name, text in modules.items()}


def compile_table(table: Harness) -> str:
    """The module of a harness."""
    header = _HEADER.format(what=f"{table.id}.toml as Python") + "import datetime\n\n"
    source = crc32(table_source(table.id))
    return f"{_with_imports(header)}SOURCE = {source}\nHARNESS = {_expression(table, 0)}\n"


def _compile_outlines(tables: dict[str, Harness]) -> str:
    header = _with_imports(_HEADER.format(what="What is asked of every table at once"))
    outlines = {id: _outline(table) for id, table in tables.items()}
    sources = {id: crc32(table_source(id)) for id in tables}
    return f"{header}SOURCES = {_expression(sources, 0)}\nOUTLINES = {_expression(outlines, 0)}\n"


def _outline(table: Harness) -> Outline:
    kinds = {
        name: Place(globs=kind.globs, identity=kind.identity, shared_with=kind.shared_with, read_by=kind.read_by)
        for name, kind in table.kinds.items()
    }
    return Outline(id=table.id, title=table.title, mcp=table.mcp, kinds=kinds, discovers=table.discovers)


def _compile_names(tables: dict[str, Harness]) -> str:
    """Tools by their spelling in lower case, and fields that mean something, with the harnesses that have them."""
    names: dict[str, tuple[str, ...]] = {}
    fields: dict[str, dict[str, tuple[str, ...]]] = {}
    for id, table in tables.items():
        for name in table.spelling:
            names[name] = (*names.get(name, ()), id)
        for sort, facts in table.kinds.items():
            owners = fields.setdefault(sort, {})
            for name, field in facts.fields.items():
                if field.meaning:
                    owners[name] = (*owners.get(name, ()), id)
    header = _HEADER.format(what="Which tables know a name")
    return f"{header}NAMES = {_expression(names, 0)}\n\nFIELDS: dict[str, dict[str, tuple[str, ...]]] = {_expression(fields, 0)}\n"


def _with_imports(header: str) -> str:
    lines = [_IMPORT.format(module=each.__name__, names=", ".join(_records(each))) for each in (harness, kind)]
    return f"{header}{''.join(lines)}\n"


def _records(module: ModuleType) -> list[str]:
    values = vars(module).values()
    return [
        each.__name__
        for each in values
        if isinstance(each, type) and issubclass(each, Record) and each.__module__ == module.__name__
    ]


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
    for name, text in compile_all().items():
        with open(os.path.join(COMPILED, name), "w", encoding="utf-8", newline="\n") as file:
            file.write(text)


if __name__ == "__main__":
    main()
