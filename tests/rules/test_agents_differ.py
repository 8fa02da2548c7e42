"""Two files of one agent for two harnesses: what is a difference, what is none, and which files are compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsagent_lint.cli.main import run

CLAUDE, COPILOT, OPENCODE = ".claude/agents/a.md", ".github/agents/a.agent.md", ".opencode/agents/a.md"
CURSOR = ".cursor/agents/a.md"
PROMPT = "Read the change.\nLook for mistakes. Report each with its line.\nNever push.\n"


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def put(path: str, fields: str, prompt: str = PROMPT) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(f"---\ndescription: d\n{fields}\n---\n{prompt}", encoding="utf-8")


def findings(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[tuple[str, str, str]]:
    """Path, severity and message."""
    capsys.readouterr()
    assert run(["--select", "agents-differ", "--output-format", "json", *arguments]) in (0, 1)
    found = json.loads(capsys.readouterr().out)["findings"]
    return [(each["path"], each["severity"], each["message"]) for each in found]


@pytest.mark.parametrize(
    ("claude", "other", "path", "severity", "message"),
    [
        ("tools: Read", "tools: [read, execute]", COPILOT, "warning", "only Copilot grants `Shell`"),
        ("tools: Read, Bash", "tools: [read]", COPILOT, "warning", "only Claude Code grants `Shell`"),
        # Whether it also takes the shell, the web and the other agents away is not known.
        (
            "model: opus",
            "readonly: true",
            CURSOR,
            "warning",
            "only Claude Code grants `Edit`, `NotebookEdit` and `Write`.",
        ),
        ("tools: Read", "", COPILOT, "warning", "`WebFetch`"),
        (
            "tools: Read, TodoWrite",
            "tools: [read]",
            COPILOT,
            "note",
            "only Claude Code grants `TodoRead` and `TodoWrite`",
        ),
        ("tools: Read, mcp__db__query", "tools: [read]", COPILOT, "note", "only Claude Code grants `mcp:db/query`"),
        ("tools: Read\nmodel: opus", "tools: [read]\nmodel: GPT-5 (copilot)", COPILOT, "note", "the model is `opus`"),
        ("disallowedTools: Write, Edit, NotebookEdit", "", OPENCODE, "note", "only OpenCode grants `Edit`"),
    ],
)
def test_differences(
    claude: str, other: str, path: str, severity: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put(CLAUDE, f"name: a\n{claude}")
    put(path, other)
    [(place, found, text)] = findings(capsys)
    assert (place, found) == (CLAUDE, severity)
    assert path in text
    assert message in text


@pytest.mark.parametrize(
    ("claude", "other", "path"),
    [
        ("tools: Read, Edit", "tools: [read, edit]", COPILOT),  # `edit` also creates files
        ("tools: Read, WebSearch", "tools: [read, web]", COPILOT),
        ("tools: Read, mcp__db__*", "tools: [read, db/query]", COPILOT),
        ("tools: Read", "permission: {'*': deny, read: allow}", OPENCODE),
        ("tools: Read\nmodel: sonnet", "tools: [read]", COPILOT),
        ("tools: Read\nmodel: inherit", "tools: [read]\nmodel: GPT-5 (copilot)", COPILOT),
        ("tools: Read\nmodel: claude-sonnet-4-6", "tools: [read]\nmodel: Claude Sonnet 4.5", COPILOT),
        ("tools: Read", "tools: [read, execute]\nbroken: [", COPILOT),
    ],
)
def test_no_differences(claude: str, other: str, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    put(CLAUDE, f"name: a\n{claude}")
    put(path, other)
    assert findings(capsys) == []


def test_limits_are_compared_where_both_harnesses_have_them(capsys: pytest.CaptureFixture[str]) -> None:
    put(OPENCODE, "permission: {'*': deny, bash: {'*': deny, 'git diff *': allow}}")
    put(".kilo/agents/a.md", "permission: {'*': deny, bash: allow}")
    [(_, severity, message)] = findings(capsys, OPENCODE)
    assert severity == "warning"
    assert "Shell is for `git diff *` in OpenCode and for any use in Kilo" in message


def test_a_prompt_is_compared_with_its_copy_only(capsys: pytest.CaptureFixture[str]) -> None:
    put(CLAUDE, "name: a\ntools: Read")
    put(COPILOT, "tools: [read]", PROMPT.replace("Never push.", "Never push. Ask before a commit."))
    [(_, severity, message)] = findings(capsys)
    assert severity == "note"
    assert "1 sentence of the prompt differs" in message
    put(COPILOT, "tools: [read, execute]", "Deploy the service to staging.\nWatch the logs.\n")
    assert findings(capsys) == []
    put(
        COPILOT,
        "tools: [read]",
        PROMPT.replace("Read the change.", "Read AGENTS.md of Copilot first.\nRead the change."),
    )
    assert findings(capsys) == []


@pytest.mark.parametrize("path", [CLAUDE, COPILOT])
def test_a_run_on_one_file_reads_its_counterpart(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    put(CLAUDE, "name: a\ntools: Read")
    put(COPILOT, "tools: [read, execute]")
    [(place, _, message)] = findings(capsys, path)
    other = COPILOT if path == CLAUDE else CLAUDE
    assert place == path
    assert f"differs from {other}" in message
    assert f"convert --force --to {'copilot' if path == CLAUDE else 'claude-code'} {path}" in message


def test_names_that_differ_in_writing_are_one_agent(capsys: pytest.CaptureFixture[str]) -> None:
    put(".claude/agents/code-reviewer.md", "name: Code Reviewer\ntools: Read")
    put(".github/agents/code-reviewer.agent.md", "tools: [read, execute]")
    assert len(findings(capsys)) == len(findings(capsys, ".claude/agents/code-reviewer.md")) == 1


def test_agents_of_other_projects_are_not_counterparts(capsys: pytest.CaptureFixture[str]) -> None:
    put(f"one/{CLAUDE}", "name: a\ntools: Read")
    put(f"two/{COPILOT}", "tools: [read, execute]")
    assert findings(capsys) == findings(capsys, f"one/{CLAUDE}") == []
    put(f"one/{COPILOT}", "tools: [read, execute]")
    [(_, _, message)] = findings(capsys, f"one/{CLAUDE}")
    assert f"--to copilot --out one one/{CLAUDE}" in message


def test_a_comment_says_that_files_differ_on_purpose(capsys: pytest.CaptureFixture[str]) -> None:
    put(CLAUDE, "# fsagent: ignore-file[agents-differ] no shell here\nname: a\ntools: Read")
    put(COPILOT, "tools: [read, execute]")
    assert findings(capsys) == findings(capsys, CLAUDE) == []


def test_counterparts_that_cannot_be_compared(capsys: pytest.CaptureFixture[str]) -> None:
    put(CLAUDE, "name: a\ntools: Read")
    other = Path(COPILOT)
    other.parent.mkdir(parents=True)
    for make in (
        lambda: other.symlink_to(Path(CLAUDE).absolute()),
        lambda: other.symlink_to("/etc/passwd"),
        lambda: other.symlink_to("nowhere"),
        lambda: other.mkdir(),
        lambda: other.write_bytes(b"---\n\xff: [\n---\n"),
    ):
        make()
        assert findings(capsys, CLAUDE) == []
        other.rmdir() if other.is_dir() and not other.is_symlink() else other.unlink()


@pytest.mark.parametrize(
    "tools", ["Read, Bash", "Read, Edit, WebFetch", "Grep, Glob, Task", "Read, mcp__db__query", ""]
)
@pytest.mark.parametrize(
    "target", ["opencode", "copilot", "vscode", "cursor", "factory", "gemini", "kilo", "kiro", "qwen", "roo"]
)
def test_a_converted_file_does_not_differ_from_its_source(
    tools: str, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put(CLAUDE, f"name: a\nmodel: sonnet\n{f'tools: {tools}' if tools else ''}")
    run(["convert", "--to", target, CLAUDE])
    assert findings(capsys) == []
    assert findings(capsys, CLAUDE) == []


def test_the_same_difference_of_many_agents_is_one_finding(capsys: pytest.CaptureFixture[str]) -> None:
    for name in "abc":
        put(CLAUDE.replace("a.md", f"{name}.md"), f"name: {name}\ntools: Read")
        put(COPILOT.replace("a.agent", f"{name}.agent"), "tools: [read, execute]")
    assert run(["--isolated"]) == 1
    out = capsys.readouterr().out
    assert out.count("[agents-differ]") == 1
    assert "Also in 2 more files." in out
