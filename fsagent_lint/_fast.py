"""Tricks that make a start cheaper, each with what it buys. Nothing else in the program is written for speed alone.

Figures are shares of the instructions that a check of one file takes. `__main__` has two more: it leaves without
taking the modules apart, and lets the garbage collector look less often (15 % together).
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
    # `typing.NamedTuple` compiles every annotation of every class: 7 % of a start.
    from collections import namedtuple

    class _NamedTuples(type):
        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = body.pop("__annotations__", {})
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body.pop("__module__"))
            made.__annotations__ = fields
            for key, value in body.items():
                setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_NamedTuples):
        """A class with annotated fields, and methods if it likes."""


__all__ = ["NO_ENTRIES", "NamedTuple", "Record", "own_process", "pattern", "postponed"]

NO_ENTRIES: dict[str, Any] = {}
"""The default of a mapping in a record; shared, as nothing in a record is ever changed."""

_R = TypeVar("_R", bound="Record")


@dataclass_transform(eq_default=False, frozen_default=True, kw_only_default=True)
class Record:
    """What a frozen dataclass is, without compiling code for each class: 27 % of a start.

    Two records are equal if they are the same one; who needs to compare them compares their `repr`.
    """

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be set")

    def replace(self: _R, **values: Any) -> _R:
        """Another record that differs in some fields."""
        return type(self)(**{**self.given(), **values})

    def given(self) -> dict[str, Any]:
        """The fields that were given, in their order; the others have their defaults."""
        return {name: vars(self)[name] for name in get_type_hints(type(self)) if name in vars(self)}

    def __repr__(self) -> str:
        """The expression that makes the record."""
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.given().items())})"


_compile = re.compile


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` makes of it, but when it is first used: 16 % of a start."""
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))


class _Pattern:
    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        """Only called for what is not there yet: from then on, the method stands in its place."""
        method = getattr(_compile(self._text, self._flags), name)
        setattr(self, name, method)
        return method


_is_own_process = False


def own_process() -> None:
    """Say that this process runs the command line and nothing else."""
    global _is_own_process
    _is_own_process = True


@contextmanager
def postponed() -> Iterator[None]:
    """While it lasts, patterns that another package compiles when it is imported are made the same way.

    PyYAML's are two thirds of its price, and none of them is used here: 22 % of a start that needs it. `re.compile` is
    everybody's, so a program that merely imports us is left alone, and so is one that has other threads.
    """
    if not _is_own_process or threading.active_count() > 1:
        yield
        return
    re.compile = pattern  # type: ignore[assignment]
    try:
        yield
    finally:
        re.compile = _compile
