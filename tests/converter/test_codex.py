"""Codex keeps its agents in TOML: they are written, never read, and never wider than was meant without a yes."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import fsagent_lint
from fsagent_lint.cli.main import run
from fsagent_lint.errors import UserError
from fsagent_lint.frontmatter.dump import to_toml

OPEN = "---\nname: all\ndescription: Does it.\n---\nDo it.\n"
READER = "---\nname: reader\ndescription: 'Reads: a lot'\ntools: Read, Grep\neffort: high\ncolor: red\n---\nRead.\n"
ROLE = ".codex/agents"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: Path, text: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)


def made(project: Path, text: str | bytes, *options: str) -> dict[str, object]:
    """The role that an agent becomes."""
    put(project / ".claude/agents/a.md", text)
    assert run(["convert", "--to", "codex", *options]) in (0, 1)
    [path] = (project / ROLE).iterdir()
    return tomllib.loads(path.read_text(encoding="utf-8"))


# ------------------------------------------------------------------------------------------------------- TOML

CHARACTERS = st.characters(codec="utf-8") | st.sampled_from("\r\n\t\"'\\\x00\x1f\x7f\u2028")
TEXT = st.text(CHARACTERS)
VALUES = st.recursive(
    TEXT | st.booleans() | st.integers() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(TEXT, VALUES, max_size=4))
@example({"a": 'x"""y""""z\n"'})
@example({"a": "\n'''\\"})
@example({"a": "one\\\ntwo'"})
@example({"a": "\\d+\n"})
@example({"a": "one\r\ntwo\rthree\n"})
@example({"a b": '"', "": "\\", "a.b": ["\n", {"c": "\x00"}]})
def test_what_is_written_is_what_is_read(values: dict[str, object]) -> None:
    assert tomllib.loads(to_toml(values)) == values


def test_texts_of_several_lines_stay_readable() -> None:
    assert to_toml({"a": 'Say "no".\nTwice.\n'}) == 'a = """\nSay "no".\nTwice.\n"""\n'
    assert to_toml({"a": "Match \\d+.\n"}) == "a = '''\nMatch \\d+.\n'''\n"


@given(body=st.text(CHARACTERS, min_size=1))
@example(body="---\n")
@example(body="\r\n\r\nx")
@example(body='"""\\')
def test_the_prompt_survives(body: str) -> None:
    converted = fsagent_lint.convert(f"---\nname: a\ndescription: d\n---\n{body}", "codex", harness="claude-code")
    if body.strip():
        assert tomllib.loads(converted.data.decode())["developer_instructions"] == body
    else:
        assert converted.error == "cannot be written for Codex: the prompt is missing"


# ------------------------------------------------------------------------------------------------------ roles


def test_a_role_has_name_description_and_instructions(project: Path) -> None:
    assert made(project, OPEN) == {"name": "all", "description": "Does it.", "developer_instructions": "Do it.\n"}
    assert [path.name for path in (project / ROLE).iterdir()] == ["all.toml"]


@pytest.mark.parametrize(
    ("tools", "names"),
    [
        ("tools: Read, Grep", "Shell, Write, Edit"),
        ("tools: []", "Shell, "),
        ("tools: Read, Bash(git diff:*)", "Write, Edit"),
        ("disallowedTools: Bash", "Shell"),
        ("disallowedTools: Write, Edit", "Write, Edit"),
    ],
)
def test_an_agent_that_is_restricted_is_not_written(
    project: Path, capsys: pytest.CaptureFixture[str], tools: str, names: str
) -> None:
    put(project / ".claude/agents/a.md", f"---\nname: a\ndescription: d\n{tools}\n---\nx\n")
    assert run(["convert", "--to", "codex"]) == 2
    out = capsys.readouterr().out
    assert f"Codex cannot restrict an agent; this one would be granted {names}" in out
    assert not (project / ".codex").exists()


def test_a_shell_with_a_limit_is_not_written_without(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tools = "Read, Write, Edit, Agent, SendMessage, Bash(git diff:*)"
    put(project / ".claude/agents/a.md", f"---\nname: a\ndescription: d\ntools: {tools}\n---\nx\n")
    assert run(["convert", "--to", "codex"]) == 2
    assert not (project / ".codex").exists()
    assert "more than intended" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("tools", "mode"),
    [
        ("tools: Read, Grep, WebSearch", "read-only"),
        ("tools: []", "read-only"),
        ("tools: Read, Edit", "workspace-write"),
        ("tools: Read, Bash", "workspace-write"),
        ("tools: Read, mcp__db__query", None),
        ("disallowedTools: Bash", None),
        ("model: inherit", None),
    ],
)
def test_the_sandbox_says_roughly_what_the_tools_said(project: Path, tools: str, mode: str | None) -> None:
    role = made(project, f"---\nname: a\ndescription: d\n{tools}\n---\nx\n", "--unsafe-fixes")
    assert role.get("sandbox_mode") == mode
    assert set(role) <= {"name", "description", "sandbox_mode", "developer_instructions"}


