"""Keys and values that come from a file: whatever they are, they are written so that they are read back as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from fixing import look
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from fsagent_lint.agent.widening import bounds_of, wider
from fsagent_lint.cli.main import run
from fsagent_lint.converter.job import Job
from fsagent_lint.converter.overrides import override
from fsagent_lint.converter.run import convert_agent
from fsagent_lint.errors import UserError
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.dump import field_text
from fsagent_lint.frontmatter.quoting import quote
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.frontmatter.values import core, evaluate_entries
from fsagent_lint.harnesses.tables import get_harness

HOSTILE = (
    *(
        "a: b",
        "x\ny",
        "- x",
        "? ",
        "#",
        " # c",
        "{",
        "}",
        "[",
        "]",
        "yes",
        "null",
        "~",
        "1e3",
        "0x1f",
        "1_000",
        "<<",
        "=",
    ),
    *("&a", "*a", "!tag", "!!str", "%YAML", "@x", "`x`", "|", ">-", "---", "...", "--- x", "'", '"', "\\", "''", '"x"'),
    *("", " ", " x ", "x ", "\t", "a\tb", "\r", "a\r\nb", "\x00", "\x07", "\x7f", "\x85", "\u2028", "\u2029", "\ufeff"),
    *("é", "名前", "🚀", "x" * 3000, "2024-01-01", "12:30:45", ".inf", ".nan", "on", "N", "a:", ":a", "a,b", ", "),
)
TEXTS = st.sampled_from(HOSTILE) | st.text(max_size=12)
SCALARS = TEXTS | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.none()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=6
)


def read(data: bytes) -> dict[str, Any]:
    document = Document(Source("", data))
    assert document.error is None
    return evaluate_entries(document.entries, core)


@given(TEXTS.filter(lambda key: len(key) < 1000), TEXTS)  # YAML has no longer keys
@settings(max_examples=400)
def test_every_reader_reads_a_text_back(key: str, value: str) -> None:
    text = field_text(key, value, "\n") + "\n"
    assert read(f"---\n{text}---\n".encode()) == {key: value}
    assert yaml.safe_load(text) == {key: value}
    assert YAML(typ="safe", pure=True).load(text) == {key: value}
    flow = f"{{{quote(key, flow=True)}: {quote(value, flow=True)}}}"
    assert yaml.safe_load(flow) == {key: value}


@given(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=3), st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=300)
def test_an_override_sets_its_fields_and_nothing_else(fields: dict[str, Any], newline: str) -> None:
    before = "---\nname: a\ndescription: |\n  one\n  two\n# last\n---\nbody\n".replace("\n", newline).encode()
    try:
        after = override(before, fields)
    except UserError:
        return  # refused, and nothing is written
    assert read(after) == {**read(before), **fields}
    assert after.endswith(f"---{newline}body{newline}".encode())


@given(TEXTS, TEXTS, st.sampled_from(["opencode", "copilot", "claude-code", "codex", "roo", "gemini"]))
@settings(max_examples=300)
def test_a_converted_file_says_what_its_source_said_and_grants_no_more(key: str, value: str, target: str) -> None:
    head = {"name": "a", "description": value or "d", "tools": ["Read"]}
    own = {f"x-{target}": {key: value}} if key else {}
    fields = "".join(field_text(each, what, "\n") + "\n" for each, what in {**head, **own}.items())
    before = look(f"---\n{fields}---\nbody\n".encode(), "claude-code")
    converted = convert_agent(before, Job(get_harness(target), "."))
    if converted.error or get_harness(target).kinds[converted.kind].file != "markdown":
        return
    found = read(converted.data)
    assert found["description"] == (value if value and key != "description" else found["description"])
    if own.keys() <= before.effect.data.keys() and own:  # it ends the frontmatter at the first `---`
        assert found[key] == value
    after = look(converted.data, target)
    assert not wider(after.effect, after.harness, bounds_of(before))


def put(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("target", "own", "why"),
    [
        ("copilot", "tools: [execute]", "the agent would be granted bash"),
        ("opencode", "permission: {bash: allow}", "the agent would be granted"),
        ("qwen", "permissionMode: bypassPermissions", "`permissionMode` would take effect"),
        ("qwen", "approvalMode: yolo", "`approvalMode` would take effect"),
        ("qwen", "approvalMode: auto", "`approvalMode` would take effect"),
        ("qwen", "executor: {kind: acp, command: evil}", "`executor` would take effect"),
        ("kiro", "permissions: [{capability: shell, effect: allow}]", "`permissions` would take effect"),
        ("gemini", "agent_card_url: https://example.com", "`agent_card_url` would take effect"),
        ("copilot", "hooks: {sessionStart: [{type: command, bash: evil}]}", "`hooks` would take effect"),
        ("qwen", "mcpServers: {x: {command: evil}}", "`mcpServers` would take effect"),
        ("opencode", '"x\\ntools": {bash: true}', ""),
    ],
)
@pytest.mark.parametrize("command", ["convert", "sync"])
def test_a_field_for_one_harness_grants_nothing_that_the_source_does_not(
    target: str, own: str, why: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put(
        ".claude/agents/abc.md",
        f"---\nname: abc\ndescription: Reads.\ntools: Read\nx-{target}:\n  {own}\n---\nRead the files.\n",
    )
    put("fsagent-lint.toml", f'[sync]\nsource = ".claude/agents"\ntargets = ["{target}"]\n')
    code = run(["convert", "--to", target] if command == "convert" else ["sync"])
    path = Path(get_harness(target).kinds["agent"].path.format(name="abc"))
    if why:
        assert code == 2
        assert why in "".join(capsys.readouterr())
        assert not path.exists()
    else:
        assert read(path.read_bytes())["x\ntools"] == {"bash": True}


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("name", ["1e3", "null", "yes", "0x10"])
def test_a_name_that_looks_like_another_value_is_quoted(name: str) -> None:
    put(".claude/agents/a.md", f"---\nname: '{name.upper()}'\ndescription: d\n---\nx\n")
    assert run(["convert", "--to", "gemini"]) == 0
    [made] = Path(".gemini/agents").iterdir()
    assert read(made.read_bytes())["name"] == name


@pytest.mark.usefixtures("project")
def test_no_field_is_set_where_there_is_no_frontmatter(capsys: pytest.CaptureFixture[str]) -> None:
    put(".claude/commands/go.md", "Go.\n")
    overrides = "[sync.overrides.opencode]\nagent = 'b'\n"
    put("fsagent-lint.toml", f'[sync]\nsource = ".claude/commands"\ntargets = ["opencode"]\n{overrides}')
    assert run(["sync"]) == 2
    assert "the file has no frontmatter, so `agent` cannot be set" in capsys.readouterr().err


@pytest.mark.parametrize("fields", [{"a": "\ud800"}, {"\ud800": "a"}, {"a": {"b": "\ud800"}}, {"a": ["\ud800", {}]}])
def test_what_no_file_can_say_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(UserError):
        override(b"---\nname: a\n---\n", fields)
