"""What `explain` says in words about what an author intended."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsagent_lint.cli.main import run


@pytest.mark.parametrize(
    ("tools", "words"),
    [
        ("", "every tool"),
        ("permission: {bash: deny}\n", "every tool, but"),
        ('permission: {bash: {"*": deny, "git *": allow}}\n', "Shell only for git *"),
        ('permission: {bash: {"*": allow, "rm *": deny}}\n', "Shell(rm *)"),
        ('permission: {"*": deny, read: allow}\n', "only"),
    ],
)
def test_an_intent_in_words(
    tools: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / ".opencode/agents/a.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"---\ndescription: d\n{tools}---\nPrompt.\n")
    monkeypatch.chdir(tmp_path)
    assert run(["explain", "--harness", "opencode", str(path)]) == 0
    [intended] = [line for line in capsys.readouterr().out.splitlines() if "intended" in line][:1]
    assert words in intended


def explained(path: str, text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    assert run(["explain", "--harness", "claude-code", str(file)]) == 0
    return capsys.readouterr().out


def test_an_agent_loads_under_another_name_than_its_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "---\nname: x\ndescription: d\ntools: Read, mcp__db__query\npermissionMode: plan\n---\nPrompt.\n"
    output = explained(".claude/agents/other.md", text, tmp_path, capsys)
    for line in ("known as x", "grants Read\n", "MCP tools: mcp__db__query", "permission mode plan"):
        assert line in output
    assert "does not load" not in output


def test_approvals_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "---\ndescription: d\nallowed-tools: Bash(git *), mcp__db__query\n---\nPrompt.\n"
    output = explained(".claude/skills/a/SKILL.md", text, tmp_path, capsys)
    assert "does not ask before Bash(git *), mcp__db__query" in output
    assert "MCP tools: those of every server" in output


def test_a_python_module_is_explained_by_its_calls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "from claude_agent_sdk import AgentDefinition\n\na = AgentDefinition(description='d', prompt='p', tools=['Read'])\n"
    output = explained("app.py", text, tmp_path, capsys)
    assert "app.py: AgentDefinition in line 3\n" in output
    assert "grants Read\n" in output
