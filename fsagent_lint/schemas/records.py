"""A record as JSON Schema: its fields with their types, defaults and docstrings."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from fsagent_lint._fast import Record

Schema = dict[str, Any]
DIALECT = "https://json-schema.org/draft/2020-12/schema"

_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number"}


class Definitions:
    """The schemas of the records that others refer to.

    `partial`: no key is required, as where a table is laid over another one.
    """

    def __init__(self, *, partial: bool = False) -> None:
        self.partial = partial
        self.found: dict[str, Schema] = {}

    def refer(self, cls: type[Record]) -> Schema:
        if cls.__name__ not in self.found:
            self.found[cls.__name__] = {}  # a record may contain itself
            self.found[cls.__name__] = self.schema(cls)
        return {"$ref": f"#/$defs/{cls.__name__}"}

    def schema(self, cls: type[Record]) -> Schema:
        hints, described = get_type_hints(cls), descriptions(cls)
        properties = {}
        for name, annotation in hints.items():
            schema = self.value(annotation)
            if text := described.get(name):
                schema = {"description": text, **schema}
            default = _plain(getattr(cls, name, None))
            if default not in (None, "", [], {}):
                schema = {**schema, "default": default}
            properties[key(name)] = schema
        required = [key(name) for name in hints if not hasattr(cls, name)]
        found: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
        return {**found, "required": required} if required and not self.partial else found

    def value(self, annotation: Any) -> Schema:
        origin, args = get_origin(annotation), get_args(annotation)
        if origin is UnionType:
            return self.value(next(each for each in args if each is not NoneType))
        if origin is Literal:
            return {"enum": list(args)}
        if origin is tuple:
            return {"type": "array", "items": self.value(args[0])}
        if origin is dict:
            return {"type": "object", "additionalProperties": self.value(args[1])}
        if isinstance(annotation, type) and issubclass(annotation, Record):
            return self.refer(annotation)
        if annotation is date:
            return {"type": "string", "format": "date"}
        return {"type": _TYPES[annotation]} if annotation in _TYPES else {}


def key(name: str) -> str:
    """What a field of a record is called in a file."""
    return name.replace("_", "-")


def descriptions(cls: type[Record]) -> dict[str, str]:
    """The docstring below each field of a record, and of those that it extends."""
    found: dict[str, str] = {}
    for each in reversed([base for base in cls.__mro__ if issubclass(base, Record) and base is not Record]):
        found.update(_documented(each))
    return found


def _documented(cls: type[Record]) -> Iterator[tuple[str, str]]:
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    assert isinstance(definition, ast.ClassDef)
    body = definition.body
    for statement, following in pairwise(body):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            is_text = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
            if is_text and isinstance(following.value.value, str):  # type: ignore[attr-defined]
                yield statement.target.id, re.sub(r"\s+", " ", following.value.value).strip()  # type: ignore[attr-defined]


def _plain(value: object) -> Any:
    """A default as JSON; None for one that is none."""
    if isinstance(value, tuple):
        return list(value)
    return value if isinstance(value, (str, bool, int, float, dict)) else None
