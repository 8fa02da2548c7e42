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
from conformance.predict import observed, predict, predicted
from conformance.probe import Observation, Probe
from conformance.recording import recordings
from fsagent_lint.cli.main import run


class Case(NamedTuple):
    adapter: Adapter
    probe: Probe
    seen: Observation


CASES = [
    Case(get_adapter(id), probe, seen)
    for id in names()
    for recording in recordings(id).values()
    for probe, seen in recording.probes
]


def parameter(case: Case) -> Any:
    gap = gaps(case.adapter.id).get(case.probe.id)
    # Strict: a gap that is closed must leave the list, so that the list can only shrink.
    marks = [pytest.mark.xfail(reason=gap, raises=AssertionError, strict=True)] if gap else []
    return pytest.param(case, id=f"{case.adapter.id}-{case.probe.id}", marks=marks)


@pytest.mark.parametrize("case", [parameter(case) for case in CASES])
def test_the_harness_does_what_we_say(case: Case) -> None:
    effect = predict(case.adapter, case.probe)
    assert predicted(case.adapter, case.probe, effect) == observed(*case)


def test_there_are_recordings_of_every_harness_that_can_be_observed() -> None:
    counts = {id: sum(case.adapter.id == id for case in CASES) for id in names()}
    assert min(counts.values()) > 0, counts
    assert min(counts[id] for id in ("claude-code", "copilot", "opencode")) > 500, counts


@pytest.mark.parametrize("id", names())
def test_all_recordings_of_a_harness_are_of_one_version(id: str) -> None:
    found = recordings(id).values()
    assert len({recording.version for recording in found}) == 1
    assert all(date.fromisoformat(recording.recorded) for recording in found if recording.recorded)


def test_every_probe_has_a_name_of_its_own() -> None:
    ids = [(case.adapter.id, case.probe.id) for case in CASES]
    assert len(set(ids)) == len(ids)


def test_every_gap_names_a_probe_and_a_reason() -> None:
    probes = {(case.adapter.id, case.probe.id) for case in CASES}
    listed = {(id, probe): reason for id in names() for probe, reason in gaps(id).items()}
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
    case = next(case for case in CASES if case.adapter.id == harness and case.probe.id == id)
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
    assert (given if effect["loads"] else None) == observed(*case).tools
