"""What the real harnesses did, recorded in tests/truth, is what fsagent-lint says that they do."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from conformance.adapter import Adapter
from conformance.adapters import get_adapter, names
from conformance.facts import gaps
from conformance.predict import Outcome, agree, observed, predict, predicted
from conformance.probe import Observation, Probe
from conformance.recording import recordings, versions
from fsagent_lint.cli.main import run
from fsagent_lint.harnesses.tables import get_harness


class Case(NamedTuple):
    adapter: Adapter
    version: str
    probe: Probe
    seen: Observation

    @property
    def observed(self) -> Outcome:
        return observed(*self)


CASES = [
    Case(get_adapter(id), version, probe, seen)
    for id in names()
    for version in versions(id)
    for recording in recordings(id, version).values()
    for probe, seen in recording.probes
]
NEWEST = [case for case in CASES if case.version == versions(case.adapter.id)[0]]


def parameter(case: Case) -> Any:
    gap = gaps(case.adapter.id, case.version).get(case.probe.id)
    # Strict: a gap that is closed must leave the list, so that the list can only shrink.
    marks = [pytest.mark.xfail(reason=gap, raises=AssertionError, strict=True)] if gap else []
    return pytest.param(case, id=f"{case.adapter.id}-{case.version}-{case.probe.id}", marks=marks)


@pytest.mark.parametrize("case", [parameter(case) for case in CASES])
def test_the_harness_does_what_we_say(case: Case) -> None:
    adapter, version, probe, _ = case
    ours = predicted(adapter, probe, version, predict(adapter, probe, version))
    theirs = case.observed
    assert ours == theirs or agree(ours, theirs)


def test_there_are_recordings_of_every_harness_that_can_be_observed() -> None:
    counts = {id: sum(case.adapter.id == id for case in NEWEST) for id in names()}
    assert min(counts.values()) > 0, counts
    assert min(counts[id] for id in ("claude-code", "copilot", "opencode")) > 500, counts


@pytest.mark.parametrize("id", names())
def test_a_recording_lies_in_the_folder_of_its_version(id: str) -> None:
    for version in versions(id):
        found = recordings(id, version).values()
        assert {recording.version for recording in found} == {version}
        assert all(date.fromisoformat(recording.recorded) for recording in found if recording.recorded)


@pytest.mark.parametrize("id", names())
def test_the_newest_recordings_are_whole_and_of_the_version_of_the_table(id: str) -> None:
    assert not any(recording.same for recording in recordings(id).values())
    assert versions(id)[0] == get_harness(id).version


def test_every_probe_has_a_name_of_its_own() -> None:
    ids = [(case.adapter.id, case.version, case.probe.id) for case in CASES]
    assert len(set(ids)) == len(ids)


def test_every_gap_names_a_probe_and_a_reason() -> None:
    probes = {(case.adapter.id, case.version, case.probe.id) for case in CASES}
    listed = {
        (id, version, probe): reason
        for id in names()
        for version in versions(id)
        for probe, reason in gaps(id, version).items()
    }
    assert listed.keys() <= probes
    assert all(reason.strip() for reason in listed.values())


@pytest.mark.parametrize(
    ("harness", "id"),
    [
        ("claude-code", "tools-and-disallowed"),
        ("claude-code", "file-settings-deny-all"),
        ("copilot", "disallowedTools-csv"),
        ("copilot", "x-mcpfm-read"),
        ("opencode", "permission-deny"),
        ("opencode", "files-tool-off"),
        ("opencode", "files-json-bad"),
    ],
)
def test_the_command_line_says_the_same(
    harness: str, id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case = next(case for case in NEWEST if case.adapter.id == harness and case.probe.id == id)
    agent = case.adapter.paths["agent"]
    for name, text in {**case.adapter.project(case.probe), ".git/HEAD": ""}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    monkeypatch.chdir(tmp_path)
    assert run(["explain", agent, "--harness", harness, "--output-format", "json"]) == 0
    [file] = json.loads(capsys.readouterr().out)["files"]
    assert file["path"] == agent
    effect = file["effects"][harness]
    given = {*effect["tools"], *effect["ask"]} - case.adapter.never_offered
    assert (given if effect["loads"] else None) == case.observed.tools
