"""Fields by meaning, over all tables: each is written as the target takes it, or its loss is reported, once."""

from __future__ import annotations

from typing import Any

import pytest

from fsagent_lint import Converted
from fsagent_lint.agent.subject import Subject
from fsagent_lint.converter.job import Job
from fsagent_lint.converter.run import convert_subject
from fsagent_lint.effect.fields import field_problem
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.dump import to_yaml
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.frontmatter.values import Value, core, evaluate_entries
from fsagent_lint.harnesses.kind import Field
from fsagent_lint.harnesses.tables import builtin_ids, get_harness

PROMPT = "Do what you are asked to.\n"
SERVERS: dict[str, Value] = {
    "claude": [{"db": {"command": "npx", "args": ["db"]}}],
    "copilot": {"db": {"type": "local", "command": "npx", "args": ["db"], "tools": ["*"]}},
    "": {"db": {"command": "npx", "args": ["db"]}},
}
VALUES: dict[str, list[Value]] = {
    "model": ["sonnet", "Claude Opus 4.6 (copilot)", "openai/gpt-5.2", "inherit", "my-own-model", ["gpt-5", "opus"]],
    "color": ["blue", "#3b82f6", "#123456", "accent"],
    "temperature": [0.1],
    "top_p": [0.5],
    "steps": [12],
    "effort": ["high", "max"],
    "mode": ["primary", "subagent", "all"],
    "hidden": [True, False],
    "user-invocable": [False, True],
    "disable-model-invocation": [True, False],
    "permission-mode": ["plan", "acceptEdits", "default"],
    "argument-hint": ["[file]", ["file"]],
    "agent": ["reviewer", "plan"],
    "skills": ["style, security", ["style"]],
    "hooks": [{"PreToolUse": [{"matcher": "Bash", "hooks": []}]}],
    "mcp-servers": [],
    "description": [],
    "name": [],
    "title": [],
    "slug": [],
    "when": [],
    "disabled": [],
}
"""Values to try for each meaning; the last ones are in every file, or decide whether it is one."""
SILENT = {
    "model": "inherit",
    "mode": "all",
    "hidden": False,
    "user-invocable": True,
    "disable-model-invocation": False,
    "permission-mode": "default",
}
"""What every harness does anyway."""
CASES = [
    pytest.param(id, kind_name, name, field, id=f"{id}-{kind_name}-{name}")
    for id in builtin_ids()
    for kind_name, kind in get_harness(id).kinds.items()
    if kind.file == "markdown"
    for name, field in kind.fields.items()
    if field.meaning
]


def convert(fields: dict[str, Value], harness: str, kind: str, to: str) -> Converted:
    text = f"---\n{to_yaml(fields)}---\n{PROMPT}"
    subject = Subject(Document(Source("x/go.md", text.encode())), get_harness(harness), kind)
    return convert_subject(subject, Job(get_harness(to), "."))


def written(made: Converted) -> dict[str, Any]:
    assert made.error == ""
    return evaluate_entries(Document(Source("x/go.md", made.data)).entries, core)


def values(field: Field) -> list[Value]:
    servers = [SERVERS.get(field.servers, SERVERS[""])] if field.meaning == "mcp-servers" else []
    return [*VALUES[field.meaning], *servers]


@pytest.mark.parametrize(("harness", "kind_name", "name", "field"), CASES)
def test_a_field_is_valid_in_the_target_or_its_loss_is_reported_once(
    harness: str, kind_name: str, name: str, field: Field
) -> None:
    for target in (id for id in builtin_ids() if id != harness):
        for value in values(field):
            if field_problem({name: value}, name, field):
                continue
            source = {"name": "go", "description": "Does it.", name: value}
            made = convert(source, harness, kind_name, target)
            if made.error:
                # No such files there; or denying edits, for a plan mode, is more than the target can be told.
                assert "has no" in made.error or value == "plan", made.error
                continue
            kind = get_harness(target).kinds[made.kind]
            result = written(made)
            for each, facts in kind.fields.items():
                assert not field_problem(result, each, facts), (target, value)
            usual = convert({"name": "go", "description": "Does it."}, harness, kind_name, target)
            added = {key: each for key, each in result.items() if written(usual).get(key) != each}
            losses = [loss for loss in made.losses if loss not in usual.losses]
            assert len([loss for loss in losses if loss.code == "lost-field"]) <= 1
            silent = SILENT.get(field.meaning) == value or field.default == value
            implied = kind.implies.get(field.meaning) == value
            partly = isinstance(value, list) and field.meaning == "model"
            assert partly or bool(added) + bool(losses) == 1 or silent or implied or value == "plan", (target, value)


