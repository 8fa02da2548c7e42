"""Plain data to records, strictly: an unknown key or a wrong type is an error that names the legal ones."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from fsagent_lint._fast import Record
from fsagent_lint.errors import DataError

T = TypeVar("T")
R = TypeVar("R", bound=Record)

_TYPES: dict[type[Record], dict[str, Any]] = {}
_NAMES: dict[type, str] = {
    list: "a list",
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
    date: "a date",
    dict: "a table",
}


def load_record(cls: type[R], data: object, where: str) -> R:
    """Build a record from a TOML table; `kebab-case` keys are `snake_case` fields."""
    if not isinstance(data, dict):
        raise DataError(f"{where}: expected a table")
    fields = _TYPES.get(cls) or _TYPES.setdefault(cls, get_type_hints(cls))
    values: dict[str, Any] = {}
    for key, value in data.items():
        name = key.replace("-", "_")
        if name not in fields or "_" in key:
            raise DataError(f"{where}: unknown key {key!r}{_known(key, fields)}")
        values[name] = convert_value(fields[name], value, f"{where}.{key}")
    for name in fields:
        if name not in values and not hasattr(cls, name):
            raise DataError(f"{where}: missing key {name.replace('_', '-')!r}")
    return cls(**values)


def _known(key: str, fields: Iterable[str]) -> str:
    import difflib

    legal = [name.replace("_", "-") for name in fields]
    close = difflib.get_close_matches(key, legal, 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"{hint} (known: {', '.join(sorted(legal))})"


def convert_value(kind: Any, value: object, where: str) -> Any:
    """One value, checked against its annotation."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return convert_value(next(option for option in args if option is not NoneType), value, where)
    if origin is Literal:
        if value not in args:
            raise DataError(f"{where}: {value!r} is not one of {', '.join(map(str, args))}")
        return value
    if origin is tuple:
        items = _expect(list, value, where)
        return tuple(convert_value(args[0], item, f"{where}[{number}]") for number, item in enumerate(items))
    if origin is dict:
        return {
            key: convert_value(args[1], item, f"{where}.{key}") for key, item in _expect(dict, value, where).items()
        }
    if isinstance(kind, type) and issubclass(kind, Record):
        return load_record(kind, value, where)
    return value if kind is Any else _expect(kind, value, where)


def _expect(kind: type[T], value: object, where: str) -> T:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise DataError(f"{where}: expected {_NAMES.get(kind, kind)}, got {value!r}")
    return value
