"""Has a harness try every probe, and writes down what it did."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import asdict
from datetime import date
from pathlib import Path

from conformance import sandbox
from conformance.adapter import Adapter
from conformance.errors import LabError
from conformance.install import Installed
from conformance.probe import Observation, Probe, as_data, as_observation, probe_sets
from conformance.recording import Recorded, Recording, write


class Journal:
    """Every observation of one version, as soon as it is made: a run that was stopped goes on where it was."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: dict[str, Observation] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                with suppress(ValueError):  # the line at which somebody stopped the run
                    entry = json.loads(line)
                    self._seen[entry["key"]] = as_observation(entry)

    def get(self, probe: Probe) -> Observation | None:
        return self._seen.get(_key(probe))

    def add(self, probe: Probe, observation: Observation) -> None:
        self._seen[_key(probe)] = observation
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": _key(probe), **asdict(observation)}) + "\n")


def _key(probe: Probe) -> str:
    text = json.dumps(as_data(probe), sort_keys=True)
    return f"{probe.id} {hashlib.sha256(text.encode()).hexdigest()[:16]}"


def chosen(harness: str, wanted: Iterable[str]) -> dict[str, list[Probe]]:
    """The sets that are wanted, by their names; all of them where none is."""
    sets = probe_sets(harness)
    wanted = list(wanted)
    if unknown := [name for name in wanted if name not in sets]:
        raise LabError(f"no probes {', '.join(unknown)} for {harness}; there are: {', '.join(sorted(sets))}")
    return {name: probes for name, probes in sets.items() if not wanted or name in wanted}


def record(
    adapter: Adapter,
    program: Installed,
    sets: dict[str, list[Probe]],
    journal: Journal,
    jobs: int,
    say: Callable[[str], None],
) -> Iterator[Path]:
    """Writes one recording after the other; what the journal knows is not tried again.

    A set in which something could not be observed is not written, and the others are.
    """
    failures: list[str] = []
    for name, probes in sets.items():
        left = [probe for probe in probes if journal.get(probe) is None]
        say(f"{name}: {len(probes)} probes, {len(left)} to try")
        for count, (probe, seen) in enumerate(_try_all(adapter, program, left, jobs), 1):
            if isinstance(seen, LabError):
                failures.append(f"{name}/{probe.id}: {seen}")
            else:
                journal.add(probe, seen)
            if count % 20 == 0:
                say(f"{name}: {count} of {len(left)}")
        if all(journal.get(probe) for probe in probes):
            yield write(name, recording_of(adapter, program, probes, journal))
    if failures:
        raise LabError("\n".join(["not everything could be observed; the same command goes on", *failures]))


def _try_all(
    adapter: Adapter, program: Installed, probes: list[Probe], jobs: int
) -> Iterator[tuple[Probe, Observation | LabError]]:
    """As they come; whoever stops the run waits only for those that have begun."""
    pool = ThreadPoolExecutor(jobs)
    try:
        running = {pool.submit(observe, adapter, program, probe): probe for probe in probes}
        for done in as_completed(running):
            try:
                yield running[done], done.result()
            except LabError as error:
                yield running[done], error
    finally:
        pool.shutdown(cancel_futures=True)


def observe(adapter: Adapter, program: Installed, probe: Probe) -> Observation:
    where = {"program": program.program, "unpacked": str(program.unpacked)}
    job = {"harness": adapter.id, **where, "probe": as_data(probe)}
    return as_observation(sandbox.run(job))


def recording_of(adapter: Adapter, program: Installed, probes: list[Probe], journal: Journal) -> Recording:
    seen = [Recorded(probe, found) for probe in probes if (found := journal.get(probe)) is not None]
    return Recording(adapter.id, program.version, date.today().isoformat(), seen)