def test_every_meaning_of_the_tables_is_tried() -> None:
    meanings = {case.values[3].meaning for case in CASES}  # type: ignore[union-attr]
    assert meanings <= VALUES.keys()
    assert {"model", "mcp-servers", "hooks", "skills"} <= meanings


def losses(made: Converted) -> list[str]:
    return [loss.message for loss in made.losses]


AGENT: dict[str, Value] = {"name": "go", "description": "Does it."}


@pytest.mark.parametrize(
    ("field", "to", "message"),
    [
        ({"model": "opus"}, "cursor", "Cursor has no equivalent of `model: opus`; dropped."),
        ({"model": "opus"}, "roo", "Roo Code has no field for `model: opus` in modes; dropped."),
        ({"color": "blue"}, "copilot", "Copilot has no field for `color: blue` in agents; dropped."),
        ({"hooks": {"Stop": []}}, "qwen", "Qwen Code has no equivalent of `hooks`; dropped."),
        ({"mcpServers": ["db"]}, "gemini", "Gemini CLI has no equivalent of `mcpServers`; dropped."),
        (
            {"permissionMode": "plan"},
            "opencode",
            "OpenCode has no field for `permissionMode: plan` in agents; edits are denied instead.",
        ),
    ],
)
def test_the_reason_of_a_loss_is_true(field: dict[str, Value], to: str, message: str) -> None:
    assert losses(convert({**AGENT, **field}, "claude-code", "agent", to)) == [message]


def test_a_list_of_models() -> None:
    models: dict[str, Value] = {**AGENT, "model": ["gpt-5.2-codex", "Claude Opus 4.5 (copilot)"]}
    kept = convert(models, "copilot", "agent", "vscode")
    assert written(kept)["model"] == ["GPT-5.2-Codex (copilot)", "Claude Opus 4.5 (copilot)"]
    first = convert(models, "vscode", "agent", "opencode")
    assert written(first)["model"] == "openai/gpt-5.2-codex"
    assert losses(first) == ["OpenCode only supports one model, without `model: Claude Opus 4.5 (copilot)`; dropped."]
    known = convert(models, "vscode", "agent", "claude-code")
    assert written(known)["model"] == "claude-opus-4-5"
    assert losses(known) == ["Claude Code has no equivalent of `model: gpt-5.2-codex`; dropped."]


