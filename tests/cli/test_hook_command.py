"""`fsagent-lint hook`, as a harness runs it after an agent has written a file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

AGENT = ".claude/agents/a.md"


def hook(folder: Path, event: object) -> subprocess.CompletedProcess[str]:
    text = event if isinstance(event, str) else json.dumps(event)
    command = [sys.executable, "-m", "fsagent_lint", "hook"]
    return subprocess.run(command, cwd=folder, input=text, capture_output=True, encoding="utf-8")


def write(folder: Path, text: str, path: str = AGENT) -> dict[str, object]:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return {"hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": {"file_path": str(file)}}


def test_the_agent_is_told_what_to_correct(tmp_path: Path) -> None:
    done = hook(tmp_path, write(tmp_path, "---\nname: a\ndescription: d\ntools: Read, grep\n---\nDo it.\n"))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{AGENT}:4:14: error FA102 [wrong-case-tool]" in done.stderr


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("---\nname: a\ndescription: d\ntools: Read, Grep\n---\nDo it.\n", AGENT),
        ("# A guide\n\ntools: grep\n", "README.md"),
        ("import os\n", "src/a.py"),
    ],
)
def test_a_sound_file_or_another_one_is_passed_over(text: str, path: str, tmp_path: Path) -> None:
    done = hook(tmp_path, write(tmp_path, text, path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_the_config_suppresses_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "fsagent-lint.toml").write_text('ignore = ["wrong-case-tool"]\nselect = ["FA1"]\n')
    done = hook(tmp_path, write(tmp_path, "---\nname: a\ndescription: d\ntools: Read, grep\n---\nDo it.\n"))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("event", [{}, [], {"tool_input": None}, {"tool_input": {"command": "ls"}}])
def test_an_event_of_another_tool_is_passed_over(event: object, tmp_path: Path) -> None:
    done = hook(tmp_path, event)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "event", ["", "no JSON", {"tool_input": {"file_path": "gone/.claude/agents/a.md"}}, "[" * 100_000]
)
def test_what_fails_is_for_the_user(event: object, tmp_path: Path) -> None:
    done = hook(tmp_path, event)
    assert done.returncode == 1
    assert done.stderr.startswith("fsagent-lint: ") and "Traceback" not in done.stderr
