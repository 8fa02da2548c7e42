"""MCP servers that agents name: reported where the target does not know them, or defined for it."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from fsagent_lint.cli.main import run
from fsagent_lint.converter.mcp_config import translate_server
from fsagent_lint.errors import UserError
from fsagent_lint.harnesses.tables import get_harness, harness_ids

WITH_CONFIG = [id for id in harness_ids() if get_harness(id).mcp_config is not None]
SERVERS = {
    "db": {"command": "npx", "args": ["-y", "db-mcp"], "env": {"TOKEN": "${DB_TOKEN}", "MODE": "fast"}},
    "web": {"type": "http", "url": "https://x.example/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}},
}


def translate(definition: dict[str, Any], source: str, target: str) -> dict[str, Any]:
    return translate_server(definition, get_harness(source), get_harness(target))


@pytest.mark.parametrize(
    ("target", "db", "web"),
    [
        (
            "opencode",
            {
                "type": "local",
                "command": ["npx", "-y", "db-mcp"],
                "environment": {"TOKEN": "{env:DB_TOKEN}", "MODE": "fast"},
            },
            {"type": "remote", "url": "https://x.example/mcp", "headers": {"Authorization": "Bearer {env:TOKEN}"}},
        ),
        (
            "vscode",
            {"type": "stdio", **SERVERS["db"], "env": {"TOKEN": "${env:DB_TOKEN}", "MODE": "fast"}},
            {**SERVERS["web"], "headers": {"Authorization": "Bearer ${env:TOKEN}"}},
        ),
        ("copilot", {"type": "local", **SERVERS["db"], "tools": ["*"]}, {**SERVERS["web"], "tools": ["*"]}),
        (
            "gemini",
            SERVERS["db"],
            {"httpUrl": "https://x.example/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}},
        ),
        (
            "roo",
            {**SERVERS["db"], "env": {"TOKEN": "${env:DB_TOKEN}", "MODE": "fast"}},
            {**SERVERS["web"], "type": "streamable-http", "headers": {"Authorization": "Bearer ${env:TOKEN}"}},
        ),
    ],
)
def test_definitions_in_the_shape_of_the_target(target: str, db: dict[str, Any], web: dict[str, Any]) -> None:
    assert translate(SERVERS["db"], "claude-code", target) == db
    assert translate(SERVERS["web"], "claude-code", target) == web


@pytest.mark.parametrize(("one", "other"), list(permutations(WITH_CONFIG, 2)))
@pytest.mark.parametrize("name", SERVERS)
def test_a_definition_comes_back_as_it_was(name: str, one: str, other: str) -> None:
    here = translate(SERVERS[name], "claude-code", one)
    assert translate(translate(here, one, other), other, one) == here


def test_a_server_that_is_switched_off_stays_off() -> None:
    off = {"type": "local", "command": ["x"], "enabled": False}
    assert translate(off, "opencode", "kiro") == {"command": "x", "disabled": True}
    assert translate({"command": "x", "disabled": False}, "kiro", "claude-code") == {"command": "x"}
    with pytest.raises(UserError, match="is disabled, which Claude Code cannot express"):
        translate(off, "opencode", "claude-code")


@pytest.mark.parametrize(
    ("definition", "source", "target", "reason"),
    [
        (
            {"command": "x", "excludeTools": ["rm"]},
            "gemini",
            "claude-code",
            "has `excludeTools`, which only Gemini CLI",
        ),
        (
            {"type": "local", "command": "x", "tools": ["a"]},
            "copilot",
            "claude-code",
            "has `tools`, which only Copilot",
        ),
        (
            {"command": "x", "env": {"K": "${input:key}"}},
            "vscode",
            "opencode",
            "uses `${input:key}`, which only VS Code",
        ),
        ({"command": "${workspaceFolder}/x"}, "vscode", "claude-code", "uses `${workspaceFolder}`"),
        ({"type": "local", "command": ["x", "{file:./key}"]}, "opencode", "vscode", "uses `{file:./key}`"),
        ({"command": "${CLAUDE_PLUGIN_ROOT}/x"}, "claude-code", "vscode", "which only Claude Code sets"),
        (
            {"command": "x", "args": ["${P:-80}"]},
            "claude-code",
            "opencode",
            "OpenCode does not support defaults for variables",
        ),
        ({"command": "x", "args": ["$HOME"]}, "claude-code", "gemini", "which Gemini CLI would read as a variable"),
        ({"type": "sse", "url": "https://x"}, "claude-code", "factory", "uses sse, which Factory does not support"),
        ({"type": "ws", "url": "https://x"}, "claude-code", "opencode", "uses an unknown transport"),
        ({"args": []}, "claude-code", "opencode", "uses an unknown transport"),
        ({"command": ""}, "claude-code", "opencode", "has no command"),
        ({"command": ["x"]}, "claude-code", "opencode", "has a `command` of the wrong type"),
        ({"type": "local", "command": [1]}, "opencode", "claude-code", "has a `command` of the wrong type"),
    ],
)
def test_what_would_mean_something_else_is_refused(
    definition: dict[str, Any], source: str, target: str, reason: str
) -> None:
    with pytest.raises(UserError) as caught:
        translate(definition, source, target)
    assert reason in str(caught.value)


# ------------------------------------------------------------------------------------------- the command line

AGENT = "---\nname: a\ndescription: d\ntools: Read, mcp__db__query{}\n---\nx\n"
OPENCODE = '{\n  // mine\n  "mcp": {"other": {"type": "local", "command": ["x"]}}\n}\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".claude/agents").mkdir(parents=True)
    (tmp_path / ".claude/agents/a.md").write_text(AGENT.format(""))
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": SERVERS}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def convert(*options: str) -> int:
    return run(["convert", "--from", "claude-code", *options])


def test_a_server_that_the_target_does_not_know_is_reported(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".claude/agents/b.md").write_text(AGENT.format("").replace("name: a", "name: b"))
    assert convert("--to", "opencode") == 1
    assert [line for line in capsys.readouterr().out.splitlines() if "lost-server" in line] == [
        ".claude/agents/a.md: [lost-server] The MCP server `db` is defined in .mcp.json for Claude Code; "
        "OpenCode looks in opencode.json: `convert --with-mcp` adds it there."
    ]
    assert not (project / "opencode.json").exists()


def test_a_server_that_nobody_defines_is_only_mentioned(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".mcp.json").unlink()
    assert convert("--to", "opencode", "--with-mcp") == 0
    message = "No file of the project defines the MCP server `db`; OpenCode looks for it in opencode.json."
    assert message in capsys.readouterr().out
    assert not (project / "opencode.json").exists()


@pytest.mark.parametrize("target", ["copilot", "canonical"])
def test_a_file_that_the_target_reads_itself_is_enough(
    target: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    convert("--to", target, "--with-mcp")
    assert "lost-server" not in capsys.readouterr().out
    assert not (project / ".github/mcp.json").exists()


def test_a_server_that_is_denied_or_defined_in_the_file_is_not_missing(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "---\nname: a\ndescription: d\ntools: Read, mcp__own__x\ndisallowedTools: mcp__web\nmcpServers:\n  own:\n    command: x\n---\nx\n"
    (project / ".claude/agents/a.md").write_text(text)
    convert("--to", "opencode")
    assert "lost-server" not in capsys.readouterr().out


def test_a_server_whose_tools_are_all_lost_is_not_defined(project: Path) -> None:
    convert("--to", "cursor", "--with-mcp")
    assert (project / ".cursor/agents/a.md").exists()
    assert not (project / ".cursor/mcp.json").exists()


def test_with_mcp_writes_what_the_agents_name_and_nothing_else(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert convert("--to", "opencode", "--with-mcp", "--diff") == 0
    assert '+      "type": "local",' in capsys.readouterr().out
    assert not (project / "opencode.json").exists()
    assert convert("--to", "opencode", "--with-mcp") == 0
    assert ".mcp.json: wrote opencode.json (db)" in capsys.readouterr().out
    assert list(json.loads((project / "opencode.json").read_text())["mcp"]) == ["db"]
    assert convert("--to", "opencode", "--with-mcp") == 0
    assert capsys.readouterr().out == "The file is already current.\n"


def test_an_existing_file_keeps_every_byte(project: Path) -> None:
    (project / "opencode.jsonc").write_text(OPENCODE)
    (project / ".claude/agents/a.md").write_text(AGENT.format(", mcp__web"))
    assert convert("--to", "opencode", "--with-mcp") == 0
    text = (project / "opencode.jsonc").read_text()
    head, tail = OPENCODE.split("}}\n")
    assert text.startswith(head)
    assert text.endswith(f"}}\n{tail}")
    assert text.count("\n") == OPENCODE.count("\n")
    assert not (project / "opencode.json").exists()


def test_another_definition_is_reported_and_stays(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = '{"mcp": {"db": {"type": "local", "command": ["mine"]}}}'
    (project / ".opencode").mkdir()
    (project / ".opencode/opencode.json").write_text(mine)
    assert convert("--to", "opencode") == 0
    capsys.readouterr()
    assert convert("--to", "opencode", "--with-mcp") == 1
    message = ".opencode/opencode.json defines the MCP server `db` differently from .mcp.json; not changed."
    assert message in capsys.readouterr().out
    assert (project / ".opencode/opencode.json").read_text() == mine
    assert not (project / "opencode.json").exists()


def test_a_definition_that_cannot_be_translated_is_left_to_the_user(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".mcp.json").write_text('{"mcpServers": {"db": {"command": "${CLAUDE_PROJECT_DIR}/db"}}}')
    assert convert("--to", "vscode", "--with-mcp") == 1
    assert "which only Claude Code sets; define it in .vscode/mcp.json by hand." in capsys.readouterr().out
    assert not (project / ".vscode").exists()


def test_a_broken_file_is_not_touched(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "opencode.json").write_text('{"mcp": ')
    assert convert("--to", "opencode", "--with-mcp") == 1
    assert "The MCP server `db` was not added: opencode.json is not valid JSON" in capsys.readouterr().out
    assert (project / "opencode.json").read_text() == '{"mcp": '


def test_a_config_that_is_a_link_is_not_written(
    project: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "opencode.json"
    outside.write_text("{}")
    (project / "opencode.json").symlink_to(outside)
    assert convert("--to", "opencode", "--with-mcp") == 2
    assert "opencode.json: is a link; not written" in capsys.readouterr().out
    assert outside.read_text() == "{}"


def test_a_map_without_a_key_is_added_to_as_it_is(project: Path) -> None:
    (project / "opencode.json").write_text('{"mcp": {"db": {"type": "local", "command": ["db"]}}}')
    (project / ".mcp.json").unlink()
    (project / ".claude/agents/a.md").unlink()
    (project / ".opencode/agents").mkdir(parents=True)
    (project / ".opencode/agents/a.md").write_text(
        "---\ndescription: d\npermission:\n  '*': deny\n  db_query: allow\n---\nx\n"
    )
    (project / ".github").mkdir()
    (project / ".github/mcp.json").write_text('{"web": {"type": "local", "command": "web", "tools": ["*"]}}')
    assert run(["convert", "--to", "copilot", "--with-mcp"]) == 0
    servers = json.loads((project / ".github/mcp.json").read_text())
    assert servers["db"] == {"type": "local", "command": "db", "tools": ["*"]}
    assert list(servers) == ["web", "db"]


@pytest.mark.parametrize(("text", "code"), [("{}", 0), ('{"model": "a/b"}', 0), ('{"agent": 3}', 2), ('{"agent": ', 2)])
def test_a_config_that_says_nothing_of_agents_is_no_obstacle(text: str, code: int, project: Path) -> None:
    (project / "opencode.json").write_text(text)
    assert run(["convert", "--to", "copilot", "opencode.json"]) == code


def test_several_targets_each_get_their_file(project: Path) -> None:
    assert convert("--to", "opencode", "--to", "vscode", "--with-mcp") == 0
    assert "db" in json.loads((project / "opencode.json").read_text())["mcp"]
    assert "db" in json.loads((project / ".vscode/mcp.json").read_text())["servers"]


def test_sync_reports_them_too(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "fsagent-lint.toml").write_text('[sync]\nsource = ".claude/agents"\ntargets = ["opencode"]\n')
    assert run(["sync"]) == 0
    assert "note: .claude/agents/a.md: [lost-server] The MCP server `db`" in capsys.readouterr().out
