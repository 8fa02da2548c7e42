"""Python modules that may define agents: found where git lists files, and where it says nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from fsagent_lint.cli.main import run

MODULE = (
    "from claude_agent_sdk import AgentDefinition\nx = AgentDefinition(description='d', prompt='p', tools=['Raed'])\n"
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    (tmp_path / ".gitignore").write_text("generated/\n")
    for folder in ("src", "generated"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "agents.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(capsys: pytest.CaptureFixture[str], *paths: str) -> set[str]:
    assert run(["--output-format", "github", *paths]) == 1
    output = capsys.readouterr().out
    return {folder for folder in ("src", "generated") if f"{folder}/agents.py" in output}


@pytest.mark.usefixtures("project")
def test_a_module_that_git_ignores_is_passed_over(capsys: pytest.CaptureFixture[str]) -> None:
    assert found(capsys) == {"src"}


@pytest.mark.usefixtures("project")
def test_a_folder_that_git_ignores_counts_when_it_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert found(capsys, "generated") == {"generated"}


def test_a_module_that_is_too_large_is_nobodys_agent(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (project / "generated/large.py").open("wb") as file:
        file.write(MODULE.encode())
        file.truncate(2**24 + 1)
    assert found(capsys, "generated") == {"generated"}
    assert run(["generated/large.py"]) == 2
    assert "is larger than 16 MiB" in "".join(capsys.readouterr())
