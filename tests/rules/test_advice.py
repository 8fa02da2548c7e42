"""What rules say, or do not say, in cases that their examples leave out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsagent_lint.cli.main import run

Found = dict[str, str]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def findings(project: Path, path: str, text: str, capsys: pytest.CaptureFixture[str]) -> Found:
    """Messages by the name of their rule."""
    file = project / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    assert run(["--output-format", "json", "--isolated", path]) in (0, 1)
    return {each["name"]: each["message"] for each in json.loads(capsys.readouterr().out)["findings"]}


def test_naming_tools_that_are_off_by_default_does_something(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "---\ndescription: d\nmode: subagent\ntools:\n  {}: true\n---\nPrompt.\n"
    assert "allow-restricts-nothing" in findings(project, ".opencode/agents/a.md", text.format("read"), capsys)
    assert findings(project, ".opencode/agents/b.md", text.format("question"), capsys) == {}


def test_a_hook_that_waits_for_a_tool_of_another_harness(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hook = "hooks:\n  PreToolUse:\n    - matcher: {}\n      hooks: [{{type: command, command: x}}]\n"
    text = f"---\nname: a\ndescription: d\n{hook}---\nPrompt.\n"
    path = ".claude/agents/a.md"
    assert findings(project, path, text.format("Bash"), capsys) == {}
    assert "`Bash`" in findings(project, path, text.format("run_shell_command"), capsys)["unknown-hook-matcher"]
    assert "`Bash`" in findings(project, path, text.format("bash"), capsys)["unknown-hook-matcher"]


def test_a_prompt_that_refers_to_a_tool_that_is_gone(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "---\ndescription: d\ntools: [read/readFile]\n---\nUse #tool:{}.\n"
    path = ".github/chatmodes/a.chatmode.md"
    assert "unknown-tool-reference" not in findings(project, path, text.format("read/readFile"), capsys)
    message = findings(project, path, text.format("terminalCommand"), capsys)["unknown-tool-reference"]
    assert "no longer has a tool `terminalCommand`" in message
    assert "`execute/runInTerminal`" in message


@pytest.mark.parametrize(
    ("value", "problem", "advice"),
    [
        ('"[--for "whom"]"', "a value in quotes contains the same quotes", 'Write `\\"` inside it.'),
        ("'[--for 'whom']'", "a value in quotes contains the same quotes", "Write `''` inside it."),
        ('"<task>" --until "<date>"', "text follows a value in quotes", "Quote the whole value."),
        (
            "[file] [--all]\n  - name: file",
            "text follows a list in brackets",
            "give the lines below a key of their own",
        ),
        ('"[--for', "a quote is not closed", "Close it."),
    ],
)
def test_invalid_yaml_is_explained_by_its_value(
    value: str, problem: str, advice: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"---\ndescription: d\nargument-hint: {value}\n---\nPrompt.\n"
    message = findings(project, ".claude/commands/a.md", text, capsys)["invalid-frontmatter"]
    assert problem in message
    assert advice in message


def test_tools_of_a_skill_are_not_made_approvals_without_a_word(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "---\nname: a\ndescription: d\ntools: {}\n---\nPrompt.\n"
    message = findings(project, ".claude/skills/a/SKILL.md", text.format("Read, Bash"), capsys)["misnamed-tool-key"]
    assert message.endswith("Remove it, or rename it to `allowed-tools` to let these tools run without asking.")
    text = text.replace("tools:", "allowed-tools:")
    message = findings(project, ".agents/skills/a/SKILL.md", text.format("Read, Bash"), capsys)["wrong-tools-shape"]
    assert "comma-separated text" in message
