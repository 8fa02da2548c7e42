"""Agents in JSON and TOML: found, judged and fixed like those in markdown, with every other byte kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fsagent_lint.agent.data.subject import DataSubject, read_data
from fsagent_lint.cli.main import run
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.linter.checker import Checker
from fsagent_lint.linter.fixer import Fixed, fix_file
from fsagent_lint.model.finding import Safety
from fsagent_lint.project.target import Target
from fsagent_lint.rules import all_rules

CHECKER = Checker([rule for rule in all_rules() if not rule.opt_in])
CONFIG = Target("opencode.json", "opencode", "config", False)
KIRO = Target(".kiro/agents/a.json", "kiro", "agent", False)


def fixed(text: str, target: Target = CONFIG, wanted: Safety = Safety.UNSAFE) -> Fixed:
    return fix_file(target, text.encode("utf-8", "surrogatepass"), CHECKER, wanted)


def findings(text: str, target: Target = CONFIG) -> list[tuple[str, str]]:
    """The rules, each with the text that it reports."""
    data = text.encode()
    found, _ = CHECKER.check(CHECKER.subject(target, data))
    return [(each.name, text[each.span.start : each.span.end]) for each in found]


def config(text: str) -> DataSubject:
    return read_data("opencode.json", text.encode(), get_harness("opencode"), "config")


FIXES = [
    # A key, with a comment beside it.
    ('{"permission": {"Bash": "deny" /* why */}}', '{"permission": {"bash": "deny" /* why */}}'),
    # A value that needs quotes, and one that must not have any.
    ('{"agent": {"a": {"permission": {"bash": "no"}}}}', '{"agent": {"a": {"permission": {"bash": "deny"}}}}'),
    ('{"agent": {"a": {"temperature": "0.1"}}}', '{"agent": {"a": {"temperature": 0.1}}}'),
    # The last entry goes, and with it the comma before it.
    (
        '{"permission": {\n  "edit": "deny",\n  "write": "deny"\n}}',
        '{"permission": {\n  "edit": "deny"\n}}',
    ),
    # Where the file has trailing commas, they stay.
    (
        '{"permission": {\n  "edit": "deny",\n  "write": "deny",\n},}',
        '{"permission": {\n  "edit": "deny",\n},}',
    ),
    # The general entry moves up; the commas stay where they are.
    (
        '{"permission": {"bash": {\n\t"git *": "allow",\n\t"*": "ask"\n}}}',
        '{"permission": {"bash": {\n\t"*": "ask",\n\t"git *": "allow"\n}}}',
    ),
    # A new entry gets a line of its own, in the line breaks and the indentation of the file.
    (
        '\ufeff{"agent": {"a": {"tools": {\r\n    "read": true\r\n}}}}\r\n',
        '\ufeff{"agent": {"a": {"tools": {\r\n    "*": false,\r\n    "read": true\r\n}}}}\r\n',
    ),
    ('{"agent": {"a": {"tools": {"read": true}}}}', '{"agent": {"a": {"tools": {"*": false, "read": true}}}}'),
]


@pytest.mark.parametrize(("before", "after"), FIXES)
def test_fixes_change_nothing_else(before: str, after: str) -> None:
    result = fixed(before)
    assert result.data.decode() == after
    assert not result.errors
    assert fixed(after).data.decode() == after


def test_an_agent_of_kiro_is_plain_json() -> None:
    result = fixed('{"name": "a", "tools": ["fs_read", "Bash", "fs_read"], "prompt": "p"}\n', KIRO)
    assert result.data == b'{"name": "a", "tools": ["fs_read", "shell"], "prompt": "p"}\n'


def test_names_of_the_command_line_2_and_patterns_for_them_are_no_findings() -> None:
    text = '{"tools": ["fs_read", "grep", "@git"], "allowedTools": ["fs_*", "@git/status"], "mcpServers": {"git": {}}}'
    assert findings(text, KIRO) == []


def test_toml_is_reported_where_it_is_and_not_changed() -> None:
    target = Target(".codex/agents/a.toml", "codex", "agent", False)
    text = 'name = "a"\ndescription = "d"\ndeveloper_instructions = " "\nmodel_resoning_effort = "low" # fast\n'
    assert findings(text, target) == [("invalid-field", '" "'), ("unknown-field", "model_resoning_effort")]
    assert fixed(text, target).data.decode() == text


def test_one_agent_with_a_mistake_keeps_all_from_loading() -> None:
    whole = config('{"agent": {"a": {"mode": "all"}, "b": {"color": "blue"}}}')
    assert [member.effect.loads for member in whole.members] == [False, False]
    assert "`b` keeps every agent from loading" in whole.members[0].effect.error
    assert not whole.effect.loads


def test_an_agent_that_is_switched_off_breaks_nothing() -> None:
    whole = config('{"agent": {"a": {"disable": true}, "b": {}}}')
    assert [member.effect.loads for member in whole.members] == [False, True]


def test_of_two_equal_keys_the_last_one_counts() -> None:
    whole = config('{"agent": {"a": {"permission": {"edit": "deny"}}, "a": {"permission": {"bash": "deny"}}}}')
    [member] = whole.members
    assert "edit" in member.effect.tools
    assert "bash" not in member.effect.tools


def test_what_changes_other_agents_is_no_list_of_their_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = tmp_path / ".opencode/agents"
    agents.mkdir(parents=True)
    (agents / "a.md").write_text("---\ndescription: d\npermission: {'*': deny}\n---\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / "opencode.json").write_text(
        '{"tools": {"read": true}, "agent": {"a": {"tools": {"read": true}}, "plan": {"tools": {"read": true}}}}'
    )
    monkeypatch.chdir(tmp_path)
    assert run(["opencode.json"]) == 0


def test_comments_silence_findings_and_go_when_they_silence_nothing() -> None:
    text = (
        "{\n"
        "  // fsagent: ignore[wrong-case-tool] so it is\n"
        '  "permission": {"Bash": "deny"},\n'
        '  "agent": {} // fsagent: ignore[unknown-tool] no more\n'
        "}\n"
    )
    assert findings(text) == [("unused-ignore", "// fsagent: ignore[unknown-tool]")]
    assert fixed(text).data.decode() == text.replace(" // fsagent: ignore[unknown-tool] no more", "")


def test_data_files_are_found_and_neither_converted_nor_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [
        "opencode.jsonc",
        ".opencode/opencode.json",
        ".kiro/agents/x/a.json",
        ".codex/agents/a.toml",
        "package.json",
    ]
    for name in files:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"agent": {"a": {"prompt": "p"}}}' if name == files[0] else "")
    monkeypatch.chdir(tmp_path)
    for where in (".", ".kiro", ".codex/agents", "opencode.jsonc"):
        run(["--show-files", where])
        found = {line.partition(":")[0] for line in capsys.readouterr().out.splitlines()}
        assert found == {name for name in files[:4] if where == "." or name.startswith(where)}
    assert run(["convert", "--to", "claude-code", "opencode.jsonc"]) == 2
    assert "neither converted nor exported" in capsys.readouterr().out
    assert run(["export", "opencode.jsonc", "--as", "json"]) == 2
    assert "neither converted nor exported" in capsys.readouterr().err


WORDS = st.sampled_from(["read", "Bash", "write", "edit", "list", "*", "mcp_*", "todoread", "git *", "ünï", 'a"b'])
ACTIONS = st.sampled_from(["allow", "deny", "ask", "no", True, False, None, "true"])
PERMISSION = ACTIONS | st.dictionaries(WORDS, ACTIONS | st.dictionaries(WORDS, ACTIONS, max_size=3), max_size=4)
AGENT = st.fixed_dictionaries(
    {},
    optional={
        "tools": st.dictionaries(WORDS, ACTIONS, max_size=4) | st.lists(WORDS, max_size=3),
        "permission": PERMISSION,
        "color": st.sampled_from(["blue", "#aabbcc", 1]),
        "temperature": st.sampled_from(["0.1", 1, None]),
        "prompt": st.text(max_size=10),
    },
)
CONFIGS = st.fixed_dictionaries(
    {"agent": st.dictionaries(WORDS, AGENT, max_size=3)}, optional={"tools": AGENT, "permission": PERMISSION}
)
LAYOUTS = st.sampled_from([(None, "\n"), (2, "\n"), (4, "\r\n"), ("\t", "\n")])


@given(CONFIGS, LAYOUTS, st.sampled_from(["", "/* why */", "// why"]), st.booleans())
@example({"agent": {"a": {"permission": {"edit": "deny", "list": "deny"}}}}, (2, "\n"), "// why", False)
def test_fixes_leave_json_whose_other_values_are_the_same(
    value: dict[str, object], layout: tuple[int | str | None, str], comment: str, is_safe: bool
) -> None:
    indent, newline = layout
    lines = json.dumps(value, indent=indent, ensure_ascii=False).split("\n")
    if comment and len(lines) > 2:
        lines = [lines[0], *(f"{line} {comment}{number}" for number, line in enumerate(lines[1:-1])), lines[-1]]
    text = newline.join(lines)
    result = fixed(text, wanted=Safety.SAFE if is_safe else Safety.UNSAFE)
    assert not result.errors
    after = result.data.decode("utf-8", "surrogatepass")
    again = fixed(after, wanted=Safety.SAFE if is_safe else Safety.UNSAFE)
    assert again.data == result.data
    assert ("\r\n" in after) == (("\r\n" in text) and "\n" in after)
    if comment:
        assert after.count(comment) >= text.count(comment) - len(result.fixed)
    else:
        old, new = json.loads(text), json.loads(after)
        assert {key: old[key] for key in old.keys() - {"agent", "tools", "permission"}} == {
            key: new[key] for key in new.keys() - {"agent", "tools", "permission"}
        }
        prompts = [each.get("prompt") for each in old["agent"].values()]
        assert [each.get("prompt") for each in new["agent"].values()] == prompts


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"agent": ' * 5_000,
        '{"agent": {"a": {"prompt": "' + "x" * 100_000,
        '{"agent": {"a": {"temperature": ' + "1" * 50_000 + "}}}",
        '{"agent": {"a": {"prompt": "\\ud800\\udc00\\ud800", "description": "\\ud800"}}}',
        "/*" * 50_000,
        '{"agent": {' + ",".join('"a": {"tools": []}' for _ in range(800)) + "}}",
        '{"permission": {"\\u0000": "deny", "::error::": "no"}}',
        "\ufeff",
        "null",
        '"agent"',
    ],
)
def test_hostile_texts_are_findings_at_most(text: str) -> None:
    result = fixed(text)
    assert result.data.decode() == text or not result.errors
