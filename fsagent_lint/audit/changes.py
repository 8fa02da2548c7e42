"""What changed between two audits: agents that came or went, and capabilities that an agent gained or lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fsagent_lint.audit.facts import (
    CALLED,
    CAPABILITIES,
    WIDEST,
    Change,
    Entry,
    Grant,
    Reading,
    Remark,
    Shift,
    State,
    Violation,
)

ADDED, REMOVED, CHANGED = "added", "removed", "changed"
_NO, _YES = "no", "yes"


def changes(before: Sequence[Entry], after: Sequence[Entry]) -> Iterator[Change]:
    """The differences of agents with the same path, kind and name, in each harness."""
    old, new = ({entry.key: entry for entry in entries} for entries in (before, after))
    for key in sorted({*old, *new}):
        was, entry = old.get(key), new.get(key)
        what = ADDED if was is None else REMOVED if entry is None else CHANGED
        readings_before, readings = _by_harness(was), _by_harness(entry)
        for harness in dict.fromkeys((*readings, *readings_before)):
            shifts = tuple(_shifts(readings_before.get(harness), readings.get(harness)))
            if shifts or what != CHANGED:
                yield Change(*key, harness, what, shifts)


def _by_harness(entry: Entry | None) -> dict[str, Reading]:
    return {reading.harness: reading for reading in entry.readings} if entry is not None else {}


def _shifts(before: Reading | None, after: Reading | None) -> Iterator[Shift]:
    for capability in CAPABILITIES:
        one, other = (_grant(reading, capability) for reading in (before, after))
        if (one.state, set(one.scopes)) != (other.state, set(other.scopes)):
            if one.state.is_granted or other.state.is_granted:
                yield Shift(capability, describe(one), describe(other), _is_gain(one, other))
    for capability in CAPABILITIES:
        ways = [reading.reaches.get(capability, ()) if reading is not None else () for reading in (before, after)]
        if bool(ways[0]) != bool(ways[1]):
            one_way, other_way = (" > ".join(each) or _NO for each in ways)
            yield Shift(f"{capability}:{CALLED}", one_way, other_way, bool(ways[1]))
    for name, was, is_now in (
        ("unrestricted", before is not None and before.unrestricted, after is not None and after.unrestricted),
        ("loads", before is not None and before.loads, after is not None and after.loads),
    ):
        if was != is_now and ((before is not None and after is not None) or name != "loads"):
            yield Shift(name, _YES if was else _NO, _YES if is_now else _NO, is_now)


def _grant(reading: Reading | None, capability: str) -> Grant:
    return reading.grant(capability) if reading is not None else Grant(State.DENIED)


def describe(grant: Grant) -> str:
    return f"{grant.state}: {', '.join(grant.scopes)}" if grant.scopes else grant.state.value


def _is_gain(before: Grant, after: Grant) -> bool:
    """Is it wider: a wider state, or the same one with other uses?"""
    if before.state is after.state:
        return not set(after.scopes) <= set(before.scopes)
    return WIDEST.index(after.state) < WIDEST.index(before.state)


def gains(found: Sequence[Change]) -> dict[str, int]:
    """How many agents gained each capability; one that was added has gained all that it has."""
    agents = {(change.path, change.kind, change.name, shift.name) for change in found for shift in change.gained}
    return dict(Counter(name for *_, name in sorted(agents)))


def mark_known(found: Sequence[Violation], before: Sequence[Violation]) -> list[Violation]:
    """Violations, those marked that were there before; the line does not matter."""
    known = {each._replace(line=0, message="") for each in before}
    return [each._replace(known=each._replace(line=0, message="") in known) for each in found]


def without_known(findings: Sequence[Remark], before: Sequence[Remark]) -> tuple[Remark, ...]:
    """The findings that were not there before, wherever in the file they are."""
    known = Counter(each._replace(line=0) for each in before)
    fresh = []
    for each in findings:
        key = each._replace(line=0)
        known[key] -= 1
        if known[key] < 0:
            fresh.append(each)
    return tuple(fresh)
