"""Runs every probe on a harness, and records what it does."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from conformance import sandbox
from conformance.adapter import Adapter
from conformance.errors import LabError
from conformance.install import Installed
from conformance.journal import Journal
from conformance.probe import Observation, Probe, as_data, as_observation, probe_sets
from conformance.progress import Progress
from conformance.recording import Recorded, Recording, write
from conformance.words import grouped


def chosen(harness: str, wanted: Iterable[str]) -> dict[str, list[Probe]]:
    """The sets with the wanted names; all sets if there are none."""
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
    """Write one recording after another; probes that are in the journal are not run again.

    A set with a probe that could not be observed is not written; the others are.
    """
    left = {name: [probe for probe in probes if journal.get(probe) is None] for name, probes in sets.items()}
    progress = Progress(sum(map(len, left.values())), say)
    known = sum(map(len, sets.values())) - progress.total
    say(f"{adapter.id} {program.version}: {progress.total} probes to try" + (f", {known} known" if known else ""))
    for name, probes in sets.items():
        for probe, seen in run_all(adapter, program, left[name], jobs):
            if isinstance(seen, LabError):
                progress.step(str(seen), f"{name}/{probe.id}")
            else:
                journal.add(probe, seen)
                progress.step()
        if all(journal.get(probe) for probe in probes):
            yield write(name, recording_of(adapter, program, probes, journal))
    if progress.failed:
        raise LabError(
            "\n".join(["not everything could be observed; the same command goes on", *grouped(progress.failed)])
        )


def observe_sets(
    adapter: Adapter,
    program: Installed,
    sets: dict[str, list[Probe]],
    journal: Journal,
    jobs: int,
    say: Callable[[str], None],
) -> dict[str, Recording]:
    """What can be observed of some probes, without writing a recording."""
    left = [probe for probes in sets.values() for probe in probes if journal.get(probe) is None]
    progress = Progress(len(left), say)
    for probe, seen in run_all(adapter, program, left, jobs):
        if isinstance(seen, LabError):
            progress.step(str(seen), probe.id)
        else:
            journal.add(probe, seen)
            progress.step()
    known = {name: [probe for probe in probes if journal.get(probe) is not None] for name, probes in sets.items()}
    return {name: recording_of(adapter, program, probes, journal) for name, probes in known.items() if probes}


def run_all(
    adapter: Adapter, program: Installed, probes: list[Probe], jobs: int
) -> Iterator[tuple[Probe, Observation | LabError]]:
    """Results in order of completion; stopping the run only waits for the probes that have started."""
    batches = [probes[first : first + adapter.batch] for first in range(0, len(probes), adapter.batch)]
    done: SimpleQueue[tuple[Probe, Observation | LabError]] = SimpleQueue()
    pool = ThreadPoolExecutor(jobs)
    try:
        for batch in batches:
            pool.submit(_observe_into, done, adapter, program, batch)
        for _ in probes:
            yield done.get()
    finally:
        pool.shutdown(cancel_futures=True)


def _observe_into(
    done: SimpleQueue[tuple[Probe, Observation | LabError]], adapter: Adapter, program: Installed, batch: list[Probe]
) -> None:
    """Every probe of the batch gets a result, in order, also if the run breaks off."""
    left = deque(batch)
    try:
        for seen in observe(adapter, program, batch):
            done.put((left.popleft(), seen))
        reason: Exception = LabError("the run ended before this probe")
    except Exception as error:  # whatever it was, nobody may wait for the others
        reason = error
    for probe in left:
        done.put((probe, LabError(str(reason))))


def observe(adapter: Adapter, program: Installed, probes: Iterable[Probe]) -> Iterator[Observation | LabError]:
    where = {"program": program.program, "unpacked": str(program.unpacked)}
    job = {"harness": adapter.id, **where, "probes": [as_data(probe) for probe in probes]}
    for found in sandbox.run(job):
        yield LabError(found["failed"]) if "failed" in found else as_observation(found)


def recording_of(adapter: Adapter, program: Installed, probes: list[Probe], journal: Journal) -> Recording:
    seen = [Recorded(probe, found) for probe in probes if (found := journal.get(probe)) is not None]
    return Recording(adapter.id, program.version, journal.day(probes), seen, adapter.model)
