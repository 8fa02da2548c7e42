"""Recordings: what one version of a harness did with the probes of a set; tests/truth/<harness>/<version>/<set>.json."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from conformance.errors import LabError
from conformance.probe import ROOT, TRUTH, Observation, Probe, as_data, as_observation, as_probe
from fsagent_lint.harnesses.versions import version_key


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
    model: str = ""
    """The model that was asked where a file names none; empty where nobody wrote it down."""
    same: tuple[str, ...] = ()
    """In the file of an older version: the probes that came out as in the next newer one."""


Recordings = dict[str, Recording]
"""By the name of the set."""


def version_of(found: Recordings) -> str:
    """The version that recordings are of; empty if there are none."""
    return next((each.version for each in found.values()), "")


def versions(harness: str) -> list[str]:
    """The versions with recordings, the newest first."""
    return sorted((each.name for each in (TRUTH / harness).glob("*")), key=version_key, reverse=True)


def recordings(harness: str, version: str = "") -> Recordings:
    """Every recording of a version, by default the newest, each whole."""
    known = versions(harness)
    if version and version not in known:
        raise LabError(f"there are no recordings of {harness} {version}; there are: {', '.join(known)}")
    found: Recordings = {}
    for each in known:
        found = {name: _completed(own, found.get(name)) for name, own in _files(TRUTH / harness / each)}
        if each == (version or each):
            break
    return found


def recorded_before(harness: str, revision: str) -> Recordings:
    """The newest at a commit."""
    listed = [
        Path(each) for each in _git("ls-tree", "-r", "--name-only", revision, f"tests/truth/{harness}").splitlines()
    ]
    newest = max((path.parent.name for path in listed), key=version_key, default="")
    return {path.stem: parse(_git("show", f"{revision}:{path}")) for path in listed if path.parent.name == newest}


def _files(folder: Path) -> Iterator[tuple[str, Recording]]:
    for path in sorted(folder.glob("*.json")):
        yield path.stem, parse(path.read_text(encoding="utf-8"))


def _completed(older: Recording, newer: Recording | None) -> Recording:
    """With the probes that are only named, because they came out as in the newer one, in the order of that."""
    if newer is None or not older.same:
        return older
    own = {each.probe.id: each for each in older.probes}
    kept = {each.probe.id: each for each in newer.probes if each.probe.id in older.same}
    order = dict.fromkeys((*(each.probe.id for each in newer.probes), *own))
    return replace(older, same=(), probes=[(own | kept)[id] for id in order if id in own or id in kept])


def parse(text: str) -> Recording:
    data = json.loads(text)
    probes = [Recorded(as_probe(each), as_observation(each)) for each in data["probes"]]
    more = {"model": data.get("model", ""), "same": tuple(data.get("same", ()))}
    return Recording(data["harness"], data["version"], data.get("recorded", ""), probes, **more)


def write(name: str, recording: Recording) -> Path:
    """The newest version whole; of the others what differs. The next older one is compared anew."""
    folder = TRUTH / recording.harness
    (folder / recording.version).mkdir(parents=True, exist_ok=True)
    older = [each for each in versions(recording.harness) if version_key(each) < version_key(recording.version)]
    newer = [each for each in versions(recording.harness) if version_key(each) > version_key(recording.version)]
    before = recordings(recording.harness, older[0]).get(name) if older else None
    reference = recordings(recording.harness, newer[-1]).get(name) if newer else None
    path = _save(name, _difference(recording, reference))
    if before is not None:
        _save(name, _difference(before, recording))
    return path


def _difference(older: Recording, newer: Recording | None) -> Recording:
    if newer is None:
        return older
    there = {each.probe.id: each for each in newer.probes}
    is_same = {each.probe.id: _equal(each, there.get(each.probe.id)) for each in older.probes}
    same = tuple(id for id, equal in is_same.items() if equal)
    return replace(older, same=same, probes=[each for each in older.probes if not is_same[each.probe.id]])


def _equal(one: Recorded, other: Recorded | None) -> bool:
    """The same file with the same outcome; how an error is put does not count, nor the order of tools."""
    return other is not None and one.probe == other.probe and comparable(one.seen) == comparable(other.seen)


def comparable(seen: Observation) -> tuple[bool, bool, frozenset[str] | None, bool | None]:
    """What a harness did, without its words."""
    return seen.loads, seen.started, None if seen.tools is None else frozenset(seen.tools), seen.ran


def _save(name: str, recording: Recording) -> Path:
    path = TRUTH / recording.harness / recording.version / f"{name}.json"
    path.write_text(as_text(recording), encoding="utf-8")
    return path


def as_text(recording: Recording) -> str:
    """JSON with one probe per line, so that a change of one probe changes one line."""
    head: dict[str, object] = {
        "harness": recording.harness,
        "version": recording.version,
        "recorded": recording.recorded,
        **({"model": recording.model} if recording.model else {}),
        **({"same": recording.same} if recording.same else {}),
    }
    entries = [json.dumps(as_data(probe, seen), ensure_ascii=False) for probe, seen in recording.probes]
    opened = json.dumps(head, ensure_ascii=False).removesuffix("}")
    return opened + ', "probes": [\n' + ",\n".join(entries) + "\n]}\n"


def all_probes(found: Iterable[Recording]) -> list[Recorded]:
    return [each for recording in found for each in recording.probes]


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise LabError(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout
