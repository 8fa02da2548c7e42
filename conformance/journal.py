"""Stores each observation of one version as soon as it is made, so that a stopped run can be resumed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from datetime import date
from pathlib import Path

from conformance.probe import Observation, Probe, as_data, as_observation


class Journal:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: dict[str, Observation] = {}
        self._days: dict[str, str] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                with suppress(ValueError, KeyError):  # a line that was cut off when the run was stopped
                    entry = json.loads(line)
                    key, day, seen = entry["key"], entry["day"], as_observation(entry)
                    self._seen[key], self._days[key] = seen, day

    def get(self, probe: Probe) -> Observation | None:
        return self._seen.get(_key(probe))

    def day(self, probes: Iterable[Probe]) -> str:
        """The date of the oldest of these observations: resuming a run does not make it newer."""
        return min(self._days[_key(probe)] for probe in probes)

    def add(self, probe: Probe, observation: Observation) -> None:
        key, day = _key(probe), date.today().isoformat()
        self._seen[key], self._days[key] = observation, day
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "day": day, **asdict(observation)}) + "\n")

    def forget(self, probe: Probe) -> None:
        """As if it had never been tried."""
        key = _key(probe)
        self._seen.pop(key, None)
        lines = self._path.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = "".join(line for line in lines if json.dumps(key) not in line)
        self._path.write_text(kept, encoding="utf-8")


def _key(probe: Probe) -> str:
    text = json.dumps(as_data(probe), sort_keys=True)
    return f"{probe.id} {hashlib.sha256(text.encode()).hexdigest()[:16]}"
