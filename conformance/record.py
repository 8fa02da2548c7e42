"""Runs every probe on a harness, and records what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import Empty, SimpleQueue

from conformance import sandbox
from conformance.adapter import Adapter
from conformance.errors import LabError
from conformance.install import Installed
from conformance.journal import Journal
from conformance.probe import Observation, Probe, as_data, as_observation, probe_sets
from conformance.progress import Progress
from conformance.recording import Recorded, Recording, Recordings, comparable, write
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
    progress = _progress(sets, journal, say)
    known = sum(map(len, sets.values())) - progress.total
    say(f"{adapter.id} {program.version}: {progress.total} probes to try" + (f", {known} known" if known else ""))
    for name, probes in sets.items():
        _observe(adapter, program, {name: probes}, journal, jobs, progress)
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
) -> Recordings:
    """What can be observed of some probes, without writing a recording."""
    _observe(adapter, program, sets, journal, jobs, _progress(sets, journal, say))
    known = {name: [probe for probe in probes if journal.get(probe) is not None] for name, probes in sets.items()}
    return {name: recording_of(adapter, program, probes, journal) for name, probes in known.items() if probes}


def try_again(
    adapter: Adapter, program: Installed, probes: list[Probe], journal: Journal, jobs: int
) -> Iterator[Probe]:
    """The probes that come out differently when they are tried again; what was seen of them is forgotten."""
    for probe, seen in run_all(adapter, program, probes, jobs):
        before = journal.get(probe)
        if before is not None and (isinstance(seen, LabError) or comparable(seen) != comparable(before)):
            journal.forget(probe)
            yield probe


def _left(sets: dict[str, list[Probe]], journal: Journal) -> list[tuple[str, Probe]]:
    return [(name, probe) for name, probes in sets.items() for probe in probes if journal.get(probe) is None]


def _progress(sets: dict[str, list[Probe]], journal: Journal, say: Callable[[str], None]) -> Progress:
    return Progress(len(_left(sets, journal)), say)


def _observe(
    adapter: Adapter,
    program: Installed,
    sets: dict[str, list[Probe]],
    journal: Journal,
    jobs: int,
    progress: Progress,
) -> None:
    left = {probe.id: (name, probe) for name, probe in _left(sets, journal)}
    for probe, seen in run_all(adapter, program, [probe for _, probe in left.values()], jobs):
        if isinstance(seen, LabError):
            progress.step(str(seen), f"{left[probe.id][0]}/{probe.id}")
        else:
            journal.add(probe, seen)
            progress.step()


def run_all(
    adapter: Adapter, program: Installed, probes: list[Probe], jobs: int
) -> Iterator[tuple[Probe, Observation | LabError]]:
    """Results in order of completion; stopping the run only waits for the probes that have started."""
    pool = ThreadPoolExecutor(jobs)
    bench = Bench(adapter, program)
    try:
        running = {pool.submit(bench.observe, probe): probe for probe in probes}
        for done in as_completed(running):
            try:
                yield running[done], done.result()
            except LabError as error:
                yield running[done], error
    finally:
        pool.shutdown(cancel_futures=True)
        bench.close()


class Bench:
    """The workers for one harness: as many as there are probes at the same time."""

    def __init__(self, adapter: Adapter, program: Installed) -> None:
        self._setup = {"harness": adapter.id, "program": program.program, "unpacked": str(program.unpacked)}
        self._idle: SimpleQueue[sandbox.Worker] = SimpleQueue()

    def observe(self, probe: Probe) -> Observation:
        try:
            worker = self._idle.get_nowait()
        except Empty:
            worker = sandbox.Worker(self._setup)
        try:
            return as_observation(worker.observe(as_data(probe)))
        finally:
            if worker.runs:
                self._idle.put(worker)
            else:
                worker.close()

    def close(self) -> None:
        while not self._idle.empty():
            self._idle.get().close()


def recording_of(adapter: Adapter, program: Installed, probes: list[Probe], journal: Journal) -> Recording:
    seen = [Recorded(probe, found) for probe in probes if (found := journal.get(probe)) is not None]
    return Recording(adapter.id, program.version, journal.day(probes), seen, adapter.model)
