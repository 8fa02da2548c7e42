"""Regular expressions that cost nothing until they are used: to compile all of them takes a tenth of a start."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, AnyStr, cast

_compile = re.compile


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` makes of it, but when it is first asked to do something."""
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))


@contextmanager
def postponed() -> Iterator[None]:
    """While it lasts, patterns that another package compiles when it is imported are made the same way.

    Only where no other thread could be compiling one, too: it may want a real one.
    """
    eager = re.compile
    if threading.active_count() == 1:
        re.compile = pattern  # type: ignore[assignment]
    try:
        yield
    finally:
        re.compile = eager


class _Pattern:
    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        """Only called for what is not there yet: from then on, the method stands in its place."""
        method = getattr(_compile(self._text, self._flags), name)
        setattr(self, name, method)
        return method
