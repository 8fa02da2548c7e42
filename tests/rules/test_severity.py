"""Which findings fail a run: what changes the agent does, what has no effect on it is a note."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsagent_lint import lint

CLAUDE, OPENCODE, CURSOR = ".claude/agents/a.md", ".opencode/agents/a.md", ".cursor/agents/a.md"
COMMAND, SKILL = ".claude/commands/a.md", ".claude/skills/a/SKILL.md"
CHATMODE, COPILOT = ".github/prompts/a.prompt.md", ".github/agents/a.agent.md"
PORTABLE = ".agents/skills/a/SKILL.md"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("path", "keys", "rule", "severity"),
    [
        # Another entry grants or denies the same.
        (CLAUDE, "tools: Read, Edit, MultiEdit", "removed-tool", "note"),
        (CLAUDE, "tools: Read, MultiEdit", "removed-tool", "error"),
        (CLAUDE, "tools: Bash, execute", "foreign-tool", "note"),
        (CLAUDE, "tools: Read, execute", "foreign-tool", "error"),
        (CLAUDE, "tools: Grep, Glob, Search", "foreign-tool", "note"),
        (CLAUDE, "tools: Grep, Search", "foreign-tool", "error"),
        # What a command allows beforehand restricts nothing.
        (COMMAND, 'argument-hint: "a "b" c"\nallowed-tools: Bash', "invalid-frontmatter", "warning"),
        (CLAUDE, 'model: "a "b" c"\ntools: Read', "invalid-frontmatter", "error"),
        (OPENCODE, "permission: {edit: deny, write: deny}", "deny-denies-nothing", "note"),
        (OPENCODE, "permission: {write: deny}", "deny-denies-nothing", "error"),
        # The tool is gone, and nothing can be written in its place.
        (CHATMODE, "tools: ['read', 'think']", "removed-tool", "note"),
        (COMMAND, "allowed-tools: Read, LS", "removed-tool", "note"),
        (COMMAND, "allowed-tools: Read, MultiEdit", "removed-tool", "warning"),
        # Another entry approves the same.
        (COMMAND, "allowed-tools: Bash, execute", "foreign-tool", "note"),
        (COMMAND, "allowed-tools: Read, execute", "foreign-tool", "warning"),
        # Another key restricts the agent already.
        (CURSOR, "readonly: true\ntools: Read", "unsupported-tool-key", "note"),
        (CURSOR, "tools: Read", "unsupported-tool-key", "error"),
        # Harnesses follow the standard more or less strictly.
        (PORTABLE, "allowed-tools: [Read]", "wrong-tools-shape", "note"),
        (PORTABLE.replace("/a/", "/b/"), "license: MIT", "name-must-match-folder", "warning"),
        # An agent that may run commands and write files can do what is left out, too.
        (OPENCODE, "tools: {bash: true, edit: true, read: true}", "allow-restricts-nothing", "note"),
        (OPENCODE, "tools: {bash: true, read: true}", "allow-restricts-nothing", "error"),
        # Harnesses ignore it; only the validator of the specification does not.
        ("skills/a/SKILL.md", "author: me", "unknown-field", "note"),
        (PORTABLE, "author: me", "unknown-field", "note"),
        (PORTABLE, "licence: MIT", "unknown-field", "warning"),
        (CLAUDE, "isolation: none", "invalid-field", "note"),
        (CLAUDE, "isolation: box", "invalid-field", "warning"),
        (CLAUDE, "user-invocable: false", "unknown-field", "note"),
        # The field is for the eye.
        (".factory/droids/a.md", "color: green", "unknown-field", "note"),
        (".gemini/skills/a/SKILL.md", "argument-hint: '[file]'", "unknown-field", "note"),
        # The file says the same for both harnesses.
        (COPILOT, "mode: subagent", "unknown-field", "warning"),
        (COPILOT, "mode: subagent\nuser-invocable: false", "unknown-field", "note"),
        (".factory/droids/a.md", "maxTurns: 3", "unknown-field", "warning"),
        # A tool of an extension or MCP server may be called so.
        (CHATMODE, "tools: ['read', 'kill_process', 'list_directory']", "foreign-tool", "note"),
        (CHATMODE, "tools: ['edit', 'Bash']", "foreign-tool", "error"),
        # The harness repairs it, and nobody else reads it.
        (COMMAND, "argument-hint: [file] [--all]", "invalid-frontmatter", "note"),
        (SKILL, "argument-hint: [file] [--all]", "invalid-frontmatter", "note"),
        # A command without its approvals can do no more than before; an agent without its list of tools can.
        (COMMAND, 'allowed-tools: Read\nargument-hint: "[--for "whom"]"', "invalid-frontmatter", "warning"),
        (CLAUDE, 'tools: Read\ncolor: "very "red""', "invalid-frontmatter", "error"),
        # Another harness that reads the folder lacks some of the tools, or all of them.
        (COPILOT, "tools: ['read', 'web/fetch']", "narrower-elsewhere", "note"),
        (COPILOT, "tools: ['web/fetch']", "narrower-elsewhere", "error"),
    ],
)
def test_an_entry_that_changes_nothing_is_a_note(path: str, keys: str, rule: str, severity: str) -> None:
    assert found(path, keys) == {rule: severity}


def found(path: str, keys: str) -> dict[str, str]:
    """The rules that report something about a file, each with the severity."""
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"---\nname: a\ndescription: d\n{keys}\n---\nDo it.\n", encoding="utf-8")
    return {located.finding.name: located.finding.severity for located in lint().findings}


@pytest.mark.parametrize(
    ("keys", "severities"),
    [
        ("model: sonnet\ntools: Read, Grep, MultiEdit", {"removed-tool": "error"}),
        # It does not fit, or fits another harness nearly as well.
        ("tools: read, grep, find, fd", {"unknown-tool": "note", "wrong-case-tool": "note"}),
        ("model: sonnet\ntools: [Read, Grep, Glob, Bash, Browser]", {"foreign-tool": "note"}),
    ],
)
def test_a_file_whose_content_alone_suggests_a_harness_fails_no_run_for_another_ones_names(
    keys: str, severities: dict[str, str]
) -> None:
    Path("agents").mkdir()
    Path("agents/a.md").write_text(f"---\nname: a\ndescription: d\n{keys}\n---\nDo it.\n", encoding="utf-8")
    assert {each.finding.name: each.finding.severity for each in lint(["agents"]).findings} == severities
