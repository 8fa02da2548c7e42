"""Puts conversions to the real harnesses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from conformance.adapter import Adapter
from conformance.adapters import get_adapter, names
from conformance.conversions.sample import Case, Seen, Trial
from conformance.errors import LabError
from conformance.install import Installed, installed
from conformance.journal import Journal
from conformance.progress import Progress
from conformance.record import run_all
from fsagent_lint.harnesses.tables import get_harness


def available(home: Path) -> dict[str, Adapter]:
    """The harnesses that are installed."""
    found = {}
    for name in names():
        try:
            installed(get_adapter(name), home)
        except LabError:
            continue
        found[name] = get_adapter(name)
    if len(found) < 2:
        raise LabError(f"a conversion needs two harnesses, and in {home} there are {len(found)}")
    return found


def run(
    cases: Iterable[Case], adapters: Mapping[str, Adapter], home: Path, jobs: int, say: Callable[[str], None]
) -> Seen:
    """What the harnesses do with the files of all cases; what is in their journals is not run again."""
    trials = {trial.key: trial for case in cases for trial in case.trials}
    by_harness: dict[str, list[Trial]] = {}
    for trial in trials.values():
        by_harness.setdefault(trial.harness, []).append(trial)
    programs = {id: installed(adapters[id], home) for id in by_harness}
    journals = {id: Journal(_journal(home, id, programs[id])) for id in by_harness}
    left = {id: [each for each in own if journals[id].get(each.probe) is None] for id, own in by_harness.items()}
    progress = Progress(sum(map(len, left.values())), say)
    known = len(trials) - progress.total
    for id, program in programs.items():
        if program.version not in (version := get_harness(id).version):
            say(f"{id} {program.version} is installed, and the table is about {version}")
    say(f"{progress.total} files to run" + (f", {known} known" if known else ""))
    for id, own in left.items():
        for probe, seen in run_all(adapters[id], programs[id], [each.probe for each in own], jobs):
            if isinstance(seen, LabError):
                progress.step(str(seen), f"{id}: {probe.id}")
            else:
                journals[id].add(probe, seen)
                progress.step()
    found = {key: journals[trial.harness].get(trial.probe) for key, trial in trials.items()}
    return {key: seen for key, seen in found.items() if seen is not None}


def _journal(home: Path, harness: str, program: Installed) -> Path:
    return home / "journal" / f"conversions-{harness}-{program.version}.jsonl"
