"""`init`: what it finds in a repository, what it proposes, and when it writes."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from docgen.__main__ import ROOT
from fsagent_lint.cli.main import run
from fsagent_lint.project.config import load_settings
from fsagent_lint.project.neighbours import mcp_servers

AGENT = "---\nname: {name}\ndescription: Does things.\ntools: Read\n---\nYou do things.\n"
SHELL = "---\ndescription: Does things.\nmode: subagent\npermission: {bash: deny}\n---\nYou do things.\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: str, text: str = "") -> None:
    name = Path(path).name.split(".")[0]
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text or AGENT.format(name=name), encoding="utf-8", newline="\n")


def write_team() -> None:
    """The same agents for three harnesses, most of them for Claude Code."""
    for name in ("a", "b", "c"):
        write(f".claude/agents/{name}.md")
    write(".opencode/agents/a.md", SHELL)
    write(".opencode/agents/other.md", SHELL)
    write(".github/agents/b.agent.md")


def init() -> dict[str, object]:
    """What a run with --yes writes into a file of its own."""
    assert run(["init", "--yes"]) == 0
    return tomllib.loads(Path("fsagent-lint.toml").read_text(encoding="utf-8"))


# --------------------------------------------------------------------------------------------------- proposals


def test_a_source_and_its_targets() -> None:
    write_team()
    assert init() == {
        "sync": {"source": ".claude/agents", "targets": ["copilot", "opencode"]},
    }


def test_the_folder_with_most_agents_is_the_source() -> None:
    write_team()
    for name in ("b", "c", "d"):
        write(f".opencode/agents/{name}.md", SHELL)
    assert init()["sync"] == {"source": ".opencode/agents", "targets": ["claude-code", "copilot"]}


def test_agents_are_the_same_by_what_they_are_known_by() -> None:
    write(".claude/agents/file.md", AGENT.format(name="scout"))
    write(".claude/agents/more.md")
    write(".opencode/agents/scout.md", SHELL)
    assert init()["sync"] == {"source": ".claude/agents", "targets": ["opencode"]}


def test_no_common_agent_no_sync() -> None:
    write(".claude/agents/a.md")
    write(".opencode/agents/b.md", SHELL)
    write("packages/web/.opencode/agents/a.md", SHELL)
    assert init() == {}


def test_collections_that_lie_where_no_harness_looks() -> None:
    for path in ("agents/a.md", "agents/b.md", "team/core/a.md", "team/core/b.md", "team/web/c.md", "one/a.md"):
        write(path)
    for name in ("pdf", "doc"):
        write(f"skills/{name}/SKILL.md", f"---\nname: {name}\ndescription: Reads.\n---\nRead it.\n")
    write("agents/README.md", "# Agents\n")
    for name in ("a", "b", "c", "d"):
        write(f"docs/{name}.md", "# Words\n")
    write("docs/e.md")
    write("docs/f.md")
    assert init()["paths"] == [
        {"glob": "agents/*.md", "harness": "claude-code", "kind": "agent"},
        {"glob": "skills/**/SKILL.md", "harness": "agent-skills", "kind": "skill"},
        {"glob": "team/**/*.md", "harness": "claude-code", "kind": "agent"},
    ]


def test_a_collection_among_other_markdown_is_named_alone() -> None:
    for name in ("a", "b", "c", "d", "e"):
        write(f"docs/text/{name}.md", "# Words\n")
    for folder in ("x", "y"):
        write(f"docs/{folder}/a.agent.md")
        write(f"docs/{folder}/b.agent.md")
    entries = init()["paths"]
    assert isinstance(entries, list)
    assert [entry["glob"] for entry in entries] in (
        ["docs/**/*.agent.md"],
        ["docs/x/*.agent.md", "docs/y/*.agent.md"],
    )


def test_what_git_ignores_is_no_collection() -> None:
    subprocess.run(["git", "init", "--quiet"], check=True)
    write(".gitignore", "vendor/\n")
    for name in ("a", "b"):
        write(f"vendor/agents/{name}.md")
    assert init() == {}


def test_servers_are_data() -> None:
    write(".mcp.json", '\ufeff{"mcpServers": {"db": {"command": "false"}, "bad\\u001b[31m": {}, "": {}}}')
    write(".vscode/mcp.json", '{// a comment\n "servers": {"git//hub": {}, /* more */ "db": {},}, }')
    write("opencode.json", '{"mcp": {"web": {}}}')
    assert init() == {"mcp-servers": ["db", "git//hub", "web"]}


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"mcpServers": []}', '{"mcpServers": null}', "[" * 100_000, '{"mcpServers": {"x": '],
    ids=str,
)
def test_a_broken_file_has_no_servers(text: str) -> None:
    Path(".mcp.json").write_text(text)
    assert mcp_servers(".") == []


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="needs links")
def test_a_link_out_of_the_project_has_no_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("secret.json", '{"mcpServers": {"secret": {}}}')
    (tmp_path / "project/.git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project")
    os.symlink("../secret.json", ".mcp.json")
    assert mcp_servers(".") == []
    Path(".mcp.json").unlink()
    Path(".mcp.json").write_bytes(b"\xff")
    assert mcp_servers(".") == []


def test_hostile_names_stay_out() -> None:
    for name in ("a", "b"):
        write(f'x"]\n[evil/{name}.md')
        write(f"we[i]rd/{name}.md")
    assert init() == {}


def test_an_empty_project_gets_a_config_to_start_from(capsys: pytest.CaptureFixture[str]) -> None:
    assert init() == {}
    assert capsys.readouterr().out.startswith("Found no agents.\n")


def test_what_is_written_is_a_legal_config() -> None:
    write_team()
    for name in ("a", "b"):
        write(f"agents/{name}.md")
    init()
    settings = load_settings("fsagent-lint.toml")
    assert settings.sync is not None
    assert run(["sync", "--check", "--quiet"]) in (0, 1)
    assert run(["check", "--quiet"]) in (0, 1)


# ----------------------------------------------------------------------------------------------------- writing


def test_a_python_project_keeps_it_in_its_own_file() -> None:
    write_team()
    before = '[project]\nname = "x"  # ours\n[tool.ruff]\nline-length = 100'
    write("pyproject.toml", before)
    assert run(["init", "--yes"]) == 0
    after = Path("pyproject.toml").read_text()
    assert after.startswith(f"{before}\n\n[tool.fsagent-lint]\n")
    assert tomllib.loads(after)["tool"]["fsagent-lint"]["sync"]["targets"] == ["copilot", "opencode"]
    assert not Path("fsagent-lint.toml").exists()


def test_line_ends_stay_as_they_are() -> None:
    Path("pyproject.toml").write_bytes(b'[project]\r\nname = "x"\r\n')
    assert run(["init", "--yes"]) == 0
    data = Path("pyproject.toml").read_bytes()
    assert data.startswith(b'[project]\r\nname = "x"\r\n\r\n[tool.fsagent-lint]\r\n')
    assert data.count(b"\n") == data.count(b"\r\n")


@pytest.mark.parametrize(
    "text", [b"tool = {ruff = {}}\n", b"[project\n", b"\xff\n", b'[tool]\n"fsagent-lint.x" = 1\nx = ']
)
def test_a_file_that_cannot_take_it_is_left_alone(text: bytes) -> None:
    Path("pyproject.toml").write_bytes(text)
    if b"fsagent" in text:
        assert run(["init", "--yes"]) == 2
    else:
        assert init() == {}
    assert Path("pyproject.toml").read_bytes() == text


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("fsagent-lint.toml", 'ignore = ["FA1"]\n'),
        ("pyproject.toml", "[tool.fsagent-lint]\n"),
        ("fsagent-lint.toml", "{"),
    ],
)
def test_a_config_is_never_changed(path: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    write_team()
    write(path, text)
    assert run(["init", "--yes"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"error: {path} already configures fsagent-lint; not changed.\n")
    assert Path(path).read_text() == text
    assert [name for name in os.listdir() if name.endswith(".toml")] == [path]


def test_nor_one_further_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write("fsagent-lint.toml", 'select = ["all"]\n')
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    assert run(["init", "--yes"]) == 2
    assert "fsagent-lint.toml already configures fsagent-lint" in capsys.readouterr().err


def test_without_a_person_nothing_is_written() -> None:
    write_team()
    done = subprocess.run(
        [sys.executable, "-m", "fsagent_lint", "init"], input="y\n", capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 1
    assert 'source = ".claude/agents"' in done.stdout and "Write it?" not in done.stdout
    assert done.stderr == "Not written, because there is no terminal to confirm. Pass --yes to write it.\n"
    assert not Path("fsagent-lint.toml").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("answer", "status"), [("y", 0), ("n", 1), ("", 1)])
def test_a_person_is_asked(answer: str, status: int) -> None:
    write_team()
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "fsagent_lint", "init"], stdin=theirs, stdout=subprocess.PIPE, encoding="utf-8"
    )
    os.close(theirs)
    os.write(ours, f"{answer}\n".encode())
    out, _ = process.communicate(timeout=60)
    os.close(ours)
    assert process.returncode == status
    assert "Write it? [y/N]: " in out
    assert Path("fsagent-lint.toml").exists() == (status == 0)


def test_what_cannot_be_written_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    write("pyproject.toml", '[project]\nname = "x"\n')
    os.link("pyproject.toml", "other.toml")
    assert run(["init", "--yes"]) == 2
    assert "pyproject.toml: has other hard links" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------------- pre-commit


def shown_hooks(capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert run(["init", "--yes"]) == 0
    _, found, rest = capsys.readouterr().out.partition("To add to .pre-commit-config.yaml by hand:\n\n")
    return [hook["id"] for hook in yaml.safe_load(rest.partition("\n\n")[0])["repos"][0]["hooks"]] if found else []


def test_the_hooks_exist(capsys: pytest.CaptureFixture[str]) -> None:
    offered = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
    write_team()
    hooks = shown_hooks(capsys)
    assert hooks[0] == "fsagent-lint"
    assert set(hooks) <= offered


def test_a_hook_that_is_there_is_not_proposed(capsys: pytest.CaptureFixture[str]) -> None:
    write(".pre-commit-config.yaml", "repos:\n  - repo: https://example.com/fsagent-lint\n")
    assert shown_hooks(capsys) == []
    assert "example.com" in Path(".pre-commit-config.yaml").read_text()
