"""Harness tables that a config adds or corrects: each merged over the table that it extends, and checked."""

from __future__ import annotations

import os
import re
from typing import Any

from fsagent_lint._fast import NamedTuple
from fsagent_lint.effect.table_check import check_table
from fsagent_lint.errors import DataError, UserError
from fsagent_lint.files.border import project_of
from fsagent_lint.files.read import exists, read_installed
from fsagent_lint.files.toml import parse_toml, read_toml
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.merge import Data, merge_tables, record_data
from fsagent_lint.harnesses.tables import builtin_harness, builtin_ids, builtin_table, parse_table
from fsagent_lint.harnesses.versions import at_version, check_reference
from fsagent_lint.project.settings import Options
from fsagent_lint.suggest import nearest

MAX_TABLES = 50
"""How many tables a config may bring: each costs as much as a built-in one that it extends."""
# What a harness does not inherit from the one that it extends: its name, the facts about it, and its folders.
_NOT_INHERITED = (
    "id",
    "title",
    "version",
    "edition",
    "oldest",
    "was",
    "pinned",
    "verified",
    "sources",
    "unverified",
    "surprises",
)
_KIND_PLACES = ("globs", "names", "path", "shared-with", "read-by")


class _Layer(NamedTuple):
    data: Data
    where: str
    version: str = ""
    """The version of the built-in table that this changes; empty: the newest."""


def own_tables(options: Options, where: str, folder: str) -> dict[str, Harness]:
    """The tables of a config file: `harness-tables` first, then what `[harness.<id>]` adds or changes."""
    if len(options.harness_tables) + len(options.harness) > MAX_TABLES:
        raise DataError(f"{where}: more than {MAX_TABLES} harness tables")
    layers: dict[str, list[_Layer]] = {}
    for number, name in enumerate(options.harness_tables):
        id, layer = _load(name, f"{where}.harness-tables[{number}]", folder)
        layers.setdefault(id, []).append(layer)
    for id, data in options.harness.items():
        layers.setdefault(id, []).append(_config_layer(id, data, f"{where}.harness.{id}"))
    tables = _Tables(layers)
    return {id: tables.harness(id) for id in layers}


def _config_layer(id: str, data: Data, where: str) -> _Layer:
    """In a config, `version` of a built-in harness is the one that the project's people run."""
    version = data.get("version")
    if id not in builtin_ids() or "extends" in data or not isinstance(version, str):
        return _Layer(data, where)
    try:
        check_reference(builtin_harness(id), version)
    except UserError as error:
        raise DataError(f"{where}.version: {error}") from None
    return _Layer({key: value for key, value in data.items() if key != "version"}, where, version)


def installed_harness(id: str) -> Harness | None:
    """The table of an installed package for a harness that is not built in."""
    found = installed_table(id)
    return _Tables({id: [_Layer(*found)]}).harness(id) if found is not None else None


def _load(name: str, where: str, folder: str) -> tuple[str, _Layer]:
    """A file next to the config, or a harness of an installed package."""
    if not name.endswith(".toml"):
        found = installed_table(name) if name not in builtin_ids() else None
        if found is None:
            wanted = "a .toml file nor a harness of an installed package"
            raise DataError(f"{where}: {name!r} is neither {wanted}")
        return name, _Layer(*found)
    if os.path.isabs(name) or ".." in re.split(r"[/\\]", name):
        raise DataError(f"{where}: {name!r}: a table must be in the folder of the config, or below it")
    path = os.path.join(folder, name)
    data = read_toml(path, project_of(folder))
    id = data.get("id")
    return id if isinstance(id, str) else os.path.basename(name).removesuffix(".toml"), _Layer(data, path)


class _Tables:
    """Layers of tables, put together: each table once, however many others extend it."""

    def __init__(self, layers: dict[str, list[_Layer]]) -> None:
        self._layers = layers
        self._merged: dict[str, Data] = {}

    def harness(self, id: str) -> Harness:
        where = self._layers[id][-1].where
        data = self._data(id, ())
        try:
            harness = parse_table({"id": id, "title": id, **data}, where)
        except DataError as error:
            guess = nearest(id, builtin_ids()) if id not in builtin_ids() else None
            raise DataError(f"{error}; did you mean `{guess}`?" if guess else str(error)) from None
        if harness.id != id:
            raise DataError(f"{where}.id: {harness.id!r}, but the table defines {id!r}")
        check_table(harness, where, {*builtin_ids(), *self._layers})
        return harness

    def _data(self, id: str, chain: tuple[str, ...]) -> Data:
        """All layers of a harness merged; later layers win."""
        if id not in self._merged:
            data = self._builtin(id)
            for layer in self._layers.get(id, []):
                parent = layer.data.get("extends")
                if parent is not None:
                    data = merge_tables(self._inherited(parent, (*chain, id), f"{layer.where}.extends"), data)
                data = merge_tables(data, {key: value for key, value in layer.data.items() if key != "extends"})
            self._merged[id] = data
        return self._merged[id]

    def _builtin(self, id: str) -> Data:
        """The built-in table that the layers change, of the version that one of them names."""
        if id not in builtin_ids():
            return {}
        version = next((layer.version for layer in self._layers.get(id, []) if layer.version), "")
        data: Data = record_data(at_version(builtin_harness(id), version)) if version else builtin_table(id)
        return data

    def _inherited(self, parent: object, chain: tuple[str, ...], where: str) -> Data:
        if not isinstance(parent, str) or parent not in {*builtin_ids(), *self._layers}:
            raise DataError(f"{where}: {parent!r} is not one of {', '.join([*builtin_ids(), *self._layers])}")
        if parent in chain:
            raise DataError(f"{where}: {' extends '.join([*chain, parent])}")
        data = {key: value for key, value in self._data(parent, chain).items() if key not in _NOT_INHERITED}
        kinds = data.get("kinds")
        if isinstance(kinds, dict):
            data["kinds"] = {name: _without_place(kind) for name, kind in kinds.items()}
        return data


def _without_place(kind: Any) -> Any:
    return {key: value for key, value in kind.items() if key not in _KIND_PLACES} if isinstance(kind, dict) else kind


HARNESS_GROUP = "fsagent_lint.harnesses"


def installed_table(id: str) -> tuple[dict[str, Any], str] | None:
    """The data of a table, and the file that it comes from; None if no package provides one."""
    from importlib.metadata import entry_points

    points = list(entry_points(group=HARNESS_GROUP, name=id))
    if not points:
        return None
    path = _find(points[0].value, f"{id}.toml")
    if path is None:
        raise UserError(f"The package `{points[0].value}` declares the harness `{id}`, but has no {id}.toml.")
    return parse_toml(read_installed(path), path), path


def _find(package: str, file: str) -> str | None:
    """A file of a package; only the outermost package is looked up, since finding an inner one would run its code."""
    from importlib.util import find_spec

    outer, *inner = package.partition(":")[0].strip().split(".")
    try:
        spec = find_spec(outer)
    except (ImportError, ValueError):
        return None
    folders = spec.submodule_search_locations if spec is not None else None
    paths = [os.path.join(folder, *inner, file) for folder in folders or ()]
    return next((path for path in paths if exists(path)), None)
