"""Generated copies of a source folder: what should be there, and how what is there differs from it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.copy_marker import Marker, content_hash, find_marker, marker_line
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.edits import quote
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.report.escape import MESSAGE, escape


class State(StrEnum):
    CURRENT = "current"
    MISSING = "missing"
    STALE = "stale"
    EDITED = "edited by hand"
    FOREIGN = "not generated"
    ORPHAN = "orphaned"


class Copy(NamedTuple):
    """One generated file."""

    path: str
    source: str
    data: bytes


def stamp(source: str, data: bytes, *, fenced: bool = True) -> bytes:
    """The generated file with its marker, which says where it comes from and what it was.

    `fenced`: it goes into the frontmatter, and without one there is none; else it is the first line.
    """
    head = Source("", data)
    origin = escape(source, MESSAGE)  # a line end in a file name would be one in the frontmatter
    line = f"{marker_line(origin, content_hash(data))}{head.newline}"
    if not fenced:
        return line.encode("utf-8") + data
    if head.problem is not None:
        return data
    at = head.yaml.start
    return head.to_bytes(head.text[:at] + line + head.text[at:])


def judge(copy: Copy, there: bytes | None) -> State:
    """A copy that only a formatter has been at is current: what it says is the same."""
    if there is None:
        return State.MISSING
    if there == copy.data:
        return State.CURRENT
    marker = find_marker(there)
    if marker is None:
        return State.FOREIGN
    if content_hash(there) != marker.hash:
        return State.EDITED
    return State.CURRENT if content_hash(there) == content_hash(copy.data) else State.STALE


def override(data: bytes, fields: Mapping[str, Value]) -> bytes:
    """Set frontmatter fields that one harness needs and the source does not have."""
    for key, value in fields.items():
        source = Source("", data)
        entry = Document(source).get(key)
        line = _field_line(key, value, source.newline)
        if entry is not None:
            end = re.compile(r"[\r\n]|\Z").search(source.text, entry.end)
            assert end is not None
            text = source.text[: entry.start] + line + source.text[end.start() :]
        else:
            at = source.yaml.end
            text = source.text[:at] + line + source.newline + source.text[at:]
        data = source.to_bytes(text)
    return data


def _field_line(key: str, value: Value, newline: str) -> str:
    if isinstance(value, dict):
        lines = [f"{key}:", *(f"  {quote(name)}: {_scalar(each)}" for name, each in value.items())]
        return newline.join(lines)
    if isinstance(value, list):
        return f"{key}: [{', '.join(_scalar(item) for item in value)}]"
    return f"{key}: {_scalar(value)}"


def _scalar(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return quote(value) if isinstance(value, str) else str(value)


def overrides_for(settings: Mapping[str, Value], harness: str, name: str) -> dict[str, Value]:
    """Of the config's table for a harness: what holds for every agent, then what holds for this one."""
    table = settings.get(harness, {})
    if not isinstance(table, dict):
        return {}
    common = {key: value for key, value in table.items() if not isinstance(value, dict)}
    own = table.get(name, {})
    return {**common, **own} if isinstance(own, dict) else common


def own_fields(data: Mapping[str, Value], harness: str) -> dict[str, Value]:
    """What a source file keeps for one harness under `x-<harness>`."""
    found = data.get(f"x-{harness}")
    return dict(found) if isinstance(found, dict) else {}


def unexpected(marked: Mapping[str, Marker], wanted: Sequence[Copy]) -> list[str]:
    """Generated files that no source asks for any more."""
    paths = {copy.path for copy in wanted}
    return sorted(path for path in marked if path not in paths)
