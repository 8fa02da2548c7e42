"""Generated copies of a source folder: the expected files, and how the existing ones differ from them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.copies import State
from fsagent_lint.agent.copy_marker import Marker, content_hash, find_marker, marker_line
from fsagent_lint.files.names import fold
from fsagent_lint.files.tree import TreeFile
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.model.loss import ReportedLoss
from fsagent_lint.model.result import Problem
from fsagent_lint.report.escape import MESSAGE, escape


@dataclasses.dataclass
class SyncResult:
    is_configured: bool = True
    """False if the config has no [sync] section."""
    states: list[tuple[str, State, str]] = dataclasses.field(default_factory=list)
    """Path, state, and the diff to the expected content."""
    losses: list[tuple[str, str, ReportedLoss]] = dataclasses.field(default_factory=list)
    """The path of the copy, its source, and a loss."""
    errors: list[Problem] = dataclasses.field(default_factory=list)
    written: list[str] = dataclasses.field(default_factory=list)
    removed: list[str] = dataclasses.field(default_factory=list)


class Copy(NamedTuple):
    """One generated file."""

    path: str
    source: str
    data: bytes
    companions: tuple[TreeFile, ...] | None = None
    """For a skill: the other files of its folder."""


def add_marker(source: str, data: bytes, *, fenced: bool = True) -> bytes:
    """The generated file with its marker, which names the source and holds a hash of the content.

    `fenced`: the marker is in the frontmatter (a file without one gets none); otherwise it is the first line. Keys,
    values and body are those without the marker.
    """
    parsed = Source("", data)
    origin = escape(source, MESSAGE)  # a line break in a file name would be one in the frontmatter
    line = f"{marker_line(origin, content_hash(data))}{parsed.newline}"
    if not fenced:
        return line.encode("utf-8") + data
    if parsed.problem is not None:
        return data
    at = parsed.yaml.start
    return parsed.to_bytes(parsed.text[:at] + line + parsed.text[at:])


def state_of(copy: Copy, existing: bytes | None) -> State:
    """The state of a copy; one that only a formatter has changed is current, as its content is the same."""
    if existing is None:
        return State.MISSING
    if existing == copy.data:
        return State.CURRENT
    marker = find_marker(existing)
    if marker is None:
        return State.FOREIGN
    if content_hash(existing) != marker.hash:
        return State.EDITED
    return State.CURRENT if content_hash(existing) == content_hash(copy.data) else State.STALE


def orphans(marked: Mapping[str, Marker], wanted: Sequence[Copy], failed: Sequence[str] = ()) -> list[str]:
    """Generated files whose source is gone; one that could not be read or converted is still there."""
    paths = {fold(copy.path) for copy in wanted}
    return sorted(path for path, marker in marked.items() if fold(path) not in paths and marker.source not in failed)
