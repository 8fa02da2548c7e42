"""What a new version of a harness means for its table: the differences, as the `[[was]]` section that they imply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from conformance.adapter import Adapter
from conformance.adapters import get_adapter, names
from conformance.compare import Change
from conformance.install import published
from conformance.probe import Probe
from conformance.recording import Recorded, Recordings, version_of
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.harnesses.versions import version_key

FIRST = 100
"""How many probes of shapes are tried before the rest: with the inventory and the names, they show most changes."""


class Behind(NamedTuple):
    harness: Harness
    newest: str
    is_there: bool
    """Does the registry have the program of that version for Linux?"""


def outdated() -> Iterator[Behind]:
    """The tables of observed harnesses that are about an older version than the registry has."""
    for id in names():
        adapter, harness = get_adapter(id), get_harness(id)
        newest = adapter.harness_version(published(adapter.package)[0])
        announced, _ = published(adapter.product) if adapter.product else (newest, "")
        if version_key(newest) > version_key(harness.version):
            yield Behind(harness, newest, True)
        elif version_key(announced) > version_key(harness.version):
            yield Behind(harness, announced, False)


def likely_to_change(sets: dict[str, list[Probe]]) -> dict[str, list[Probe]]:
    """The inventory, the names and some shapes: what a new version changes first."""
    first = {name: probes for name, probes in sets.items() if name.startswith("names")}
    shapes = [(name, probe) for name, probes in sets.items() if name.startswith("shape") for probe in probes]
    for name, probe in shapes[:FIRST]:
        first.setdefault(name, []).append(probe)
    return first


def was_section(adapter: Adapter, before: Recordings, after: Recordings, found: Iterable[Change]) -> Iterator[str]:
    """The section for the older version. What is no fact about a tool stands in comments, for a person to word."""
    older, newer = version_of(before), version_of(after)
    harness = get_harness(adapter.id)
    yield "[[was]]"
    yield f'until = "{older}"'
    yield f'source = "recordings of {older}"'
    had, has = _inventory(before), _inventory(after)
    gone, new = sorted(had - has), sorted(has - had)
    for tool in gone:
        grants = list(harness.tools[tool].grants) if tool in harness.tools else []
        yield f"tools.{tool} = {{ grants = {grants!r} }}".replace("'", '"')
    if new:
        yield "without = [" + ", ".join(f'"tools.{tool}"' for tool in new) + "]"
    others = [change for change in found if not _explained(change, {*gone, *new})]
    for change in others:
        yield f"# {change.set}/{change.id}: {_difference(change)}"
    yield ""
    yield "# In the table itself:"
    yield f'# version = "{newer}"'
    yield from (f"# remove tools.{tool}, or make it conditional" for tool in gone)
    yield from (f"# add tools.{tool}" for tool in new if tool not in harness.tools)
    yield from (f"# tools.{tool} is there by default" for tool in new if tool in harness.tools)


def _inventory(found: Recordings) -> frozenset[str]:
    """The tools of agents without MCP servers or other files."""
    cases: list[Recorded] = [each for recording in found.values() for each in recording.probes]
    own = (each for each in cases if each.probe.role == "agent" and not each.probe.servers and not each.probe.files)
    return frozenset(tool for each in own for tool in each.seen.tools or () if "__" not in tool)


def _explained(change: Change, tools: set[str]) -> bool:
    """Is it only that these tools came or went?"""
    one, other = change.before, change.after
    same = (one.loads, one.started, one.ran) == (other.loads, other.started, other.ran)
    return same and {*(one.tools or ())} ^ {*(other.tools or ())} <= tools


def _difference(change: Change) -> str:
    one, other = change.before, change.after
    if (one.loads, one.started) != (other.loads, other.started):
        return f"loads {one.loads}, started {one.started}; now {other.loads}, {other.started}"
    if one.ran != other.ran:
        return f"the call ran: {one.ran}; now {other.ran}"
    had, has = {*(one.tools or ())}, {*(other.tools or ())}
    return (
        f"had {', '.join(sorted(had - has)) or 'nothing'} more, and lacked {', '.join(sorted(has - had)) or 'nothing'}"
    )
