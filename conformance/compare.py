"""How the behaviour of a harness has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from conformance.probe import Observation
from conformance.recording import Recorded, Recording, comparable
from conformance.words import SHOWN, grouped


class Change(NamedTuple):
    set: str
    id: str
    before: Observation
    after: Observation


def lines(found: Iterable[Change]) -> Iterator[str]:
    """One line for each change, with the probes that show it."""
    return grouped((change, f"{each.set}/{each.id}") for each in found for change in _describe(each.before, each.after))


def rare(found: Iterable[Change]) -> Iterator[Change]:
    """The changes of which few probes show the like: it may be chance."""
    by_sentence: dict[str, list[Change]] = {}
    for each in found:
        for sentence in _describe(each.before, each.after):
            by_sentence.setdefault(sentence, []).append(each)
    few = {(each.set, each.id): each for found in by_sentence.values() if len(found) <= SHOWN for each in found}
    yield from few.values()


def changes(before: dict[str, Recording], after: dict[str, Recording]) -> Iterator[Change]:
    """Probes that are in both with different results; error messages are not compared."""
    known = {(name, probe): seen for name, old in before.items() for probe, seen in _by_id(old.probes)}
    for name, new in after.items():
        for id, seen in _by_id(new.probes):
            old_seen = known.get((name, id))
            if old_seen is not None and comparable(old_seen) != comparable(seen):
                yield Change(name, id, old_seen, seen)


def in_both(before: dict[str, Recording], after: dict[str, Recording]) -> int:
    """How many probes are in both."""
    then, now = (
        {(name, id) for name, each in found.items() for id, _ in _by_id(each.probes)} for found in (before, after)
    )
    return len(then & now)


def _by_id(probes: Iterable[Recorded]) -> Iterator[tuple[str, Observation]]:
    return ((probe.id, seen) for probe, seen in probes)


def _describe(before: Observation, after: Observation) -> Iterator[str]:
    if before.loads != after.loads:
        yield "loads now" if after.loads else f"no longer loads: {(after.error or 'without a word').splitlines()[0]}"
        return
    if before.started != after.started:
        yield "is started now" if after.started else f"is no longer started: {(after.error or '').splitlines()[0]}"
        return
    old, new = before.tools or (), after.tools or ()
    yield from (f"also has {tool}" for tool in new if tool not in old)
    yield from (f"no longer has {tool}" for tool in old if tool not in new)
    if before.ran is not None and after.ran is not None and before.ran != after.ran:
        yield "the call runs now" if after.ran else "the call no longer runs"
