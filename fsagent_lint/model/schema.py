"""Converting plain data to records, strictly: an unknown key or a wrong type is an error that names the valid ones."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from fsagent_lint._fast import Record
from fsagent_lint.errors import DataError

T = TypeVar("T")
R = TypeVar("R", bound=Record)

_FIELD_TYPES: dict[type[Record], dict[str, Any]] = {}
_TYPE_NAMES: dict[type, str] = {
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
    fields = _FIELD_TYPES.get(cls) or _FIELD_TYPES.setdefault(cls, get_type_hints(cls))
    values: dict[str, Any] = {}
    for key, value in data.items():
        name = key.replace("-", "_")
        if name not in fields or "_" in key:
            raise DataError(f"{where}: unknown key {key!r}{_suggest_key(key, fields)}")
        values[name] = convert_value(fields[name], value, f"{where}.{key}")
    for name in fields:
        if name not in values and not hasattr(cls, name):
            raise DataError(f"{where}: missing key {name.replace('_', '-')!r}")
    return cls(**values)


def _suggest_key(key: str, fields: Iterable[str]) -> str:
    import difflib

    valid = [name.replace("_", "-") for name in fields]
    close = difflib.get_close_matches(key, valid, 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"{hint} (known: {', '.join(sorted(valid))})"


def convert_value(annotation: Any, value: object, where: str) -> Any:
    """Convert one value, and check it against its annotation."""
    origin, args = get_origin(annotation), get_args(annotation)
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
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return load_record(annotation, value, where)
    return value if annotation is Any else _expect(annotation, value, where)


def _expect(expected: type[T], value: object, where: str) -> T:
    if not isinstance(value, expected) or (expected is int and isinstance(value, bool)):
        raise DataError(f"{where}: expected {_TYPE_NAMES.get(expected, expected)}, got {value!r}")
    return value
