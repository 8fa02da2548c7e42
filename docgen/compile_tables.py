"""Compile the harness tables to Python, which loads in a twentieth of the time; the build adds it to the wheel."""

from __future__ import annotations

from types import ModuleType

from fsagent_lint._fast import Record
from fsagent_lint.harnesses import harness, kind, model_names, notation
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import builtin_ids, module_name, read_table, table_source

WIDTH = 118


def compile_all() -> dict[str, str]:
    """The files of the package of compiled tables, with their text."""
    tables = {f"{module_name(id)}.py": compile_table(read_table(id, table_source(id))) for id in builtin_ids()}
    return {"__init__.py": '"""The harness tables as Python, written by the build."""\n', **tables}


def compile_table(table: Harness) -> str:
    """The module for the table of a harness."""
    modules = (harness, kind, model_names, notation)
    imports = "".join(f"from {each.__name__} import {', '.join(_records(each))}\n" for each in modules)
    title = f'"""{table.id}.toml as Python, written by the build."""\n\nimport datetime\n\n'
    return f"{title}{imports}\nHARNESS = {_expression(table, 0)}\n"


def _records(module: ModuleType) -> list[str]:
    values = vars(module).values()
    return [
        each.__name__
        for each in values
        if isinstance(each, type) and issubclass(each, Record) and each.__module__ == module.__name__
    ]


def _expression(value: object, indent: int) -> str:
    """The `repr` of a value, on several lines if it does not fit on one."""
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
