"""Versions of harnesses in a config: wherever a harness is named, `claude-code@2.1.197` may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fsagent_lint.errors import DataError


def split_versions(data: dict[str, Any], where: str) -> dict[str, Any]:
    """The same options with plain ids; each version becomes `[harness.<id>] version`."""
    versions = _Versions(where)
    found = _changed(data, "target", versions.plain)
    found = _changed(found, "tool-format", lambda forms: {versions.plain(id): form for id, form in forms.items()})
    found = _changed(found, "sync", lambda sync: _changed(sync, "targets", versions.plain))
    found = _changed(found, "paths", lambda paths: _each(paths, lambda path: _changed(path, "harness", versions.plain)))
    found = _changed(found, "enrich", lambda entries: _each(entries, versions.in_condition))
    options: dict[str, Any] = (
        _changed({"harness": {}, **found}, "harness", versions.add_to) if versions.found else found
    )
    return options


class _Versions:
    def __init__(self, where: str) -> None:
        self.where = where
        self.found: dict[str, str] = {}

    def plain(self, name: Any) -> Any:
        """The id in a name or a list of them, whose versions are kept."""
        if not isinstance(name, str):
            return _each(name, self.plain)
        id, separator, version = name.partition("@")
        if separator and self.found.setdefault(id, version) != version:
            raise DataError(f"{self.where}: {id} {self.found[id]} and {version}: a run has one version of a harness")
        return id

    def in_condition(self, entry: Any) -> Any:
        return _changed(entry, "when", lambda when: _changed(when, "harness", self.plain))

    def add_to(self, tables: Any) -> Any:
        if not isinstance(tables, dict):
            return tables
        return tables | {id: self._with_version(tables.get(id, {}), id) for id in self.found}

    def _with_version(self, table: Any, id: str) -> Any:
        if not isinstance(table, dict):
            return table
        if table.get("version", self.found[id]) != self.found[id]:
            raise DataError(
                f"{self.where}.harness.{id}.version: {table['version']!r}, and {self.found[id]!r} elsewhere"
            )
        return {**table, "version": self.found[id]}


def _changed(data: Any, key: str, change: Callable[[Any], Any]) -> Any:
    return {**data, key: change(data[key])} if isinstance(data, dict) and key in data else data


def _each(values: Any, change: Callable[[Any], Any]) -> Any:
    return [change(each) for each in values] if isinstance(values, list) else values
