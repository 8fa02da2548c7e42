"""`cached_property` without its lock, which costs more than most of what is cached; Python 3.12 has dropped it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property:  # noqa: N801 - it stands in for the one of functools
        def __init__(self, work):
            self.work, self.__doc__ = work, work.__doc__

        def __set_name__(self, owner, name):
            self.name = name

        def __get__(self, instance, owner=None):
            """Only called while the instance has no value of this name yet."""
            if instance is None:
                return self
            value = instance.__dict__[self.name] = self.work(instance)
            return value


__all__ = ["cached_property"]
