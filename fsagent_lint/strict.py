"""Plain data to dataclasses, strictly: an unknown key or a wrong type is an error that names the legal ones."""

import dataclasses
import difflib
from datetime import date
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin

from fsagent_lint.errors import UserError

T = TypeVar("T")

_NAMES: dict[type, str] = {
    list: "a list",
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
    date: "a date",
    dict: "a table",
}


class DataError(UserError):
    """Wrong data: where, what, and what would be right."""


def load(cls: type[T], data: object, where: str) -> T:
    """Build a dataclass from a TOML table; `kebab-case` keys are `snake_case` fields."""
    if not isinstance(data, dict):
        raise DataError(f"{where}: expected a table")
    fields = {field.name: field for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for key, value in data.items():
        name = key.replace("-", "_")
        if name not in fields or "_" in key:
            raise DataError(f"{where}: unknown key {key!r}{_known(key, fields)}")
        values[name] = convert(fields[name].type, value, f"{where}.{key}")
    for name, field in fields.items():
        if name not in values and field.default is field.default_factory is dataclasses.MISSING:
            raise DataError(f"{where}: missing key {name.replace('_', '-')!r}")
    return cls(**values)


def _known(key: str, fields: dict[str, Any]) -> str:
    legal = [name.replace("_", "-") for name in fields]
    close = difflib.get_close_matches(key, legal, 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"{hint} (known: {', '.join(sorted(legal))})"


def convert(kind: Any, value: object, where: str) -> Any:
    """One value, checked against its annotation."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return convert(next(option for option in args if option is not NoneType), value, where)
    if origin is Literal:
        if value not in args:
            raise DataError(f"{where}: {value!r} is not one of {', '.join(map(str, args))}")
        return value
    if origin is tuple:
        items = _expect(list, value, where)
        return tuple(convert(args[0], item, f"{where}[{number}]") for number, item in enumerate(items))
    if origin is dict:
        return {key: convert(args[1], item, f"{where}.{key}") for key, item in _expect(dict, value, where).items()}
    if dataclasses.is_dataclass(kind):
        return load(kind, value, where)  # type: ignore[arg-type]
    return value if kind is Any else _expect(kind, value, where)


def _expect(kind: type[T], value: object, where: str) -> T:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise DataError(f"{where}: expected {_NAMES.get(kind, kind)}, got {value!r}")
    return value