REMOTE = {"type": "http", "url": "https://example.org/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}}


@pytest.mark.parametrize(
    ("to", "field", "local", "remote"),
    [
        ("copilot", "mcp-servers", {"type": "local", "tools": ["*"]}, {**REMOTE, "tools": ["*"]}),
        (
            "gemini",
            "mcp_servers",
            {},
            {"type": "http", "http_url": "https://example.org/mcp", "headers": REMOTE["headers"]},
        ),
        ("qwen", "mcpServers", {}, {"httpUrl": "https://example.org/mcp", "headers": REMOTE["headers"]}),
        ("kiro", "mcpServers", {}, {"url": "https://example.org/mcp", "headers": REMOTE["headers"]}),
    ],
)
def test_servers_there_and_back(to: str, field: str, local: dict[str, Value], remote: dict[str, Value]) -> None:
    own = {"command": "npx", "args": ["db"]}
    source: dict[str, Value] = {**AGENT, "mcpServers": [{"db": own}, {"web": REMOTE}]}
    made = convert(source, "claude-code", "agent", to)
    assert losses(made) == []
    assert written(made)[field] == {"db": {**own, **local}, "web": remote}
    back = convert(written(made), to, "agent", "claude-code")
    assert written(back)["mcpServers"] == source["mcpServers"]


def test_a_server_that_the_target_cannot_define_is_reported_and_the_others_stay() -> None:
    servers: dict[str, Value] = {
        "all": {"type": "local", "command": "a", "args": [], "tools": ["*"]},
        "some": {"type": "local", "command": "b", "args": [], "tools": ["query"]},
        "secret": {"type": "http", "url": "https://example.org", "headers": {"A": "$TOKEN"}, "tools": ["*"]},
    }
    made = convert({**AGENT, "mcp-servers": servers}, "copilot", "agent", "claude-code")
    assert written(made)["mcpServers"] == [{"all": {"command": "a", "args": []}}]
    assert losses(made) == ["Claude Code has no equivalent of `mcp-servers: some`, `mcp-servers: secret`; dropped."]
    limited = convert({**AGENT, "mcp-servers": servers}, "copilot", "agent", "gemini")
    assert written(limited)["mcp_servers"]["some"]["include_tools"] == ["query"]


def test_comments_in_servers_stay() -> None:
    text = "---\nname: go\ndescription: d\nmcpServers: # ours\n  - db:\n      command: npx # runs\n# next\nmodel: opus\n---\n"
    subject = Subject(Document(Source("x/go.md", f"{text}{PROMPT}".encode())), get_harness("claude-code"), "agent")
    made = convert_subject(subject, Job(get_harness("kiro"), "."))
    assert "# ours\nmcpServers:\n  db:\n    command: npx # runs\n# next\nmodel: " in made.data.decode()


def test_what_the_source_ignores_does_not_start() -> None:
    for field, value in (("hooks", {"Stop": []}), ("permissionMode", "bypassPermissions")):
        made = convert({**AGENT, field: value}, "opencode", "agent", "claude-code")
        assert field not in written(made)
        assert losses(made) == [f"Claude Code has no equivalent of `{field}`; dropped."]


@pytest.mark.parametrize(
    ("to", "usual"),
    [
        ("factory", {"name": "go", "model": "inherit"}),
        ("cursor", {"name": "go", "model": "inherit"}),
        ("kiro", {"name": "go"}),
        ("roo", {"whenToUse": "Does it."}),
    ],
)
def test_new_files_have_the_fields_that_people_write(to: str, usual: dict[str, str]) -> None:
    made = written(convert({"description": "Does it."}, "opencode", "agent", to))
    assert {key: made.get(key) for key in usual} == usual
    named = written(convert({**AGENT, "model": "inherit"}, "claude-code", "agent", to))
    assert {key: named.get(key) for key in usual} == usual


def test_a_name_that_its_own_harness_ignores_is_no_loss() -> None:
    made = convert({"name": "other", "description": "d"}, "claude-code", "command", "opencode")
    assert (written(made), losses(made), made.name) == ({"description": "d"}, [], "go")


def test_a_prompt_runs_as_an_agent_and_a_command_says_nothing_of_it() -> None:
    assert written(convert({"description": "d"}, "claude-code", "command", "vscode"))["agent"] == "agent"
    for field in ("agent", "mode"):
        made = convert({"description": "d", field: "agent"}, "vscode", "prompt", "opencode")
        assert (written(made), losses(made)) == ({"description": "d"}, [])
    asked = convert({"description": "d", "agent": "ask"}, "vscode", "prompt", "opencode")
    assert losses(asked) == ["OpenCode has no equivalent of `agent: ask`; dropped."]
    own = convert({"description": "d", "agent": "reviewer"}, "vscode", "prompt", "opencode")
    assert written(own)["agent"] == "reviewer"


@pytest.mark.parametrize("harness", ["opencode", "kilo"])
@pytest.mark.parametrize("to", ["opencode", "kilo", "claude-code", "copilot", "canonical"])
def test_a_mode_becomes_an_agent(harness: str, to: str) -> None:
    made = convert({"description": "d", "permission": {"edit": "deny"}}, harness, "mode", to)
    assert made.error == ""
    assert made.kind == "agent"
    if "mode" in get_harness(to).kinds["agent"].fields:
        assert written(made)["mode"] == "primary"


def test_a_prompt_with_tools_becomes_no_command_that_has_more() -> None:
    made = convert({"description": "d", "tools": ["read/readFile"]}, "vscode", "prompt", "claude-code")
    assert made.error.startswith("Claude Code cannot restrict a command; this one would be granted Agent,")
    assert convert({"description": "d"}, "vscode", "prompt", "claude-code").path == ".claude/commands/go.md"
