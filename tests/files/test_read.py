"""A file that cannot be read is an error of its own, whatever the command; the others are looked at all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsagent_lint.cli.main import run

GOOD = "---\nname: {}\ndescription: d\ntools: Read\n---\nPrompt.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    folder = tmp_path / ".claude/agents"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text(GOOD.format("a").replace("Read", "read"))
    with (folder / "large.md").open("wb") as file:
        file.truncate(2**24 + 1)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", ["check", "--fix", "--fix --diff", "convert --to opencode", "explain .claude"])
@pytest.mark.usefixtures("project")
def test_a_file_that_is_too_large_is_an_error(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = command.replace("explain .claude", "explain .claude/agents/a.md .claude/agents/large.md").split()
    assert run(arguments) == 2
    output = "".join(capsys.readouterr())
    assert "large.md" in output
    assert "is larger than 16 MiB" in output
    assert "Traceback" not in output


def test_the_others_are_fixed(project: Path) -> None:
    assert run(["--fix"]) == 2
    assert (project / ".claude/agents/a.md").read_text() == GOOD.format("a")


def test_the_others_are_proposed_for_a_config(project: Path) -> None:
    assert run(["init", "--yes"]) == 0
    assert (project / "fsagent-lint.toml").is_file()
