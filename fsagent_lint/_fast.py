"""Optimizations that shorten startup, each with its gain. No other code in the program exists for speed alone.

Figures are shares of the instructions executed to check one file. `__main__` has two more: it exits without tearing
the modules down, and makes the garbage collector run less often (15 % together).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, AnyStr, NoReturn, TypeVar, cast, dataclass_transform, get_type_hints

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    # `typing.NamedTuple` compiles every annotation of every class: 7 % of startup.
    from collections import namedtuple

    class _NamedTupleMeta(type):
        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = body.pop("__annotations__", {})
            defaults = [body.pop(field) for field in fields if field in body]
            tuple_class = namedtuple(name, fields, defaults=defaults, module=body.pop("__module__"))
            tuple_class.__annotations__ = fields
            for key, value in body.items():
                setattr(tuple_class, key, value)
            return tuple_class

    class NamedTuple(metaclass=_NamedTupleMeta):
        """A tuple class with annotated fields and optional methods."""


__all__ = ["NO_ENTRIES", "NamedTuple", "Record", "lazy_patterns", "own_process", "pattern"]

NO_ENTRIES: dict[str, Any] = {}
"""The default of a mapping field in a record; shared, because records are never modified."""

_R = TypeVar("_R", bound="Record")


@dataclass_transform(eq_default=False, frozen_default=True, kw_only_default=True)
class Record:
    """Like a frozen dataclass, but without compiling code for each class: 27 % of startup.

    Records are equal only if they are the same object; to compare their contents, compare their `repr`.
    """

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be set")

    def replace(self: _R, **values: Any) -> _R:
        """A copy of the record with some fields replaced."""
        return type(self)(**{**self.given(), **values})

    def given(self) -> dict[str, Any]:
        """The fields set explicitly, in declaration order; the others have their defaults."""
        return {name: vars(self)[name] for name in get_type_hints(type(self)) if name in vars(self)}

    def __repr__(self) -> str:
        """The expression that creates the record."""
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.given().items())})"


_compile = re.compile


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like `re.compile`, but compiles on first use: 16 % of startup."""
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))


class _Pattern:
    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        """Called only for a missing attribute: the compiled method is stored, so the next use finds it directly."""
        method = getattr(_compile(self._text, self._flags), name)
        setattr(self, name, method)
        return method


_is_own_process = False


def own_process() -> None:
    """Declare that this process runs the command line and nothing else."""
    global _is_own_process
    _is_own_process = True


@contextmanager
def lazy_patterns() -> Iterator[None]:
    """Within this context, another package's patterns are also compiled on first use instead of on import.

    PyYAML's patterns are two thirds of its import cost, and none is used here: 22 % of a startup that needs PyYAML.
    `re.compile` is global, so it is not replaced in a program that merely imports us or that has other threads.
    """
    if not _is_own_process or threading.active_count() > 1:
        yield
        return
    re.compile = pattern  # type: ignore[assignment]
    try:
        yield
    finally:
        re.compile = _compile
