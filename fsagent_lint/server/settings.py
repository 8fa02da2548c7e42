"""What editors can set: the section `fsagent-lint` of their settings, or the initialization options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from lsprotocol import types as lsp

from fsagent_lint._fast import NamedTuple

Hints = Literal["auto", "inlay", "lens", "off"]
_HINTS: tuple[Hints, ...] = ("auto", "inlay", "lens", "off")
SECTION = "fsagent-lint"


class EditorSettings(NamedTuple):
    hints: Hints = "auto"
    """How to show what harnesses grant. auto: as inlay hints, or as code lenses if the editor has none."""

    def shows(self, how: Hints, capabilities: lsp.ClientCapabilities) -> bool:
        if self.hints != "auto":
            return self.hints == how
        document = capabilities.text_document
        has_inlay = document is not None and document.inlay_hint is not None
        return how == ("inlay" if has_inlay else "lens")


_DEFAULTS = EditorSettings()


def read_settings(values: object, before: EditorSettings = _DEFAULTS) -> EditorSettings:
    """What is not set stays as it was. Unknown keys and values are left out: other versions may know them."""
    if isinstance(values, Mapping) and isinstance(values.get(SECTION), Mapping):
        values = values[SECTION]
    hints: Any = values.get("hints") if isinstance(values, Mapping) else None
    return before._replace(hints=hints) if hints in _HINTS else before
