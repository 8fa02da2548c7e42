"""The tables in force: the built-in ones, and those that a config brings."""

from __future__ import annotations

import os
from contextvars import ContextVar
from functools import cache, lru_cache
from typing import Any

from fsagent_lint._fast import NO_ENTRIES
from fsagent_lint.errors import DataError
from fsagent_lint.harnesses.harness import Harness, ascii_lower
from fsagent_lint.model.schema import load_record


def parse_table(data: object, where: str) -> Harness:
    """A table from its data, with what the types cannot say checked too."""
    harness = load_record(Harness, data, where)
    for name, value in harness.names.items():
        for native in value.gives:
            if native not in harness.tools:
                raise DataError(f"{where}.names.{name}: gives {native!r}, which is not one of the tools")
    for canonical, names in harness.write.items():
        for name in names:
            if harness.lookup(name) is None:
                raise DataError(f"{where}.write.{canonical}: {name!r} is neither a tool nor a name")
    return harness


FOLDER = os.path.join(os.path.dirname(__file__), "tables")
COMPILED = "fsagent_lint.harnesses.compiled"
"""Written when a wheel is built; a checkout has none."""


# Where a file could be anyone's, the first of these has it.
_FIRST = ("claude-code", "opencode", "copilot", "vscode")


class Tables:
    """Tables beside the built-in ones, or in their place: of the config, and of installed packages."""

    def __init__(self, own: dict[str, Harness] = NO_ENTRIES) -> None:
        self.own = own


_BUILT_IN_ALONE = Tables()
_IN_FORCE = ContextVar("tables", default=_BUILT_IN_ALONE)


def use_tables(own: dict[str, Harness]) -> None:
    """Put tables in force, until others are; each thread has its own."""
    _IN_FORCE.set(Tables(own) if own else _BUILT_IN_ALONE)


def tables_in_force() -> Tables:
    return _IN_FORCE.get()


def harness_ids() -> tuple[str, ...]:
    """The harnesses that there is a table for."""
    ids, own = builtin_ids(), tables_in_force().own
    return (*ids, *(id for id in own if id not in ids)) if own else ids


def get_harness(id: str) -> Harness:
    return tables_in_force().own.get(id) or builtin_harness(id)


@cache
def builtin_ids() -> tuple[str, ...]:
    """A file in `harnesses` is a harness."""
    ids = sorted(name.removesuffix(".toml") for name in os.listdir(FOLDER) if name.endswith(".toml"))
    return (*_FIRST, *(id for id in ids if id not in _FIRST))


@cache
def builtin_harness(id: str) -> Harness:
    """From the Python form that an installed package has of its tables, else from the TOML, which takes far longer."""
    from importlib import import_module

    name = f"{COMPILED}.{module_name(id)}"
    try:
        compiled = import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in (COMPILED, name):
            raise
        return read_table(id, table_source(id))
    harness: Harness = compiled.HARNESS
    return harness


def all_harnesses() -> tuple[Harness, ...]:
    """Every harness that there is a table for."""
    return _harnesses(tables_in_force())


@lru_cache(maxsize=8)
def _harnesses(tables: Tables) -> tuple[Harness, ...]:  # noqa: ARG001
    return tuple(map(get_harness, harness_ids()))


def lenders(id: str, kind: str) -> list[str]:
    """The harnesses whose files of a kind this one reads as well."""
    others = [(each.id, each.kinds.get(kind)) for each in all_harnesses()]
    return [owner for owner, facts in others if facts is not None and id in (*facts.shared_with, *facts.read_by)]


def harnesses_with(name: str) -> list[Harness]:
    """Those that may know a tool's name: in some spelling, and whatever stands before a slash."""
    lower = ascii_lower(name)
    words = {lower, lower.rpartition("/")[2]}
    return [harness for harness in all_harnesses() if not words.isdisjoint(harness.spelling)]


def owners_of_field(name: str, kind: str) -> list[str]:
    """The harnesses to which a field means something in files of a kind."""
    return [harness.id for harness in all_harnesses() if _has_field(harness, name, kind)]


def _has_field(harness: Harness, name: str, kind: str) -> bool:
    field = harness.kinds[kind].fields.get(name) if kind in harness.kinds else None
    return field is not None and bool(field.meaning)


def table_source(id: str) -> bytes:
    with open(os.path.join(FOLDER, f"{id}.toml"), "rb") as file:
        return file.read()


def builtin_table(id: str) -> dict[str, Any]:
    """The data of a table, for others to build on."""
    import tomllib

    return tomllib.loads(table_source(id).decode("utf-8"))


def module_name(id: str) -> str:
    return id.replace("-", "_")


def read_table(id: str, data: bytes) -> Harness:
    import tomllib

    return parse_table(tomllib.loads(data.decode("utf-8")), f"{id}.toml")
