"""What the config of a harness says about an agent that has a file of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fsagent_lint.cli.main import run

AGENT = "---\ndescription: d\n---\nPrompt.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def effect(harness: str, path: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert run(["explain", "--output-format", "json", "--harness", harness, path]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)["files"][0]["effects"][harness]
    return answer


@pytest.mark.parametrize("config", ["kilo.json", ".kilo/kilo.jsonc", ".kilocode/kilo.json"])
def test_the_config_of_kilo_denies_a_tool(config: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".kilo/agents/a.md", AGENT)
    assert "bash" in effect("kilo", ".kilo/agents/a.md", capsys)["tools"]
    put(project / config, '{"permission": {"bash": "deny", "edit": {"*": "allow"}}}')
    assert "bash" in effect("kilo", ".kilo/agents/a.md", capsys)["denied"]


@pytest.mark.parametrize(
    "text", ['{"permission": {"bash": "deny"', '{"permission": {"bash": "deny", "edit": "never"}}']
)
def test_a_config_of_kilo_that_is_broken_counts_for_nothing(
    text: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(project / ".kilo/agents/a.md", AGENT)
    put(project / "kilo.json", text)
    answer = effect("kilo", ".kilo/agents/a.md", capsys)
    assert answer["loads"]
    assert "bash" in answer["tools"]


def test_other_agents_in_its_config_do_no_harm(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = '{"agent": {"other": {"mode": "assistant", "permission": {"bash": "deny"}}}}'
    for harness, config in (("kilo", "kilo.json"), ("opencode", "opencode.json")):
        put(project / f".{harness}/agents/a.md", AGENT)
        put(project / config, wrong)
    assert effect("kilo", ".kilo/agents/a.md", capsys)["loads"]
    assert not effect("opencode", ".opencode/agents/a.md", capsys)["loads"]
