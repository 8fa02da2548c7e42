"""Merging the data of tables: a table that extends another one, and what was different in an older version."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fsagent_lint._fast import Record

Data = dict[str, Any]

REST = "..."
"""In a list: the entries of the table below."""


def merge_tables(base: Data, change: Data) -> Data:
    """Tables are merged key by key; any other value replaces the one before, which a list may include with `...`."""
    merged = dict(base)
    for key, value in change.items():
        before = base.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            merged[key] = merge_tables(before, value)
        elif isinstance(value, list) and REST in value:
            at = value.index(REST)
            merged[key] = [*value[:at], *(before if isinstance(before, list) else []), *value[at + 1 :]]
        else:
            merged[key] = value
    return merged


def remove_entries(data: Data, paths: Iterable[str]) -> Data:
    """The same table without some entries: `names.TaskOutput`."""
    for path in paths:
        first, _, rest = path.partition(".")
        inner = data.get(first)
        if not rest:
            data = {key: value for key, value in data.items() if key != first}
        elif isinstance(inner, dict):
            data = {**data, first: remove_entries(inner, [rest])}
    return data


def record_data(value: object) -> Any:
    """The data that a record was loaded from."""
    if isinstance(value, Record):
        return {name.replace("_", "-"): record_data(each) for name, each in value.given().items()}
    if isinstance(value, tuple):
        return [record_data(each) for each in value]
    return {key: record_data(each) for key, each in value.items()} if isinstance(value, dict) else value
