"""Fields that a copy gets for one harness alone: from `x-<harness>` in its source, or from the config."""

from __future__ import annotations

from collections.abc import Mapping

from fsagent_lint.errors import UserError
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.dump import field_text
from fsagent_lint.frontmatter.edits import Edit, apply_edits, whole_lines
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.frontmatter.values import Value, core, evaluate_entries


def override(data: bytes, fields: Mapping[str, Value]) -> bytes:
    """Set frontmatter fields; UserError if the file would not say just that, and everything else as before."""
    if not fields:
        return data
    if Source("", data).problem is not None:
        raise UserError(f"has no frontmatter, so {_listing(fields)} cannot be set")
    result = data
    try:
        for key, value in fields.items():
            result = _set(result, key, value)
    except UnicodeEncodeError:  # half of a surrogate pair
        result = b""
    if _values(result) != {**_values(data), **fields}:
        raise UserError(f"cannot be written with the overrides of {_listing(fields)}")
    return result


def _listing(fields: Mapping[str, Value]) -> str:
    return ", ".join(f"`{key}`" for key in fields)


def _values(data: bytes) -> dict[str, Value]:
    return evaluate_entries(Document(Source("", data)).entries, core)


def _set(data: bytes, key: str, value: Value) -> bytes:
    source = Source("", data)
    entry = Document(source).get(key)
    line = field_text(key, value, source.newline) + source.newline
    end = source.yaml.end
    span = whole_lines(source.text, entry.start, entry.end) if entry is not None else Span(end, end)
    return source.to_bytes(apply_edits(source.text, [Edit(span, line)]))


def overrides_for(settings: Mapping[str, Mapping[str, Value]], harness: str, name: str) -> dict[str, Value]:
    """The overrides for a harness in the config: those for every agent, then those for this one."""
    table = settings.get(harness, {})
    common = {key: value for key, value in table.items() if not isinstance(value, dict)}
    own = table.get(name, {})
    return {**common, **own} if isinstance(own, dict) else common


def own_fields(data: Mapping[str, Value], harness: str) -> dict[str, Value]:
    """The fields that a source file has for one harness, under `x-<harness>`."""
    found = data.get(f"x-{harness}")
    return dict(found) if isinstance(found, dict) else {}
