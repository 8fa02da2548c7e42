"""Tools by the set: a value such as `readonly: true` or `tools: read-only` that stands for several names."""

from __future__ import annotations

from fsagent_lint.frontmatter.values import Value

FORM = "preset"


def preset_word(value: Value) -> str:
    """How a table calls a value that may be a preset; `true` in quotes is text, and no switch."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) and value not in ("true", "false") else ""
