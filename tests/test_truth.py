"""What the real harnesses did, recorded in tests/truth, is what `explain` says that they do."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fsagent_lint.cli import run
from fsagent_lint.document import Document
from fsagent_lint.explain import explain
from fsagent_lint.harness import get_harness
from fsagent_lint.source import Source
from fsagent_lint.subject import Subject

TRUTH = Path(__file__).parent / "truth"
GAPS: dict[str, dict[str, str]] = tomllib.loads((TRUTH / "GAPS.toml").read_text(encoding="utf-8"))
AGENT_FILE = {
    "claude-code": ".claude/agents/probe.md",
    "copilot": ".github/agents/probe.agent.md",
    "opencode": ".opencode/agents/probe.md",
}


class Probe(NamedTuple):
    """An agent file, and the tools that the running agent had; None where the harness did not load it."""

    harness: str
    id: str
    text: str
    tools: frozenset[str] | None
    files: dict[str, str]
    """What lay beside it."""


def load_probes(path: Path) -> list[Probe]:
    recording = json.loads(path.read_text(encoding="utf-8"))
    return [
        Probe(
            recording["harness"],
            probe["id"],
            agent_file(probe),
            frozenset(probe["tools"]) if probe["loads"] else None,
            probe.get("files", {}),
        )
        for probe in recording["probes"]
    ]


def agent_file(probe: dict[str, Any]) -> str:
    """The file as it was laid before the harness."""
    if "document" in probe:
        unit, times = probe.get("padding", ("", 0))
        return f"{probe['document']}{unit * times}"
    text: str = probe["frontmatter"]
    head = "" if re.search(r"^name\s*:", text, re.MULTILINE) else "name: probe\n"
    head += "" if re.search(r"^description\s*:", text, re.MULTILINE) else "description: A probe.\n"
    return f"---\n{head}{text.rstrip(chr(10))}\n---\nSay ok.\n"


PROBES = [probe for path in sorted(TRUTH.glob("*.json")) for probe in load_probes(path)]


def given(effect: dict[str, Any]) -> frozenset[str] | None:
    return frozenset(effect["tools"]) | frozenset(effect["ask"]) if effect["loads"] else None


def parameter(probe: Probe) -> Any:
    gap = GAPS.get(probe.harness, {}).get(probe.id)
    # Strict: a gap that is closed must leave the list, so that the list can only shrink.
    marks = [pytest.mark.xfail(reason=gap, raises=AssertionError, strict=True)] if gap else []
    return pytest.param(probe, id=f"{probe.harness}-{probe.id}", marks=marks)


@pytest.mark.parametrize("probe", [parameter(probe) for probe in PROBES if not probe.files])
def test_explain_says_what_the_harness_did(probe: Probe) -> None:
    harness = get_harness(probe.harness)
    document = Document(Source(AGENT_FILE[probe.harness], probe.text.encode()))
    assert given(explain(Subject(document, harness, "agent"), [harness])["effects"][probe.harness]) == probe.tools


def test_there_are_recordings_of_every_harness_that_can_be_observed() -> None:
    counts = {id: sum(probe.harness == id for probe in PROBES) for id in AGENT_FILE}
    assert min(counts.values()) > 400, counts


def test_every_probe_has_a_name_of_its_own() -> None:
    names = [(probe.harness, probe.id) for probe in PROBES]
    assert len(set(names)) == len(names)


def test_every_gap_names_a_probe_and_a_reason() -> None:
    probes = {(probe.harness, probe.id) for probe in PROBES}
    listed = {(harness, id) for harness, gaps in GAPS.items() for id in gaps}
    assert listed <= probes
    assert all(reason.strip() for gaps in GAPS.values() for reason in gaps.values())


def ask(probe: Probe, root: Path, capsys: pytest.CaptureFixture[str]) -> frozenset[str] | None:
    """What the command line says about a probe that lies in a project."""
    for name, text in {AGENT_FILE[probe.harness]: probe.text, **probe.files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    (root / ".git").mkdir()
    assert run(["explain", AGENT_FILE[probe.harness], "--harness", probe.harness, "--output-format", "json"]) == 0
    [file] = json.loads(capsys.readouterr().out)["files"]
    assert file["path"] == AGENT_FILE[probe.harness]
    return given(file["effects"][probe.harness])


@pytest.mark.parametrize("probe", [parameter(probe) for probe in PROBES if probe.files])
def test_explain_sees_what_lies_beside_the_file(
    probe: Probe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ask(probe, tmp_path, capsys) == probe.tools


@pytest.mark.parametrize(
    ("harness", "id"),
    [("claude-code", "tools-and-disallowed"), ("copilot", "disallowedTools-csv"), ("opencode", "permission-deny")],
)
def test_the_command_line_says_the_same(
    harness: str, id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    probe = next(probe for probe in PROBES if probe.harness == harness and probe.id == id)
    monkeypatch.chdir(tmp_path)
    assert ask(probe, tmp_path, capsys) == probe.tools