def test_what_is_lost_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    role = made(project, READER.replace("Grep", "LSP"), "--unsafe-fixes")
    assert (role["description"], role["model_reasoning_effort"]) == ("Reads: a lot", "high")
    out = capsys.readouterr().out
    assert "[lost-field] Codex has no field for `color: red` in agents; dropped." in out
    assert "[lost-tool] Codex has no equivalent of Lsp" in out
    assert "[widened] Codex cannot restrict an agent; it is also granted Shell, Write, Edit" in out


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"---\nname: a\ndescription: d\n---\n\xff\n", "the body is not UTF-8"),
        (b"---\nname: a\ndescription: d\n---\n \n", "the prompt is missing"),
        (b"---\nname: a\n---\nx\n", "Codex requires `description`"),
        (b"x\n", "the file has no frontmatter"),
    ],
)
def test_what_codex_would_not_load_is_not_written(
    project: Path, capsys: pytest.CaptureFixture[str], text: bytes, problem: str
) -> None:
    put(project / ".claude/agents/a.md", text)
    assert run(["convert", "--to", "codex"]) == 2
    assert problem in capsys.readouterr().out
    assert not (project / ".codex").exists()


def test_skills_are_markdown(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".claude/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: d\nallowed-tools: Read\n---\nx\n")
    assert run(["convert", "--to", "codex"]) == 1
    lost = "[lost-approval] Codex does not approve tools in advance; Read will need confirmation."
    assert lost in capsys.readouterr().out
    assert (project / ".agents/skills/pdf/SKILL.md").read_text() == "---\nname: pdf\ndescription: d\n---\nx\n"


# ---------------------------------------------------------------------------------------------- never read


@pytest.mark.parametrize(
    "arguments",
    [
        ["convert", "--from", "codex", "--to", "opencode"],
        ["--from", "codex"],
        ["--harness", "codex", "a.md"],
        ["--fix", "--target", "codex"],
        ["export", "a.md", "--as", "json", "--harness", "codex"],
    ],
)
def test_roles_are_not_read(project: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    put(project / "a.md", OPEN)
    assert run(arguments) == 2
    assert "Codex keeps its agents in TOML files, which are not checked" in capsys.readouterr().err


def test_the_config_cannot_ask_to_read_them(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / "fsagent-lint.toml", "[[paths]]\nglob = '*.md'\nharness = 'codex'\n")
    assert run([]) == 2
    assert "paths[0].kind: Codex has no agents in markdown files (it has: skill)" in capsys.readouterr().err
    put(project / "fsagent-lint.toml", "[[paths]]\nglob = '*.md'\nharness = 'opencode'\nkind = 'prompt'\n")
    assert run([]) == 2
    assert "paths[0].kind: OpenCode has no prompts" in capsys.readouterr().err
    put(project / "fsagent-lint.toml", "target = 'codex'\n")
    assert run([]) == 2


def test_roles_are_judged_and_markdown_is_none(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(project, OPEN)
    capsys.readouterr()
    assert run([]) == 0
    assert "2 files" in capsys.readouterr().out
    assert run(["explain", ".claude/agents/a.md"]) == 0
    assert "codex" not in capsys.readouterr().out
    with pytest.raises(UserError):
        fsagent_lint.load(OPEN, harness="claude-code").effect("codex")


# ----------------------------------------------------------------------------------------------------- in sync


def test_roles_are_kept_in_sync(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".claude/agents/all.md", OPEN)
    put(project / "fsagent-lint.toml", "[sync]\nsource = '.claude/agents'\ntargets = ['codex']\n")
    role = project / ROLE / "all.toml"
    assert run(["sync"]) == 0
    assert role.read_text().startswith("# Generated by fsagent-lint from .claude/agents/all.md; do not edit. ")
    assert tomllib.loads(role.read_text())["developer_instructions"] == "Do it.\n"
    assert run(["sync", "--check"]) == 0
    put(project / ".claude/agents/all.md", OPEN.replace("Do it.", "Do more."))
    assert run(["sync", "--check"]) == 1
    assert "all.toml: stale" in capsys.readouterr().out
    assert run(["sync"]) == 0
    assert "Do more." in role.read_text()
    role.write_text(role.read_text().replace("Do more.", "Do less."))
    assert run(["sync", "--check"]) == 1
    assert "all.toml: edited by hand" in capsys.readouterr().out
    assert run(["sync"]) == 2
    assert run(["sync", "--force"]) == 0
    (project / ".claude/agents/all.md").unlink()
    assert run(["sync", "--check"]) == 1
    assert "all.toml: orphaned" in capsys.readouterr().out
    assert run(["sync", "--prune"]) == 0
    assert not role.exists()


def test_a_role_may_have_fields_of_its_own(project: Path) -> None:
    put(project / ".claude/agents/all.md", OPEN.replace("---\nDo", "x-codex: {model: gpt-5.6}\n---\nDo"))
    put(project / "fsagent-lint.toml", "[sync]\nsource = '.claude/agents'\ntargets = ['codex']\n")
    assert run(["sync"]) == 0
    assert tomllib.loads((project / ROLE / "all.toml").read_text())["model"] == "gpt-5.6"


def test_a_role_that_somebody_wrote_is_left_alone(project: Path) -> None:
    put(project / ".claude/agents/all.md", OPEN)
    put(project / "fsagent-lint.toml", "[sync]\nsource = '.claude/agents'\ntargets = ['codex']\n")
    put(project / ROLE / "all.toml", 'name = "mine"\n')
    put(project / ROLE / "other.toml", 'name = "other"\n')
    assert run(["sync", "--prune"]) == 2
    assert (project / ROLE / "all.toml").read_text() == 'name = "mine"\n'
    assert (project / ROLE / "other.toml").exists()
