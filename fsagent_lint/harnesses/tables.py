"""The active tables: the built-in ones, and those from a config or an installed package."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from typing import Any

from fsagent_lint._fast import NO_ENTRIES
from fsagent_lint.errors import DataError
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.model.choices import unknown_choice
from fsagent_lint.model.schema import load_record
from fsagent_lint.suggest import ascii_lower


def parse_table(data: object, where: str) -> Harness:
    """A table from its data, including checks that types cannot express."""
    harness = load_record(Harness, _with_changes(data), where)
    for name, value in harness.names.items():
        for native in value.gives:
            if native not in harness.tools:
                raise DataError(f"{where}.names.{name}: gives {native!r}, which is not one of the tools")
    for canonical, names in harness.write.items():
        for name in names:
            if harness.lookup(name) is None:
                raise DataError(f"{where}.write.{canonical}: {name!r} is neither a tool nor a name")
    return harness


_WAS = ("until", "source", "without")


def _with_changes(data: object) -> object:
    """A section `[[was]]` has keys of its own, and all those of a table."""
    if not isinstance(data, dict) or not isinstance(data.get("was"), list):
        return data
    return {**data, "was": [_change(each) if isinstance(each, dict) else each for each in data["was"]]}


def _change(was: dict[str, Any]) -> dict[str, Any]:
    change = {**was.get("change", {}), **{key: value for key, value in was.items() if key not in (*_WAS, "change")}}
    return {**{key: was[key] for key in _WAS if key in was}, "change": change}


FOLDER = os.path.join(os.path.dirname(__file__), "tables")
COMPILED = "fsagent_lint.harnesses.compiled"
"""Generated when a wheel is built; a checkout has no such package."""


# A file that could belong to several harnesses is attributed to the first of these.
_PREFERRED = ("claude-code", "opencode", "copilot", "vscode")


CustomTools = Mapping[str, Mapping[str, str] | None]
"""Custom tool to its name in each harness that has it; None: every harness writes it in its form for custom tools."""


class Tables:
    """What adds to or replaces the built-in tables, from the config and from installed packages."""

    def __init__(
        self, own: dict[str, Harness] = NO_ENTRIES, custom: CustomTools = NO_ENTRIES, notes: tuple[str, ...] = ()
    ) -> None:
        self.own, self.custom, self.notes = own, custom, notes


_BUILT_IN_ONLY = Tables()
_ACTIVE = ContextVar("tables", default=_BUILT_IN_ONLY)


def use_tables(own: dict[str, Harness], custom: CustomTools = NO_ENTRIES, notes: tuple[str, ...] = ()) -> None:
    """Activate tables and custom tools until the next call; each thread has its own.

    `notes`: what to know about the versions in force.
    """
    _ACTIVE.set(Tables(own, custom, notes) if own or custom or notes else _BUILT_IN_ONLY)


@contextmanager
def in_force(tables: Tables) -> Iterator[None]:
    """Activate tables for a while."""
    token = _ACTIVE.set(tables)
    try:
        yield
    finally:
        _ACTIVE.reset(token)


def active_tables() -> Tables:
    return _ACTIVE.get()


def harness_ids() -> tuple[str, ...]:
    """The harnesses that have a table."""
    ids, own = builtin_ids(), active_tables().own
    return (*ids, *(id for id in own if id not in ids)) if own else ids


def get_harness(id: str) -> Harness:
    """The harness with an id, in the version in force; or in another one: `claude-code@2.1.197`."""
    found = active_tables().own.get(id)
    if found is not None:
        return found
    if "@" not in id:
        return builtin_harness(id)
    from fsagent_lint.harnesses.versions import at_version, split_reference

    id, version = split_reference(id)
    return at_version(get_harness(id), version)


def find_harness(reference: str) -> Harness:
    """The harness that a caller names; UserError, which suggests, if there is no such harness."""
    if plain_id(reference) not in harness_ids():
        raise unknown_choice("harness", plain_id(reference), harness_ids())
    return get_harness(reference)


@cache
def builtin_ids() -> tuple[str, ...]:
    """Each file in the folder is a harness."""
    ids = sorted(name.removesuffix(".toml") for name in os.listdir(FOLDER) if name.endswith(".toml"))
    return (*_PREFERRED, *(id for id in ids if id not in _PREFERRED))


@cache
def builtin_harness(id: str) -> Harness:
    """Loaded from the compiled Python form in an installed package, otherwise from TOML, which is far slower."""
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


def plain_id(reference: str) -> str:
    """The id in `claude-code@2.1.197`."""
    return reference.partition("@")[0]


def all_harnesses() -> tuple[Harness, ...]:
    """Every harness that has a table."""
    return _harnesses(active_tables())


@lru_cache(maxsize=8)
def _harnesses(tables: Tables) -> tuple[Harness, ...]:  # noqa: ARG001
    return tuple(map(get_harness, harness_ids()))


def harnesses_read_by(id: str, kind: str) -> list[str]:
    """The other harnesses whose files of a kind this one reads too."""
    others = [(each.id, each.kinds.get(kind)) for each in all_harnesses()]
    return [owner for owner, facts in others if facts is not None and id in (*facts.shared_with, *facts.read_by)]


def harnesses_with_name(name: str) -> list[Harness]:
    """Harnesses that may know a tool name, in any letter case and with any prefix before a slash."""
    lower = ascii_lower(name)
    last = lower.rpartition("/")[2]
    return [harness for harness in all_harnesses() if lower in harness.spelling or last in harness.spelling]


def harnesses_with_field(name: str, kind: str) -> list[str]:
    """The harnesses that use a field in files of a kind."""
    return [harness.id for harness in all_harnesses() if _uses_field(harness, name, kind)]


def _uses_field(harness: Harness, name: str, kind: str) -> bool:
    field = harness.kinds[kind].fields.get(name) if kind in harness.kinds else None
    return field is not None and bool(field.meaning)


def table_source(id: str) -> bytes:
    with open(os.path.join(FOLDER, f"{id}.toml"), "rb") as file:
        return file.read()


def builtin_table(id: str) -> dict[str, Any]:
    """The data of a table, for other tables to extend."""
    import tomllib

    return tomllib.loads(table_source(id).decode("utf-8"))


def module_name(id: str) -> str:
    return id.replace("-", "_")


def read_table(id: str, data: bytes) -> Harness:
    import tomllib

    return parse_table(tomllib.loads(data.decode("utf-8")), f"{id}.toml")
