"""Regular expressions that cost nothing until they are used: to compile all of them takes a tenth of a start."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` makes of it, but when it is first asked to do something."""
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))


class _Pattern:
    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        """Only called for what is not there yet: from then on, the method stands in its place."""
        method = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, method)
        return method
