"""A project that means harm, and every command that says something about it: nothing of it steers whoever reads."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from hostile_text import is_obeyed

from fsagent_lint.cli.main import run
from fsagent_lint.harnesses.tables import use_tables

NASTY = (
    "\x1b[2J\x1b]0;x\x07",
    "\u202eabc\u2066",
    "::error::x",
    "##[add-mask]e",
    "a\n::stop-commands::t",
    "%0A::debug::",
)
NAMES = [*NASTY[:4], "a%0A", "x ::warning file=a,line=1::y"]
"""What can be part of the name of a file everywhere."""
LONG = "word " * 15 + "::error::wrapped"


PYTHON = f"""
from claude_agent_sdk import AgentDefinition, ClaudeAgentOptions
options = ClaudeAgentOptions(
    allowed_tools=[{", ".join(map(repr, NASTY))}],
    agents={{ {", ".join(f"{each!r}: AgentDefinition(description={each!r}, prompt='p', tools=[{each!r}, 'bash'])" for each in NASTY)} }},
)
"""


def agent(text: str) -> str:
    tools = "\n".join(f"  - {json.dumps(each)}" for each in (*NASTY, LONG, "bash"))
    return f"---\nname: a\ndescription: {json.dumps(text)}\n{json.dumps(text)}: 1\ntools:\n{tools}\n---\n{text}\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    for folder in (".claude/agents", ".opencode/agents", ".github/agents", ".opencode/tool", ".claude/skills"):
        (tmp_path / folder).mkdir(parents=True)
    for number, name in enumerate(os.fsdecode(name.encode()) for name in NAMES):  # UTF-8 whatever the locale
        text = agent(NASTY[number])
        (tmp_path / ".claude/agents" / f"{name}.md").write_text(text, "utf-8")
        (tmp_path / ".opencode/agents" / f"{name}.md").write_text(text.replace("name: a\n", ""), "utf-8")
        (tmp_path / ".github/agents" / f"{name}.agent.md").write_text(
            f"---\n{NAMES[number]}: [\ndescription: '\n---\n", "utf-8"
        )
        (tmp_path / ".opencode/tool" / f"{name}.ts").write_text("export default tool({})\n", "utf-8")
    for name in (os.fsdecode(name.encode()) for name in (*NAMES, "a\n::error::b")):  # folders, and skills by them
        for place in (f".claude/skills/{name}/SKILL.md", f"plugins/{name}/agents/a.md"):
            (tmp_path / place).parent.mkdir(parents=True)
            (tmp_path / place).write_text(agent("x"), "utf-8")
    (tmp_path / "agents.py").write_text(
        PYTHON + f"\nbroken = Agent(name={NASTY[4]!r}, tools=[{NASTY[0]!r}])\n", "utf-8"
    )
    servers = {name: {"command": "x"} for name in (*NASTY, LONG)}
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": servers}), "utf-8")
    (tmp_path / "opencode.json").write_text(
        json.dumps({"mcp": servers, "agent": {name: {} for name in NASTY}}), "utf-8"
    )
    return tmp_path


def assert_harmless(text: str, *, annotations: bool = False) -> None:
    for line in text.split("\n"):
        found = re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]", line)
        assert found is None, ascii(line)
        if annotations and line.startswith("::"):
            assert re.match(r"::(error|warning|notice) (?:(?:file|line|endLine|col|endColumn|title)=[^,:]*,?)+::", line)
            line = line[2:]
        assert not is_obeyed(line), ascii(line)


COMMANDS = [
    *(f"check --output-format {name}" for name in ("text", "json", "sarif", "github")),
    "check --output-format concise", "check --write-baseline ::error::x", "check --statistics", "check -v", "check --diff", "check --diff --unsafe-fixes",
    "check --diff --target opencode", "check --diff --target copilot --unsafe-fixes",
    *(f"convert --to {name} --diff" for name in ("claude-code", "opencode", "copilot", "vscode", "canonical")),
    "convert --to vscode", "sync --check", "sync", "init", "tools", "harnesses", "rules",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_over_the_project(command: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if command.startswith("sync"):
        (project / "fsagent-lint.toml").write_text(
            '[sync]\nsource = ".claude/agents"\ntargets = ["opencode", "vscode"]\n'
        )
    assert run(command.split()) in (0, 1, 2)
    said = capsys.readouterr()
    assert said.out + said.err
    assert_harmless(said.out, annotations="github" in command)
    assert_harmless(said.err)


@pytest.mark.parametrize("folder", [".claude/agents", ".opencode/agents", ".github/agents"])
@pytest.mark.parametrize(
    "command", ["explain", "explain --output-format json", "export --as json", "export --as json --shape opencode"]
)
def test_a_command_about_each_file(
    command: str, folder: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in sorted((project / folder).iterdir()):
        run([*command.split(), "--", str(path.relative_to(project))])
    said = capsys.readouterr()
    assert said.out + said.err
    assert_harmless(said.out)
    assert_harmless(said.err)


@pytest.mark.parametrize("form", ["yaml", "md"])
def test_what_is_said_beside_exported_data(form: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in sorted((project / ".claude/agents").iterdir()):
        run(["export", "--as", form, "--", str(path.relative_to(project))])
    assert_harmless(capsys.readouterr().err)


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("name", [*NASTY, LONG])
def test_a_tool_that_the_project_defines(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(["tools", "--", name])
    said = capsys.readouterr()
    assert said.out + said.err
    assert_harmless(said.out)
    assert_harmless(said.err)


@pytest.mark.parametrize("text", NASTY)
@pytest.mark.parametrize(
    "config",
    ["{} = 1", "select = [{}]", "target = {}", "exclude = {}", "[per-file-ignores]\n{} = [{}]", "[sync]\nsource = {}"],
)
def test_a_config_that_is_wrong(config: str, text: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "fsagent-lint.toml").write_text(config.replace("{}", json.dumps(text)), "utf-8")
    for command in ("check", "sync", "explain .mcp.json", "tools x"):
        run(command.split())
    said = capsys.readouterr()
    assert_harmless(said.out)
    assert_harmless(said.err)


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("text", NASTY)
def test_a_file_that_is_not_there(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("check", "explain", "export --as json", "convert --to opencode", "--no-such-option"):
        run([*command.split(), os.fsdecode(f"{text}.md".encode())])
    said = capsys.readouterr()
    assert said.err
    assert_harmless(said.out)
    assert_harmless(said.err)


TABLE = """
title = {0}
version = {0}
reader = "core"
semantics = "allow-list"
surprises = [{0}]
[mcp]
tool = "{{server}}/{{tool}}"
server = "{{server}}/*"
[kinds.agent]
globs = [".mine/agents/**/*.md"]
path = ".mine/agents/{{name}}.md"
[kinds.agent.keys.tools]
role = "allow"
syntax = "copilot-list"
forms = ["list"]
[kinds.agent.fields]
{0} = {{ type = ["string"], required = true, wrong = "refused" }}
[tools]
{0} = {{ grants = ["Shell"], presence = "conditional", condition = {0} }}
[names]
old = {{ gives = [{0}], status = "renamed", use = [{0}] }}
[write]
Shell = [{0}]
"""


@pytest.mark.parametrize("text", NASTY)
def test_a_table_that_the_project_brings(text: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "mine.toml").write_text(TABLE.format(json.dumps(text)), "utf-8")
    (project / "fsagent-lint.toml").write_text('harness-tables = ["mine.toml"]\n', "utf-8")
    (project / ".mine/agents").mkdir(parents=True)
    (project / ".mine/agents/a.md").write_text("---\nname: a\ntools: [old, Bash, x]\n---\n", "utf-8")
    commands = [
        *(f"check --output-format {name} .mine" for name in ("text", "json", "sarif", "github")),
        "harnesses", "harnesses --output-format json", "tools Shell", "explain .mine/agents/a.md",
        "check --diff --unsafe-fixes .mine", "convert --to mine --diff .mine", "export --as json .mine/agents/a.md",
    ]  # fmt: skip
    try:
        for command in commands:
            run(command.split())
            said = capsys.readouterr()
            assert_harmless(said.out, annotations="github" in command)
            assert_harmless(said.err)
    finally:
        use_tables({})


@pytest.mark.parametrize("text", NASTY)
def test_a_baseline_that_is_wrong(text: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for content in (text, json.dumps({text: 1}), json.dumps({"version": 1, "findings": [{"path": text, text: 1}]})):
        (project / "known.json").write_text(content, "utf-8")
        assert run(["--baseline", "known.json"]) == 2
        said = capsys.readouterr()
        assert_harmless(said.out)
        assert_harmless(said.err)
