"""Presets: a value such as `readonly: true` or `tools: read-only` that stands for several names."""

from __future__ import annotations

from fsagent_lint.frontmatter.values import Value

FORM = "preset"


def preset_word(value: Value) -> str:
    """The name that a table would use for a value as a preset; a quoted `true` is text, not a preset."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) and value not in ("true", "false") else ""
