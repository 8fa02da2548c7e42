"""A recording: the probes of a set, and what one version of a harness did with them; a file in tests/truth."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from conformance.errors import LabError
from conformance.probe import ROOT, TRUTH, Observation, Probe, as_data, as_observation, as_probe


class Recorded(NamedTuple):
    probe: Probe
    seen: Observation


@dataclass(frozen=True)
class Recording:
    harness: str
    version: str
    recorded: str
    """The date of the oldest observation, in ISO 8601; empty in the oldest commits."""
    probes: Sequence[Recorded]


def path_of(name: str, harness: str) -> Path:
    return TRUTH / f"{name}.{harness}.json"


def recordings(harness: str) -> dict[str, Recording]:
    """Every recording of a harness, by the name of its set."""
    found = sorted(TRUTH.glob(f"*.{harness}.json"))
    return {path.name.partition(".")[0]: parse(path.read_text(encoding="utf-8")) for path in found}


def recorded_before(harness: str, revision: str) -> dict[str, Recording]:
    """The same, at a commit."""
    return {
        Path(name).name.partition(".")[0]: parse(_git("show", f"{revision}:{name}"))
        for name in _git("ls-tree", "-r", "--name-only", revision, "tests/truth").splitlines()
        if name.endswith(f".{harness}.json")
    }


def parse(text: str) -> Recording:
    data = json.loads(text)
    probes = [Recorded(as_probe(each), as_observation(each)) for each in data["probes"]]
    return Recording(data["harness"], data["version"], data.get("recorded", ""), probes)


def write(name: str, recording: Recording) -> Path:
    path = path_of(name, recording.harness)
    path.write_text(as_text(recording), encoding="utf-8")
    return path


def as_text(recording: Recording) -> str:
    """JSON with one probe per line, so that a change of one probe changes one line."""
    head = {"harness": recording.harness, "version": recording.version, "recorded": recording.recorded}
    entries = [json.dumps(as_data(probe, seen), ensure_ascii=False) for probe, seen in recording.probes]
    opened = json.dumps(head, ensure_ascii=False).removesuffix("}")
    return opened + ', "probes": [\n' + ",\n".join(entries) + "\n]}\n"


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise LabError(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout
