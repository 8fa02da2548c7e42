"""Commands that list what there is: rules, tools and harnesses, as text and as data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsagent_lint.cli.main import run


@pytest.fixture(autouse=True)
def _empty_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_rules_as_data_say_what_the_list_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("FA")]
    assert run(["rules", "--output-format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["version"] == 1
    assert [rule["code"] for rule in answer["rules"]] == [line.split()[0] for line in lines]
    assert all(f" {rule['name']} " in line for rule, line in zip(answer["rules"], lines, strict=True))
    by_name = {rule["name"]: rule for rule in answer["rules"]}
    assert by_name["every-tool"]["default"] is False
    assert by_name["wrong-case-tool"]["fixable"] is True
    assert {rule["severity"] for rule in answer["rules"]} == {"error", "warning", "note"}


def test_tools_have_a_column_for_each_harness_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tools", "--harness", "claude-code", "--harness", "opencode"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["tool", "risk", "claude-code", "opencode"]
    [shell] = [row for row in rows if row.startswith("Shell ")]
    assert shell.split() == ["Shell", "execute", "Bash", "bash"]
    assert all(row[head.index("claude-code") - 1] == " " for row in rows)
    [monitor] = [row for row in rows if row.startswith("Monitor ")]
    assert monitor.split()[-1] == "-"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["lint"], "Did you mean `check`?"),
        (["fix"], "Did you mean `check --fix`?"),
        (["--fxi"], "Did you mean `--fix`?"),
        (["tools", "none"], "There is no tool `none`. `fsagent-lint tools` lists them."),
    ],
)
def test_a_slip_on_the_command_line_is_explained(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert expected in capsys.readouterr().err


def test_help_and_version_have_their_usual_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["help", "sync"]) == run(["-V"]) == 0
    out = capsys.readouterr().out
    assert "Usage: fsagent-lint sync" in out
    assert "version" in out


def test_a_command_with_the_name_of_a_folder_is_pointed_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules").mkdir()
    assert run(["rules"]) == 0
    assert "pass `./rules`" in capsys.readouterr().err
