"""Folders that several harnesses read: nothing is judged before somebody says whose the files are."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from fsagent_lint.cli.main import run

BAD = "---\nname: a\ndescription: d\ntools: Raed\n---\nPrompt.\n"
GOOD = "---\nname: a\ndescription: d\ntools: Read\n---\nPrompt.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    put(tmp_path / ".agents/agents/a.md", BAD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[tuple[str, str, str]]:
    run(["--output-format", "json", *arguments])
    findings = json.loads(capsys.readouterr().out)["findings"]
    return [(each["path"], each["name"], each["harness"]) for each in findings]


NOBODYS = (".agents/agents/a.md", "unclear-harness", "")


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("arguments", [[], ["."], [".agents"], [".agents/agents/a.md"], ["--select", "all"]])
def test_nothing_is_said_but_that_it_is_unclear(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert found(capsys, *arguments) == [NOBODYS]


@pytest.mark.usefixtures("project")
def test_the_user_can_say_whose_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert found(capsys, "--harness", "claude-code") == [(".agents/agents/a.md", "unknown-tool", "claude-code")]
    assert found(capsys, "--from", "claude-code") == [(".agents/agents/a.md", "unknown-tool", "claude-code")]


def test_the_config_can_say_whose_they_are(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / "fsagent-lint.toml", "[[paths]]\nglob = '.agents/agents/*.md'\nharness = 'copilot'\n")
    assert found(capsys) == [(".agents/agents/a.md", "unknown-tool", "copilot")]


def test_a_table_of_the_config_can_claim_the_folder(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "[harness.mine]\nextends = 'claude-code'\n[harness.mine.kinds.agent]\nglobs = ['.agents/agents/*.md']\n"
    put(project / "fsagent-lint.toml", text)
    assert found(capsys) == [(".agents/agents/a.md", "unknown-tool", "mine")]


@pytest.mark.parametrize(("real", "link"), [(".agents", ".claude"), (".claude", ".agents")])
def test_a_link_from_the_folder_of_a_harness_says_it(
    project: Path, capsys: pytest.CaptureFixture[str], real: str, link: str
) -> None:
    (project / ".agents/agents/a.md").unlink()
    put(project / real / "agents/a.md", BAD)
    (project / link / "agents").mkdir(parents=True, exist_ok=True)
    os.symlink(f"../../{real}/agents/a.md", project / link / "agents/a.md")
    assert found(capsys) == [(".claude/agents/a.md", "unknown-tool", "claude-code")]


def test_it_is_a_note_that_can_be_ignored(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    assert "note FA009 [unclear-harness] Several harnesses read this folder" in capsys.readouterr().out
    assert run(["--ignore", "unclear-harness"]) == 0
    put(project / ".agents/agents/a.md", BAD.replace("tools:", "# fsagent: ignore-file[unclear-harness] ours\ntools:"))
    assert run([]) == 0


def test_nothing_is_fixed(project: Path) -> None:
    before = (project / ".agents/agents/a.md").read_bytes()
    assert run(["--fix", "--unsafe-fixes", "--target", "opencode"]) == 0
    assert (project / ".agents/agents/a.md").read_bytes() == before


def test_what_is_unclear_is_not_converted(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".agents/agents/a.md", GOOD)
    assert run(["convert", "--to", "copilot"]) == 2
    assert (
        "several harnesses read this folder; set its harness with --from, or with `[[paths]]`"
        in capsys.readouterr().out
    )
    assert run(["convert", "--from", "claude-code", "--to", "copilot"]) == 0
    assert (project / ".github/agents/a.agent.md").exists()


def test_what_is_unclear_is_not_kept_in_sync(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sync = "[sync]\nsource = '.agents/agents'\ntargets = ['opencode']\n"
    put(project / ".agents/agents/a.md", GOOD)
    put(project / "fsagent-lint.toml", sync)
    assert run(["sync"]) == 2
    assert ".agents/agents/a.md: several harnesses read this folder" in capsys.readouterr().err
    paths = "[[paths]]\nglob = '.agents/agents/*.md'\nharness = 'claude-code'\n"
    put(project / "fsagent-lint.toml", sync + paths)
    assert run(["sync"]) == 0
    assert (project / ".opencode/agents/a.md").exists()


@pytest.mark.usefixtures("project")
def test_it_is_explained_for_every_harness(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "--output-format", "json", ".agents/agents/a.md"]) == 0
    [file] = json.loads(capsys.readouterr().out)["files"]
    assert {"claude-code", "opencode"} <= set(file["effects"])


def test_standard_input_needs_a_harness(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open(project / ".agents/agents/a.md") as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert run(["--stdin-filename", ".agents/agents/a.md", "-"]) == 0
        assert "Several harnesses read this folder, so the file was not checked." in capsys.readouterr().out
        stream.seek(0)
        assert run(["--stdin-filename", ".agents/agents/a.md", "--harness", "claude-code", "-"]) == 1
