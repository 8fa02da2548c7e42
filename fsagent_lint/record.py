"""Frozen records whose fields are their annotations: what a dataclass is, without its price.

Defining a dataclass compiles code. The fifteen records of the tables and of the config would cost a sixth of a start.
"""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar, dataclass_transform, get_type_hints

NO_ENTRIES: dict[str, Any] = {}
"""The default of a mapping; shared, as nothing in a record is ever changed."""


R = TypeVar("R", bound="Record")


@dataclass_transform(eq_default=False, frozen_default=True, kw_only_default=True)
class Record:
    """Two records are equal if they are the same one; who needs to compare them compares their `repr`."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be set")

    def replace(self: R, **values: Any) -> R:
        """Another record that differs in some fields."""
        return type(self)(**{**self.given(), **values})

    def given(self) -> dict[str, Any]:
        """The fields that were given, in their order; the others have their defaults."""
        return {name: vars(self)[name] for name in get_type_hints(type(self)) if name in vars(self)}

    def __repr__(self) -> str:
        """The expression that makes the record."""
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.given().items())})"
