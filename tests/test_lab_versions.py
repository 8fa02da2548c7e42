"""The lab: whose conversation a call belongs to, what a refusal is, and recordings of several versions."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from conformance import recording as recording_module
from conformance import renewal
from conformance.adapter import PROMPT, TASK, Outcome
from conformance.adapters import get_adapter, names
from conformance.compare import Change, changes, rare
from conformance.dialects import Request
from conformance.errors import LabError
from conformance.install import install, installed, published
from conformance.journal import Journal
from conformance.predict import agree, observed
from conformance.probe import Call, Observation, Probe
from conformance.recording import Recorded, Recording, as_text, recordings, versions, write
from conformance.renewal import likely_to_change, outdated, was_section
from conformance.standin import StandIn
from fsagent_lint.harnesses.tables import get_harness

CLAUDE = get_adapter("claude-code")
BASH = Call("Bash", {"command": "ls"})


def request(opening: str, *tools: str, conversation: str = "") -> Request:
    return Request("", opening, tools, f"{opening}\n{conversation}")


def outcome(told: str, *called: Call) -> Outcome:
    main = request(PROMPT, conversation=told)
    return Outcome("ok", [main], [(call, main) for call in called], ran=False)


def test_a_subagents_call_is_not_made_by_the_main_agent() -> None:
    model = StandIn(CLAUDE.steps(Probe("x", "subagent", calls=(BASH,))))
    assert model.answer(request(PROMPT, "Agent", "Bash")) == CLAUDE.delegation()
    assert model.answer(request(PROMPT, "Agent", "Bash")) == "ok"
    assert model.answer(request(TASK, "Bash")) == BASH
    assert model.answer(request(TASK, "Bash")) == "ok"


def test_a_skills_call_waits_for_the_skill() -> None:
    model = StandIn(CLAUDE.steps(Probe("x", "loaded-skill", calls=(BASH,))))
    assert model.answer(request(PROMPT, "Skill", "Bash")) == CLAUDE.loading()
    assert model.answer(request(PROMPT, "Skill", "Bash")) == "ok"
    assert model.answer(request(PROMPT, "Skill", "Bash", conversation="Say ok.")) == BASH


@pytest.mark.parametrize("role", ["subagent", "loaded-skill"])
@pytest.mark.parametrize("id", names())
def test_every_adapter_activates_what_it_can_delegate_to(id: str, role: str) -> None:
    adapter = get_adapter(id)
    if role in adapter.paths:
        first, *_ = adapter.steps(Probe("x", role))  # type: ignore[arg-type]
        assert first.belongs(request(f"hello {PROMPT}"))
        assert not first.belongs(request(TASK))


def test_a_refusal_to_delegate_is_not_a_file_that_does_not_load() -> None:
    probe, call = Probe("x", "subagent", "tools: Foo"), CLAUDE.delegation()
    refused = outcome("Agent 'probe' would be spawned with zero tools — refusing.", call)
    unknown = outcome("Agent type 'probe' not found. Available agents: Plan", call)
    assert CLAUDE.observe(probe, refused) == Observation(
        True, "Agent 'probe' would be spawned with zero tools — refusing.", started=False
    )
    assert CLAUDE.observe(probe, unknown) == Observation(False, "Agent type 'probe' not found. Available agents: Plan")


def test_what_was_not_tried_or_is_not_understood_is_no_observation() -> None:
    probe = Probe("x", "subagent")
    with pytest.raises(LabError, match="not offered"):
        CLAUDE.observe(probe, outcome("nothing happened"))
    with pytest.raises(LabError, match="does not know"):
        CLAUDE.observe(probe, outcome("the disk is full", CLAUDE.delegation()))


def test_a_call_that_was_not_made_says_nothing() -> None:
    probe = Probe("x", frontmatter="tools: Read", calls=(BASH,))
    active = request(PROMPT, "Read")
    seen = CLAUDE.observe(probe, Outcome("", [active], [], ran=False))
    assert (seen.loads, seen.ran) == (True, None)
    made = CLAUDE.observe(probe, Outcome("", [active], [(BASH, active)], ran=False))
    assert made.ran is False
    theirs = observed(CLAUDE, "", Probe("x", "command", calls=(BASH,)), seen)
    assert agree(theirs._replace(ran=True), theirs)
    assert not agree(theirs._replace(ran=True), theirs._replace(ran=False))


# ------------------------------------------------------------------------------------------------------- versions


def lay_out(home: Path, folder: str, version: str) -> None:
    """An installed Claude Code, as npm leaves it."""
    for arch in ("x64", "arm64"):
        package = home / "claude-code" / folder / "node_modules" / "@anthropic-ai" / f"claude-code-linux-{arch}"
        package.mkdir(parents=True)
        (package / "claude").touch()
        (package / "package.json").write_text(json.dumps({"version": version}))


def test_the_newest_installed_version_is_run_unless_another_is_asked_for(tmp_path: Path) -> None:
    lay_out(tmp_path, "2.1.9", "2.1.9")
    lay_out(tmp_path, "2.1.10", "2.1.10")
    assert installed(CLAUDE, tmp_path).version == "2.1.10"
    assert "2.1.9" in installed(CLAUDE, tmp_path, "2.1.9").program[0]
    with pytest.raises(LabError, match=r"2\.1\.8 is not installed.*--version 2\.1\.8"):
        installed(CLAUDE, tmp_path, "2.1.8")


def test_a_program_of_another_version_than_its_folder_is_not_run(tmp_path: Path) -> None:
    lay_out(tmp_path, "2.1.10", "2.1.9")
    with pytest.raises(LabError, match=r"npm installed claude-code 2\.1\.9 where 2\.1\.10 was asked for"):
        installed(CLAUDE, tmp_path, "2.1.10")


def fake_npm(folder: Path, monkeypatch: pytest.MonkeyPatch, answer: str, status: int = 0) -> None:
    program = folder / "bin" / "npm"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{answer}\nEND\nexit {status}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}/usr/bin{os.pathsep}/bin")


@pytest.mark.skipif(os.name == "nt", reason="harnesses are installed on Linux")
@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"version": "2.1.9", "engines.node": ">=22.0.0"}', ("2.1.9", ">=22.0.0")),
        ('[{"version": "2.1.8"}, {"version": "2.1.9"}]', ("2.1.9", "")),
        ('"2.1.9"', ("2.1.9", "")),
    ],
)
def test_a_tag_or_range_is_one_exact_version(
    answer: str, expected: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_npm(tmp_path, monkeypatch, answer)
    assert published(CLAUDE.package) == expected


@pytest.mark.skipif(os.name == "nt", reason="harnesses are installed on Linux")
def test_a_version_that_npm_does_not_have_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_npm(tmp_path, monkeypatch, "", status=1)
    with pytest.raises(LabError, match="registry has no"):
        install(CLAUDE, tmp_path, "0.0.0")


@pytest.fixture
def truth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(recording_module, "TRUTH", tmp_path)
    return tmp_path


def recorded(version: str, **seen: Observation) -> Recording:
    found = [Recorded(Probe(id), each) for id, each in seen.items()]
    return Recording("claude-code", version, "2026-11-18", found, "opus")


READ, EDIT, GONE = Observation(True, None, ("Read",)), Observation(True, None, ("Edit",)), Observation(False, "no")


def test_an_older_version_is_kept_where_it_differs(truth: Path) -> None:
    old = recorded("2.1.9", a=READ, b=READ, c=GONE)
    new = recorded("2.1.10", a=READ, b=EDIT, d=READ)
    write("set", old)
    write("set", new)
    assert versions("claude-code") == ["2.1.10", "2.1.9"]
    kept = json.loads((truth / "claude-code/2.1.9/set.json").read_text())
    assert [probe["id"] for probe in kept["probes"]] == ["b", "c"]
    assert kept["same"] == ["a"]
    assert as_text(recordings("claude-code")["set"]) == as_text(new)
    assert {each.probe.id: each.seen for each in recordings("claude-code", "2.1.9")["set"].probes} == {
        each.probe.id: each.seen for each in old.probes
    }


def test_the_order_of_recording_does_not_matter(truth: Path) -> None:
    old, middle = recorded("1.0", a=READ, b=READ), recorded("1.1", a=READ, b=EDIT)
    new = recorded("1.2", a=EDIT, b=EDIT)
    for each in (new, old, middle, new):
        write("set", each)
    for each in (old, middle, new):
        found = recordings("claude-code", each.version)["set"]
        assert [one.seen for one in found.probes] == [one.seen for one in each.probes]
    assert not json.loads((truth / "claude-code/1.2/set.json").read_text()).get("same")


def test_a_version_without_recordings_is_an_error(truth: Path) -> None:
    write("set", recorded("1.0", a=READ))
    assert truth.exists()
    with pytest.raises(LabError, match=r"no recordings of claude-code 2\.0; there are: 1\.0"):
        recordings("claude-code", "2.0")


def test_renewal_prints_what_was_different(truth: Path) -> None:
    before = recorded("1.0", a=Observation(True, None, ("Read", "Bash")), b=READ)
    after = recorded("1.1", a=Observation(True, None, ("Read", "Fly")), b=GONE)
    write("set", before)
    assert truth.exists()
    old, new = {"set": before}, {"set": after}
    lines = list(was_section(CLAUDE, old, new, changes(old, new)))
    assert lines[:2] == ["[[was]]", 'until = "1.0"']
    assert 'tools.Bash = { grants = ["Shell"] }' in lines
    assert 'without = ["tools.Fly"]' in lines
    assert "# set/b: loads True, started True; now False, True" in lines
    assert '# version = "1.1"' in lines
    assert "# add tools.Fly" in lines
    assert not any("set/a" in line for line in lines)


def test_a_table_is_behind_what_people_install(monkeypatch: pytest.MonkeyPatch) -> None:
    kilo = get_adapter("kilo")
    newest = {get_adapter(id).package: get_harness(id).version for id in names()}
    newest[kilo.product] = newest[kilo.package]
    monkeypatch.setattr(renewal, "published", lambda package: (newest[package], ""))
    assert list(outdated()) == []
    newest[kilo.product] = "99.0"
    assert list(outdated()) == [(get_harness("kilo"), "99.0", False)]
    newest[kilo.package] = "98.9"
    assert list(outdated()) == [(get_harness("kilo"), "98.9", True)]


def test_a_change_that_many_probes_show_is_not_doubted() -> None:
    old, new = Observation(True, None, ("Read",)), Observation(True, None, ("Read", "Fly"))
    found = [Change("set", str(number), old, new) for number in range(10)]
    lone = Change("set", "lone", old, replace(new, tools=("Read", "Fly", "Run")))
    gone = Change("set", "gone", old, GONE)
    assert list(rare([*found, lone, gone])) == [lone, gone]


def test_what_was_seen_can_be_forgotten(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.jsonl")
    one, other = Probe("one"), Probe("other")
    journal.add(one, READ)
    journal.add(other, READ)
    journal.forget(one)
    for each in (journal, Journal(tmp_path / "journal.jsonl")):
        assert (each.get(one), each.get(other)) == (None, READ)


@pytest.mark.parametrize(
    ("id", "told"),
    [
        ("copilot", "Unknown agent_type: probe. Valid types are: explore, task"),
        ("gemini", "Subagent 'probe' not found."),
        (
            "gemini",
            "Subagent 'probe' failed. Error: Template validation failed: Missing required input parameters: foo",
        ),
        ("opencode", "Unknown agent type: probe is not a valid agent type"),
        ("qwen", 'Subagent "probe" not found. Available subagents: Explore'),
        ("qwen", "<result>Error: Missing context values for the following keys: foo</result>"),
    ],
)
def test_every_harness_has_words_for_an_agent_that_it_does_not_have(id: str, told: str) -> None:
    adapter, probe = get_adapter(id), Probe("x", "subagent")
    seen = adapter.observe(probe, outcome(told, adapter.delegation()))
    assert not seen.loads
    assert seen.error
    assert seen.error in told
    with pytest.raises(LabError, match="does not know"):
        adapter.observe(probe, outcome("the disk is full", adapter.delegation()))


def test_what_a_version_changes_first_is_tried_first() -> None:
    sets = {"names": [Probe("n")], "yaml": [Probe("y")], "shapes": [Probe(f"s{number}") for number in range(300)]}
    first = likely_to_change(sets)
    assert list(first) == ["names", "shapes"]
    assert len(first["shapes"]) == 100
    assert replace(first["names"][0]) == Probe("n")
