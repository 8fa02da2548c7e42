"""What other programs are given: the canonical form, the JSON of two harnesses, and the canonical file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

import fsagent_lint
from fsagent_lint.agent.widening import loosened
from fsagent_lint.cli.main import run
from fsagent_lint.frontmatter.dump import to_yaml
from fsagent_lint.model.tool import TOOLS
from fsagent_lint.report.json import to_json

REVIEWER = """\
---
name: Code Reviewer
description: Reviews the changes.
# what it may do
tools: Read, Bash(git diff:*), mcp__db__query
model: opus
skills: style, security
maxTurns: 10
---

You review changes.

- Never change files.
"""
SCOUT = """\
---
description: Answers questions with {env:HOME}.
mode: primary
model: openai/gpt-5
permission:
  "*": deny
  read: allow
  bash: ask
  deploy: allow
---
Read {file:~/.ssh/id_rsa} and {env:TOKEN}.
"""
PLAIN = "---\nname: plain\ndescription: Is plain.\ntools: read, mcp__db__query\nmodel: some-model\nskills: style, security\n---\n"
FILES = {
    ".claude/agents/plain.md": f"{PLAIN}Be plain.\n",
    ".claude/agents/reviewer.md": REVIEWER,
    ".opencode/agents/scout.md": SCOUT,
    ".claude/skills/pdf/SKILL.md": "---\nname: pdf\ndescription: Reads PDF.\nallowed-tools: Read\n---\nRead it.\n",
    ".claude/commands/go.md": "Go on.\n",
    ".github/prompts/go.prompt.md": "---\ndescription: Goes.\n---\nGo on.\n",
    ".github/chatmodes/calm.chatmode.md": "---\ndescription: Calm.\ntools: ['search']\n---\nBe calm.\n",
    ".claude/agents/all.md": "---\nname: all\ndescription: Has it all.\n---\nDo it.\n",
    ".claude/agents/most.md": "---\nname: most\ndescription: Has most.\ndisallowedTools: Bash\n---\nDo it.\n",
    ".claude/agents/colon.md": "---\nname: colon\ndescription: Use it: always\ntools: Read\n---\nDo it.\n",
    ".opencode/agents/guess.md": "---\ndescription: Guesses.\ntools: {read: true}\n---\nGuess.\n",
}


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8", newline="\n")
    monkeypatch.chdir(tmp_path)


class Exporter:
    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        self.capfd = capfd

    def __call__(self, file: str, *options: str) -> tuple[int, str, str]:
        status = run(["export", file, *options])
        out, err = self.capfd.readouterr()
        return status, out, err


@pytest.fixture
def export(capfd: pytest.CaptureFixture[str]) -> Exporter:
    return Exporter(capfd)


def load(text: str) -> Any:
    return json.loads(text)


# -------------------------------------------------------------------------------------------------- canonical


def test_json_is_the_whole_agent_in_canonical_names(export: Exporter) -> None:
    status, out, err = export(".claude/agents/reviewer.md", "--as", "json")
    assert (status, err) == (0, "")
    assert load(out) == {
        "version": 1,
        "name": "Code Reviewer",
        "description": "Reviews the changes.",
        "kind": "agent",
        "harness": "claude-code",
        "path": ".claude/agents/reviewer.md",
        "tools": {
            "default": "deny",
            "rules": [
                {"tool": "Read", "action": "allow", "scope": None},
                {"tool": "Shell", "action": "allow", "scope": "git diff *"},
                {"tool": "mcp:db/query", "action": "allow", "scope": None},
            ],
        },
        "fields": {"model": "opus", "skills": "style, security", "maxTurns": 10},
        "prompt": "You review changes.\n\n- Never change files.",
    }


@pytest.mark.parametrize("file", FILES)
def test_the_shape_is_always_the_same(file: str, export: Exporter) -> None:
    status, out, _ = export(file, "--as", "json")
    value = load(out)
    assert status == 0
    assert list(value) == [
        "version", "name", "description", "kind", "harness", "path", "tools", "fields", "prompt",
    ]  # fmt: skip
    assert list(value["tools"]) == ["default", "rules"]
    assert all(list(rule) == ["tool", "action", "scope"] for rule in value["tools"]["rules"])


@pytest.mark.parametrize("file", FILES)
def test_yaml_says_the_same(file: str, export: Exporter) -> None:
    as_json, as_yaml = (export(file, "--as", form) for form in ("json", "yaml"))
    assert as_json[0] == as_yaml[0]
    assert yaml.safe_load(as_yaml[1]) == load(as_json[1])


def test_yaml_is_for_people_too(export: Exporter) -> None:
    _, out, _ = export(".claude/agents/reviewer.md", "--as", "yaml")
    assert out.endswith("prompt: |-\n  You review changes.\n\n  - Never change files.\n")


def test_what_is_only_a_guess_is_said(export: Exporter) -> None:
    status, out, err = export(".opencode/agents/guess.md", "--as", "json")
    assert (status, load(out)["tools"]["default"]) == (0, "deny")
    assert err.startswith("note: .opencode/agents/guess.md: `tools` only enables tools;")


def test_broken_yaml_is_read_as_it_was_meant(export: Exporter) -> None:
    status, out, _ = export(".claude/agents/colon.md", "--as", "json")
    assert (status, load(out)["description"]) == (0, "Use it: always")


# ----------------------------------------------------------------------------------------------------- shapes


def test_the_shape_of_opencode_json(export: Exporter) -> None:
    status, out, err = export(".claude/agents/reviewer.md", "--as", "json", "--shape", "opencode")
    assert load(out) == {
        "agent": {
            "code-reviewer": {
                "description": "Reviews the changes.",
                "permission": {"*": "deny", "read": "allow", "bash": {"*": "deny", "git diff *": "allow"}, "db_query": "allow"},
                "model": "anthropic/claude-opus-4-5",
                "steps": 10,
                "mode": "subagent",
                "prompt": "You review changes.\n\n- Never change files.",
            }
        }
    }  # fmt: skip
    assert status == 1
    assert (
        err
        == ".claude/agents/reviewer.md: [lost-field] OpenCode has no field for `skills: style, security` in agents; dropped.\n"
    )


def test_the_shape_of_claude_agents(export: Exporter) -> None:
    status, out, err = export(".claude/agents/plain.md", "--as", "json", "--shape", "claude")
    assert (status, err) == (0, "")
    assert load(out) == {
        "plain": {
            "description": "Is plain.",
            "tools": ["Read", "mcp__db__query"],
            "model": "some-model",
            "skills": ["style", "security"],
            "prompt": "Be plain.",
        }
    }


def test_what_claude_cannot_limit_is_left_out(export: Exporter) -> None:
    rules = '{"*": deny, read: allow, bash: {"*": deny, "git diff *": allow}}'
    Path(".opencode/agents/diff.md").write_text(f"---\ndescription: x\npermission: {rules}\n---\nx\n")
    status, out, err = export(".opencode/agents/diff.md", "--as", "json", "--shape", "claude")
    assert status == 1
    assert "Read" in load(out)["diff"]["tools"] and "Bash" not in out
    assert "[lost-scope]" in err


def test_a_file_of_the_harness_itself_keeps_its_fields(export: Exporter) -> None:
    status, out, err = export(".opencode/agents/scout.md", "--as", "json", "--shape", "opencode")
    assert (status, err) == (0, "")
    assert load(out)["agent"]["scout"] == {
        "description": "Answers questions with {env:HOME}.",
        "mode": "primary",
        "model": "openai/gpt-5",
        "permission": {"*": "deny", "read": "allow", "bash": "ask", "deploy": "allow"},
        "prompt": "Read {file:~/.ssh/id_rsa} and {env:TOKEN}.",
    }


def test_opencode_finds_nothing_to_fill_in(export: Exporter) -> None:
    """It replaces {env:…} and {file:…} in the text of its config, before it is read as JSON."""
    _, out, _ = export(".opencode/agents/scout.md", "--as", "json", "--shape", "opencode")
    assert re.findall(r"\{env:([^}]+)\}|\{file:[^}]+\}", out) == []


@pytest.mark.parametrize(("shape", "tools"), [("claude", {}), ("opencode", {"mode": "subagent"})])
def test_every_tool_needs_no_word(shape: str, tools: dict[str, str], export: Exporter) -> None:
    status, out, _ = export(".claude/agents/all.md", "--as", "json", "--shape", shape)
    value = load(out)
    assert status == 0
    assert (value if shape == "claude" else value["agent"])["all"] == {
        "description": "Has it all.",
        **tools,
        "prompt": "Do it.",
    }


def test_a_denial_stays_a_denial(export: Exporter) -> None:
    _, out, _ = export(".claude/agents/most.md", "--as", "json", "--shape", "claude")
    assert load(out)["most"]["disallowedTools"] == ["Bash"]
    _, out, _ = export(".claude/agents/most.md", "--as", "json", "--shape", "opencode")
    assert load(out)["agent"]["most"]["permission"] == {"bash": "deny"}


def test_a_shape_may_be_yaml(export: Exporter) -> None:
    status, out, _ = export(".github/chatmodes/calm.chatmode.md", "--as", "yaml", "--shape", "claude")
    assert status in (0, 1)
    assert yaml.safe_load(out)["calm"]["prompt"] == "Be calm."


# ------------------------------------------------------------------------------------------------------ files


def test_markdown_is_a_canonical_file(export: Exporter) -> None:
    status, out, err = export(".claude/agents/reviewer.md", "--as", "md")
    head, _, body = out.partition("---\n\n")
    assert status == 1
    assert (
        err
        == ".claude/agents/reviewer.md: [lost-field] canonical has no field for `skills: style, security` in agents; dropped.\n"
    )
    assert head == (
        "---\nname: Code Reviewer\ndescription: Reviews the changes.\n# what it may do\n"
        "tools:\n  - Read\n  - Shell(git diff *)\n  - mcp:db/query\nmodel: opus\nsteps: 10\nmode: subagent\n"
    )
    assert body == REVIEWER.partition("---\n\n")[2]


@pytest.mark.parametrize("file", FILES)
def test_the_canonical_file_means_the_same(file: str, export: Exporter) -> None:
    _, out, err = export(file, "--as", "md")
    agent = fsagent_lint.load(file)
    there = (
        fsagent_lint.load(out, harness="canonical", kind="command" if agent.kind == "prompt" else None) if out else None
    )
    assert there is not None, err
    assert there.prompt == agent.prompt
    tools = {*TOOLS.values(), *agent.policy.named(), *there.policy.named()}
    more = [tool for tool in tools if there.policy.action(tool).strength > agent.policy.action(tool).strength]
    assert (more == [] and loosened(there.policy, agent.policy) == []) or "lost-ask" in err
    assert [tool for tool in agent.policy.named() if tool not in there.policy.named()] == []


def test_tools_that_no_table_knows_have_a_canonical_name(export: Exporter) -> None:
    status, out, err = export(".opencode/agents/scout.md", "--as", "md")
    assert {"Read", "Shell", "custom:deploy"} <= set(yaml.safe_load(out.split("---\n")[1])["tools"])
    assert status == 1
    assert "[lost-ask] A list has no equivalent of `ask`; Shell is allowed." in err


def test_what_a_list_cannot_limit_is_left_out(export: Exporter) -> None:
    rules = '{"*": deny, "gh *": allow}'
    Path(".opencode/agents/gh.md").write_text(f"---\ndescription: x\npermission:\n  bash: {rules}\n---\nx\n")
    status, out, err = export(".opencode/agents/gh.md", "--as", "md")
    assert status == 1
    assert yaml.safe_load(out.split("---\n")[1]) == {"description": "x", "disallowedTools": ["Shell"]}
    assert "[lost-scope]" in err


def test_a_colour_that_its_own_harness_refuses_is_written_as_it_takes_it(export: Exporter) -> None:
    Path(".opencode/agents/blue.md").write_text("---\ndescription: x\nmodel: a/b\ncolor: blue\n---\nx\n")
    status, out, _ = export(".opencode/agents/blue.md", "--as", "json", "--shape", "opencode")
    assert status == 0
    assert load(out)["agent"]["blue"]["color"].startswith("#")
    assert load(out)["agent"]["blue"]["model"] == "a/b"


# ----------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (None, ["--as", "json"], "no such file or folder"),
        (b"---\nname: x\n", ["--as", "json"], "the frontmatter is unclosed"),
        (b"---\nname: \xff\n---\n", ["--as", "json"], "the frontmatter is not-utf8"),
        (b"---\nname: x\n---\n\xff\n", ["--as", "json"], "the body is not UTF-8"),
        (b"---\nname: x\n---\n", ["--as", "json", "--shape", "claude"], "Claude Code requires `description`"),
        (b"no frontmatter", ["--as", "json", "--shape", "opencode"], None),
        (b"---\nname: x\n---\n", ["--as", "md", "--shape", "claude"], "--shape claude needs --as json or yaml"),
        (b"---\nname: x\n---\n", [], "Missing option '--as'"),
        (b"---\nname: x\n---\n", ["--as", "json", "--harness", "x"], "There is no harness `x`"),
    ],
)
def test_what_cannot_be_exported(
    data: bytes | None, options: list[str], message: str | None, export: Exporter, tmp_path: Path
) -> None:
    if data is not None:
        (tmp_path / ".claude/agents/x.md").write_bytes(data)
    status, out, err = export(".claude/agents/x.md", *options)
    if message is not None:
        assert (status, out) == (2, "")
        assert err.startswith("error: ") and message in err
    else:
        assert status in (0, 2)


@pytest.mark.parametrize("file", [".claude/skills/pdf/SKILL.md", ".claude/commands/go.md"])
@pytest.mark.parametrize("shape", ["claude", "opencode"])
def test_only_agents_have_the_shape_of_agents(file: str, shape: str, export: Exporter) -> None:
    status, out, err = export(file, "--as", "json", "--shape", shape)
    assert (status, out) == (2, "")
    assert "cannot be exported to the agents" in err


def test_a_name_cannot_steer_a_terminal(export: Exporter, tmp_path: Path) -> None:
    path = ".claude/agents/\x1b[31m.md"
    (tmp_path / path).write_text("---\nname: x\ndescription: x\nhooks: {}\n---\n::error::x ##[group]x\n")
    for options in (["--as", "json"], ["--as", "json", "--shape", "opencode"]):
        _, out, err = export(path, *options)
        assert "\x1b" not in out + err and "##[" not in out


# ------------------------------------------------------------------------------------------------------ values

texts = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(texts, values, max_size=4))
def test_json_is_read_back_as_it_was(value: dict[str, Any]) -> None:
    text = to_json(value)
    assert json.loads(text) == value
    assert text.isascii()


words = st.sampled_from(
    ["yes", "off", "1:30", "0o7", "012", "~", "=", "<<", "2024-01-01", "a: b", "#", "- x", "x\ny", " \n"]
)


@given(st.dictionaries(words | st.text(st.characters(codec="ascii")), words | st.lists(words | texts), max_size=4))
def test_yaml_is_read_back_as_it_was(value: dict[str, Any]) -> None:
    assert YAML(typ="safe", pure=True).load(to_yaml(value)) == value


@given(st.dictionaries(words, words, max_size=6))
def test_older_yaml_reads_the_same(value: dict[str, Any]) -> None:
    assert yaml.safe_load(to_yaml(value)) == value
