"""What each harness does with a file, one surprising fact at a time."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import fsagent_lint
from fsagent_lint.agent.data.subject import read_data
from fsagent_lint.effect.delegation import delegated
from fsagent_lint.effect.effect import Effect, effect
from fsagent_lint.effect.semantics import SEMANTICS, granted_tools
from fsagent_lint.effect.surroundings import NO_SURROUNDINGS
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.frontmatter.values import Date
from fsagent_lint.harnesses.gates import matches_wildcard
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.mcp import mcp_names
from fsagent_lint.harnesses.tables import FOLDER, get_harness, harness_ids, parse_table
from fsagent_lint.model.tool import Tool
from fsagent_lint.project.config_readers import codex_config


def observe(harness: str, text: str, *, owner: str = "", kind: str = "", name: str = "a") -> Effect:
    """The effect of a whole file, or of some frontmatter below a name and a description."""
    if not text.startswith("---"):
        text = f"---\nname: ab\ndescription: d\n{text}\n---\nA long prompt.\n"
    table = get_harness(harness)
    return effect(Document(Source(f"{name}.md", text.encode())), table, table.kinds[kind or table.main_kind], owner)


def tools(harness: str, text: str, *, owner: str = "") -> set[str]:
    found = observe(harness, text, owner=owner)
    assert found.loads, found.error
    return {*found.tools, *found.ask}


def everything(harness: str) -> set[str]:
    return tools(harness, "# nothing about tools")


def as_subagent(harness: str, text: str) -> Effect:
    table = get_harness(harness)
    return delegated(observe(harness, text), table, table.kinds["agent"])


def whole(harness: str, text: str) -> Effect:
    """What it makes of a whole file."""
    table = get_harness(harness)
    return effect(Document(Source("a.md", text.encode())), table, table.kinds["agent"])


def refused(harness: str, text: str) -> bool:
    return not observe(harness, text).loads


def prompted(prompt: str) -> str:
    return f"---\nname: ab\ndescription: d\n---\n{prompt}\n"


def broken(text: str) -> str:
    """No YAML, but for `text`."""
    return f"---\nname: ab\ndescription: d: d\n{text}\n---\nA long prompt.\n"


# ------------------------------------------------------------------------------------- the surprises of the tables


class Fact(NamedTuple):
    harness: str
    words: str
    """Part of the surprise as the table tells it."""
    holds: Callable[[], bool]


HISTORY = {"session_store_sql"}
FACTS = [
    Fact(
        "claude-code",
        "ends at the first `---` anywhere",
        lambda: tools("claude-code", "model: opus --- best\ntools: Read") == everything("claude-code"),
    ),
    Fact(
        "claude-code",
        "leaves neither a shell nor a search",
        lambda: (
            tools("claude-code", "disallowedTools: Bash").isdisjoint(("Bash", "Grep", "Glob"))
            and tools("claude-code", "tools: Read, Grep, Glob") == {"Read", "Grep", "Glob"}
        ),
    ),
    Fact(
        "claude-code",
        "A denial of Bash also denies Monitor",
        lambda: (
            "Monitor" not in tools("claude-code", "disallowedTools: Bash")
            and tools("claude-code", "tools: Monitor") == {"Monitor"}
        ),
    ),
    Fact(
        "claude-code",
        "Subagents run in the background",
        lambda: (
            everything("claude-code") - {*as_subagent("claude-code", "").tools}
            == {"ListAgents", "ReportFindings", "CronCreate", "CronDelete", "CronList", "ScheduleWakeup", "Workflow"}
        ),
    ),
    Fact(
        "claude-code",
        "A subagent is refused if no name",
        lambda: (
            not refused("claude-code", "tools: Foo")
            and not as_subagent("claude-code", "tools: Foo").loads
            and as_subagent("claude-code", "tools: []").loads
        ),
    ),
    Fact(
        "claude-code",
        "`memory:` adds Read, Write and Edit",
        lambda: tools("claude-code", "tools: WebFetch\nmemory: user") == {"WebFetch", "Read", "Write", "Edit"},
    ),
    Fact(
        "claude-code",
        "A `PreToolUse` hook that is not written correctly",
        lambda: (
            refused("claude-code", "hooks:\n  PreToolUse:\n    - matcher: Bash\n      command: x")
            and not refused("claude-code", "hooks:\n  PostToolUse:\n    - matcher: Bash\n      command: x")
        ),
    ),
    Fact("claude-code", "Names are case-sensitive", lambda: tools("claude-code", "tools: read, grep") == set()),
    Fact("claude-code", "grants the whole shell", lambda: tools("claude-code", "tools: Bash(git diff:*)") == {"Bash"}),
    Fact(
        "claude-code",
        "`allowed-tools` in an agent is ignored",
        lambda: tools("claude-code", "allowed-tools: Read") == everything("claude-code"),
    ),
    Fact(
        "claude-code",
        "A map under `tools` grants no tools",
        lambda: tools("claude-code", "tools: {Read: true}") == tools("claude-code", "tools: {Read: false}") == set(),
    ),
    Fact("claude-code", "`tools:` without a value grants no", lambda: tools("claude-code", "tools:") == set()),
    Fact("claude-code", "Unknown names are dropped", lambda: tools("claude-code", "tools: Read, Frob") == {"Read"}),
    Fact(
        "claude-code",
        "Grep and Glob are dropped from an agent that also has Bash",
        lambda: (
            tools("claude-code", "tools: Grep, Glob, Bash") == {"Bash"}
            and tools("claude-code", "tools: Grep, Glob") == {"Grep", "Glob"}
        ),
    ),
    Fact(
        "opencode",
        "restricts nothing",
        lambda: tools("opencode", "tools: {read: true, grep: true}") == everything("opencode"),
    ),
    Fact(
        "opencode",
        "OpenCode refuses to start, for every",
        lambda: all(
            refused("opencode", text) for text in ("tools: [read]", "tools: read, grep", "color: blue", "tools:")
        ),
    ),
    Fact(
        "opencode",
        "are one permission, and the last entry wins",
        lambda: (
            tools("opencode", "tools: {write: false, edit: true}") == everything("opencode")
            and not {"write", "edit"} & tools("opencode", "tools: {edit: true, write: false}")
            and not {"write", "edit"} & tools("opencode", "tools: {patch: false}")
        ),
    ),
    Fact(
        "opencode",
        "deny nothing",
        lambda: (
            tools("opencode", "permission: {write: deny}")
            == tools("opencode", "tools: {Bash: false}")
            == everything("opencode")
        ),
    ),
    Fact(
        "opencode",
        "Order decides",
        lambda: (
            tools("opencode", "permission: {bash: allow, '*': deny}") == set()
            and tools("opencode", "permission: {'*': deny, bash: allow}") == {"bash"}
        ),
    ),
    Fact(
        "opencode",
        "cannot be repaired is loaded with",
        lambda: tools("opencode", "tools:\n  bash: false\nmodel: [") == everything("opencode"),
    ),
    Fact(
        "opencode",
        "Every `.md` file in an agent folder is an agent",
        lambda: observe("opencode", "---\n---\n# About these agents\n", name="README").loads,
    ),
    Fact(
        "copilot",
        "`disallowedTools` is ignored",
        lambda: tools("copilot", "disallowedTools: [bash]", owner="claude-code") == everything("copilot"),
    ),
    Fact(
        "copilot",
        "The file does not load",
        lambda: all(
            refused("copilot", text)
            for text in ("tools: {read: true}", "tools:", "tools: [read]\ntools: [read]", "model: a: b")
        ),
    ),
    Fact("copilot", "`skill` and `sql` are always", lambda: tools("copilot", "tools: []") == {"skill", "sql"}),
    Fact(
        "copilot",
        "`Bash(git diff:*)` is an unknown name",
        lambda: tools("copilot", "tools: ['Bash(git diff:*)']") == {"skill", "sql"},
    ),
    Fact(
        "copilot",
        "nothing on the command line without a network",
        lambda: (
            tools("copilot", "tools: [web, WebFetch, WebSearch]") == {"skill", "sql"}
            and observe("copilot", "tools: [web]").conditional == ("web_fetch", "web_search")
        ),
    ),
    Fact(
        "copilot",
        "the last slash counts",
        lambda: "bash" in tools("copilot", "tools: [anything/bash]"),
    ),
    Fact("vscode", "`tools: ['*']` grants no tools: `*`", lambda: tools("vscode", "tools: ['*']") == HISTORY),
    Fact("vscode", "Every agent has `session_store_sql`", lambda: tools("vscode", "tools: []") == HISTORY),
    Fact(
        "vscode",
        "`vscodeNotebooks/editNotebook`",
        lambda: (
            tools("vscode", "tools: [vscodeNotebooks/editNotebook]")
            == HISTORY
            != tools("vscode", "tools: [vscodeNotebooks]")
        ),
    ),
    Fact(
        "vscode",
        "A map under `tools` is ignored",
        lambda: tools("vscode", "tools: {read: true}") == everything("vscode") != set(),
    ),
    Fact(
        "vscode",
        "Names are case-sensitive",
        lambda: tools("vscode", "tools: [Read, Bash]") == HISTORY != tools("vscode", "tools: [read]"),
    ),
    Fact(
        "vscode",
        "of a `.claude/agents` file is never read",
        lambda: (
            tools("vscode", "disallowedTools: Bash", owner="claude-code") == everything("vscode")
            and "execute/runInTerminal" in everything("vscode")
        ),
    ),
    Fact("gemini", "A single unknown name, such as", lambda: refused("gemini", "tools: [read_file, Bash]")),
    Fact(
        "gemini",
        "So does every unknown key: `color`",
        lambda: all(refused("gemini", key) for key in ("color: red", "disallowedTools: [glob]", "mcpServers: {}")),
    ),
    Fact(
        "gemini",
        "`tools` must be a list",
        lambda: (
            all(refused("gemini", f"tools: {value}") for value in ("glob", "{glob: true}", ""))
            and tools("gemini", "tools: []") == {"complete_task"}
        ),
    ),
    Fact(
        "gemini",
        "An agent whose prompt contains `${name}`",
        lambda: refused("gemini", prompted("Go ${home}.")) and refused("gemini", prompted("")),
    ),
    Fact(
        "gemini",
        "`mcp_my_server_*` is refused",
        lambda: (
            refused("gemini", "tools: ['mcp_my_server_*']")
            and tools("gemini", "tools: [mcp_my_server_tool]") == {"complete_task"}
        ),
    ),
    Fact(
        "gemini",
        "`list_background_processes` and `read_background_output` are granted only",
        lambda: (
            "read_background_output" in everything("gemini")
            and refused("gemini", "tools: [read_background_output]")
            and refused("gemini", "tools: [list_background_processes]")
        ),
    ),
    Fact(
        "qwen",
        "`tools: []`, a map under `tools`",
        lambda: all(tools("qwen", f"tools: {value}") == everything("qwen") for value in ("[]", "{glob: true}", "")),
    ),
    Fact(
        "qwen",
        "Claude's `Bash`, `Read` and `Write` are",
        lambda: (
            tools("qwen", "tools: Bash, Read, Write") == set()
            and tools("qwen", "tools: Edit, Grep, Glob") == {"edit", "grep_search", "glob"}
        ),
    ),
    Fact(
        "qwen",
        "YAML is read line by line",
        lambda: (
            tools("qwen", broken("tools: [glob]")) == set()
            and tools("qwen", broken("tools:\n- glob")) == everything("qwen")
            and tools("qwen", broken("tools:\n  - glob")) == {"glob"}
        ),
    ),
    Fact("qwen", "with a `${name}` in its prompt", lambda: refused("qwen", prompted("Go to ${home}, please."))),
    Fact(
        "qwen",
        "fewer than ten characters",
        lambda: (
            refused("qwen", prompted("Too short"))
            and refused("qwen", "---\nname: ab\ndescription: d\n--- \nLong enough for anyone.\n")
        ),
    ),
    Fact("qwen", "never have `todo_write`", lambda: tools("qwen", "tools: [todo_write, enter_plan_mode]") == set()),
    Fact("qwen", "A whole MCP server", lambda: get_harness("qwen").mcp.whole == "denied"),
    Fact("kilo", "agent is skipped", lambda: all(refused("kilo", t) for t in ("tools: [read]", "color: blue"))),
    Fact("kilo", "restricts nothing", lambda: tools("kilo", "tools: {read: true, grep: true}") == everything("kilo")),
    Fact(
        "kilo", "write, edit and patch are one", lambda: "write" in tools("kilo", "tools: {write: false, edit: true}")
    ),
    Fact(
        "kilo",
        "deny nothing",
        lambda: (
            tools("kilo", "permission: {write: deny}") == tools("kilo", "tools: {Bash: false}") == everything("kilo")
        ),
    ),
    Fact("kilo", "Order decides", lambda: tools("kilo", "permission: {bash: allow, '*': deny}") == set()),
    Fact(
        "kilo",
        "The key of `kilo_local_recall` is its",
        lambda: tools("kilo", "permission: {recall: deny}") == everything("kilo"),
    ),
    Fact("kilo", "`{env:NAME}` in the prompt keeps an", lambda: refused("kilo", prompted("The key is {env:KEY}."))),
    Fact(
        "kilo",
        "whose YAML cannot be repaired",
        lambda: tools("kilo", "---\nx: [a\npermission:\n  bash: deny\n---\nA long prompt.\n") == everything("kilo"),
    ),
]


def is_run_elsewhere(executor: str) -> bool:
    """Does Qwen Code load an agent that this program runs?"""
    return not refused("qwen", f"---\nname: ab\ndescription: d\nexecutor: {executor}\n---\nA long prompt.\n")


def test_an_executor_that_is_not_understood_is_refused() -> None:
    assert is_run_elsewhere("{kind: acp, command: run, args: [--fast]}")
    assert is_run_elsewhere("{kind: codex, command: codex}")
    for wrong in ("run", "[run]", "{kind: acp}", "{kind: a, command: run}", "{kind: acp, command: ' '}"):
        assert not is_run_elsewhere(wrong), wrong
    assert not is_run_elsewhere("{kind: acp, command: run, args: [1]}")


@pytest.mark.parametrize(("setting", "loads"), [("args: [a]", True), ("args: [1]", False), ("env: {A: 1}", False)])
def test_lists_and_maps_of_a_gemini_server_only_contain_text(setting: str, loads: bool) -> None:
    server = f"mcp_servers:\n  s:\n    command: x\n    {setting}\n"
    assert refused("gemini", f"---\nname: ab\ndescription: d\n{server}---\nA long prompt.\n") is not loads


def in_config(text: str) -> bool:
    """Does OpenCode start with this config?"""
    return read_data("opencode.json", text.encode(), get_harness("opencode"), "config").refused is None


def is_role(text: str) -> bool:
    """Does Codex load a role with these lines besides the ones that it needs?"""
    needed = 'name = "a"\ndescription = "d"\ndeveloper_instructions = "p"\n'
    return read_data("a.toml", f"{needed}{text}".encode(), get_harness("codex"), "agent").members[0].effect.loads


def is_declared(role: str) -> bool:
    """Does Codex take a file without a name and a description that its config declares like this?"""
    member = read_data("a.toml", b'developer_instructions = "Go."', get_harness("codex"), "agent").members[0]
    found = codex_config(NO_SURROUNDINGS, tomllib.loads(role), "a", ".codex/config.toml")
    return effect(member.document, member.harness, member.kind, surroundings=found).loads


FACTS += [
    Fact(
        "opencode",
        "a command without a `template` say, stops OpenCode",
        lambda: (
            in_config('{"command": {"a": {"template": "x"}}}')
            and not in_config('{"command": {"a": {}}, "agent": {"b": {}}}')
            and not in_config('{"agent": {"a": {"color": "blue"}, "b": {}}}')
        ),
    ),
    Fact(
        "opencode",
        "`permissions`, a field of OpenCode 2",
        lambda: not in_config('{"permissions": []}') and not in_config('{"agent": {"a": {"permissions": {}}}}'),
    ),
    Fact(
        "codex",
        "or a value that it does not accept, is ignored",
        lambda: is_role("") and not is_role("foo = 1") and not is_role('sandbox_mode = "readonly"'),
    ),
    Fact(
        "codex",
        "A role cannot list tools. It",
        lambda: (
            refused("codex", "tools: [exec_command]")
            and {"Shell", "Read", "Grep"} <= set(get_harness("codex").tools["exec_command"].grants)
        ),
    ),
    Fact(
        "codex",
        "Newer models have a tool `exec`",
        lambda: {"exec", "apply_patch", "exec_command"} <= everything("codex"),
    ),
    Fact(
        "codex",
        "A role that asks for an effort that the model does not have",
        lambda: is_role('model_reasoning_effort = "max"') and not is_role('model_reasoning_effort = "minimal"'),
    ),
    Fact(
        "codex",
        "names as the `config_file` of a role",
        lambda: (
            is_declared("[agents.x]\ndescription = 'd'\nconfig_file = 'agents/a.toml'")
            and not is_declared("[agents.a]\ndescription = 'd'")
            and not is_declared("[agents.a]\nconfig_file = 'agents/a.toml'")
        ),
    ),
    Fact(
        "codex",
        "`sandbox_mode` in a role",
        lambda: tools("codex", "sandbox_mode: read-only") == everything("codex") >= {"exec_command", "apply_patch"},
    ),
    Fact(
        "codex",
        "`allowed-tools` of a skill is not read",
        lambda: observe("codex", "allowed-tools: Read", kind="skill").tools == observe("codex", "", kind="skill").tools,
    ),
]


def skill(harness: str, text: str) -> Effect:
    return observe(harness, text, kind="skill")


def listed(harness: str, name: str) -> set[str]:
    """The canonical tools that a native one amounts to."""
    return set(get_harness(harness).tools[name].grants)


FACTS += [
    Fact("cursor", "There is no `tools` key", lambda: tools("cursor", "tools: Read") == everything("cursor")),
    Fact(
        "cursor",
        "restricts an agent",
        lambda: {"Shell", "Write", "StrReplace", "Delete"} <= everything("cursor") - tools("cursor", "readonly: true"),
    ),
    Fact(
        "agent-skills",
        "but restricts nothing",
        lambda: skill("agent-skills", "allowed-tools: Read").tools == skill("agent-skills", "# nothing").tools,
    ),
    Fact(
        "agent-skills",
        "`allowed-tools` is a space-separated string; the",
        lambda: (
            skill("agent-skills", "allowed-tools: Read Bash(git diff:*)").loads
            and not skill("agent-skills", "allowed-tools: [Read]").loads
        ),
    ),
    Fact(
        "agent-skills",
        "No other fields are allowed: additional",
        lambda: get_harness("agent-skills").kinds["skill"].unknown_fields == "forbidden",
    ),
    Fact(
        "agent-skills",
        "must be the name of the folder",
        lambda: get_harness("agent-skills").kinds["skill"].identity == "folder",
    ),
    Fact(
        "kiro",
        "`tools` holds categories",
        lambda: (
            tools("kiro", "tools: [read]") == {"read"}
            and listed("kiro", "read") == {"Read", "List", "Glob", "Grep"}
            and listed("kiro", "write") >= {"Write", "Edit"}
        ),
    ),
    Fact(
        "kiro",
        "what is denied there is denied whatever `tools`",
        lambda: all(
            bool(fsagent_lint.convert(f"---\ntools: [read, shell]\n{text}\n---\nA.\n", "copilot", harness="kiro").error)
            is is_lost
            for text, is_lost in (
                ("permissions: [{capability: shell, effect: deny}]", True),
                ("description: d", False),
            )
        ),
    ),
    Fact(
        "kiro",
        "`.kiro/agents`",
        lambda: get_harness("kiro").kinds["agent"].identity == "file",
    ),
    Fact(
        "factory",
        "Unknown names are dropped without any warning",
        lambda: all(
            tools("factory", f"tools: [Read, {name}]") == {"Read", "Skill"}
            for name in ("read", "Bash", "Write", "WebFetch")
        ),
    ),
    Fact(
        "factory",
        "`tools: read-only` also grants `Execute`",
        lambda: tools("factory", "tools: read-only") == {"Read", "LS", "Grep", "Glob", "Execute", "Skill"},
    ),
    Fact(
        "factory",
        "a text with commas, or a single category",
        lambda: (
            tools("factory", "tools: Read, Grep") == {"Read", "Grep", "Skill"}
            and tools("factory", "tools: [read-only]") == {"Skill"}
        ),
    ),
    Fact(
        "factory",
        "and an empty value grant every tool",
        lambda: all(
            tools("factory", f"tools: {value}") == everything("factory")
            for value in ("[Read, 3]", "{Read: true}", "3", "~")
        ),
    ),
    Fact(
        "factory",
        "A BOM before the first `---`",
        lambda: all(
            whole("factory", text).open for text in ("\ufeff---\ntools: [Read]\n---\n", "--- \ntools: [Read]\n---\n")
        ),
    ),
    Fact(
        "factory",
        "`mcpServers` restricts nothing",
        lambda: (
            tools("factory", "mcpServers: []") == everything("factory")
            and "db___query" in mcp_names(Tool.mcp("db", "query"), get_harness("factory"))
            and tools("factory", "tools: mcp") == {"Skill"}
        ),
    ),
    Fact(
        "factory",
        "`Skill` is always granted",
        lambda: (
            tools("factory", "tools: [Read]") == {"Read", "Skill"} and not {"Task", "AskUser"} & everything("factory")
        ),
    ),
    Fact(
        "factory",
        "Only files directly in `.factory/droids`",
        lambda: get_harness("factory").kinds["agent"].globs == (".factory/droids/*.md",),
    ),
]


def roo(*groups: str, text: str = "You do.") -> list[Effect]:
    """What Roo Code makes of modes with these groups."""
    modes = [
        f"  - {{slug: m{number}, name: M, roleDefinition: {text}, team: x, groups: {each}}}\n"
        for number, each in enumerate(groups)
    ]
    roster = read_data(".roomodes", f"customModes:\n{''.join(modes)}".encode(), get_harness("roo"), "mode")
    return [member.effect for member in roster.members]


ROO_FIXED = set(get_harness("roo").fixed_tools)
FACTS += [
    Fact(
        "roo",
        "One invalid mode, for example with",
        lambda: all(not each.loads for each in roo("[read]", "[reed]", "[]")) and all(each.loads for each in roo("[]")),
    ),
    Fact(
        "roo",
        "`groups: [read_file]` and `groups: [Read]` are",
        lambda: not any(each.loads for name in ("read_file", "Read") for each in roo(f"[{name}]")),
    ),
    Fact(
        "roo",
        "`browser` and unknown keys are ignored",
        lambda: [each.tools for each in roo("[browser, browser]")] == [each.tools for each in roo("[]")],
    ),
    Fact(
        "roo",
        "With `groups: []` a mode still",
        lambda: set(roo("[]")[0].tools) == ROO_FIXED and "new_task" in ROO_FIXED,
    ),
    Fact(
        "roo",
        "`fileRegex` only limits `edit`; with any",
        lambda: (
            all(each.loads for each in roo("[[read, {fileRegex: x}], [edit, {fileRegex: x}]]"))
            and get_harness("roo").kinds["mode"].keys["groups"].scoped == ("edit",)
        ),
    ),
    Fact(
        "roo",
        "`web` is a group of Zoo Code",
        lambda: "fetch_web_content" in roo("[web]")[0].conditional and "web" not in str(get_harness("roo").write),
    ),
    Fact(
        "roo",
        "Typographic quotes are",
        lambda: roo("[]", text="“it”")[0].loads and roo("[]", text="'“it”'")[0].loads and not roo("[]", text='"“it”"'),
    ),
]


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: f"{fact.harness}: {fact.words}")
def test_a_surprise_that_a_table_tells_is_true(fact: Fact) -> None:
    assert fact.holds()


@pytest.mark.parametrize("id", harness_ids())
def test_no_table_tells_a_surprise_without_a_proof(id: str) -> None:
    words = [fact.words for fact in FACTS if fact.harness == id]
    untold = [surprise for surprise in get_harness(id).surprises if not any(each in surprise for each in words)]
    assert untold == []
    unused = [each for each in words if not any(each in surprise for surprise in get_harness(id).surprises)]
    assert unused == []


# ------------------------------------------------------------------------------------------------- allow lists


def test_a_denial_wins_over_the_list() -> None:
    assert tools("claude-code", "tools: Read, Bash\ndisallowedTools: Bash") == {"Read"}


def test_a_star_among_the_names_is_as_if_there_were_no_key() -> None:
    assert tools("claude-code", "tools: [Read, '*']") == everything("claude-code")


def test_denying_everything_denies_nothing() -> None:
    assert tools("claude-code", "disallowedTools: '*'") == everything("claude-code")


def test_tools_that_must_be_named_are_not_there_by_default() -> None:
    assert not {"Grep", "Glob"} & everything("claude-code")
    assert {"Grep", "Glob"} <= tools("claude-code", "tools: Read, Grep, Glob")


def test_a_tool_brings_its_companions() -> None:
    assert tools("copilot", "tools: [bash]") == {"bash", "list_bash", "read_bash", "stop_bash", "skill", "sql"}


def test_some_names_count_in_their_exact_case_only() -> None:
    assert "update_todo" in tools("copilot", "tools: [update_todo]")
    assert "update_todo" not in tools("copilot", "tools: [Update_Todo]")
    assert "bash" in tools("copilot", "tools: [BASH]")


def test_unnamed_tools_are_there_only_without_a_list() -> None:
    assert observe("claude-code", "model: x").open
    assert not observe("claude-code", "tools: Read").open
    assert observe("claude-code", "disallowedTools: Read").open


def test_tools_that_wait_for_something_are_listed_apart() -> None:
    found = observe("claude-code", "tools: Read, AskUserQuestion")
    assert (found.tools, found.conditional) == (("Read",), ("AskUserQuestion",))
    assert "Bash" in found.denied


def test_every_tool_of_a_table_is_given_asked_for_conditional_or_denied() -> None:
    for id in harness_ids():
        found = observe(id, "tools: {}" if id in ("opencode", "kilo") else "model: x")
        groups = [*found.tools, *found.ask, *found.conditional, *found.denied]
        assert sorted(groups) == sorted(get_harness(id).tools)


# ------------------------------------------------------------------------------------------------- last match


def test_asking_is_neither_allowing_nor_denying() -> None:
    found = observe("opencode", "permission: {bash: ask}")
    assert found.ask == ("bash",)
    assert "bash" not in found.tools


def test_a_denial_of_some_uses_leaves_the_tool() -> None:
    assert "bash" in tools("opencode", "permission: {bash: {'*': allow, 'rm *': deny}}")
    assert "bash" not in tools("opencode", "permission: {bash: {'rm *': allow, '*': deny}}")


def test_permission_goes_after_tools_and_both_count() -> None:
    assert "bash" in tools("opencode", "tools: {bash: false}\npermission: {bash: allow}")
    assert "bash" in tools("opencode", "permission: {bash: allow}\ntools: {bash: false}")


def test_a_single_word_is_a_rule_for_everything() -> None:
    assert tools("opencode", "permission: deny") == set()
    assert observe("opencode", "permission: ask").tools == ()


@pytest.mark.parametrize("value", ["'false'", "no", "off", "0", "deny", "~", "[]"])
def test_only_true_and_false_are_switches(value: str) -> None:
    assert refused("opencode", f"tools: {{bash: {value}}}")


def test_the_error_names_the_key() -> None:
    found = observe("opencode", "tools: [read]")
    assert found.key == "tools"
    assert "expected a map" in found.error


def test_the_model_decides_about_some_tools() -> None:
    assert "apply_patch" in tools("opencode", "model: openai/gpt-5")
    assert "edit" not in tools("opencode", "model: openai/gpt-5")
    assert "websearch" not in tools("opencode", "model: anthropic/claude-sonnet-4")


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("*", "bash", True),
        ("bash", "bash", True),
        ("bash", "bash2", False),
        ("b?sh", "bash", True),
        ("db_*", "db_query", True),
        ("db_*", "db_", True),
        ("git *", "git", True),
        ("git *", "git diff", True),
        ("git *", "gitk", False),
        ("a.c", "abc", False),
        ("**", "any/thing\nat all", True),
        ("*ab*ab", "abab", True),
        ("*ab*ab", "ab", False),
        ("*foo *", "foofoo", True),
        ("*?", "", False),
        ("*a" * 40 + "b", "a" * 400, False),
    ],
)
def test_wildcards(pattern: str, text: str, matches: bool) -> None:
    assert matches_wildcard(pattern, text) is matches


# ------------------------------------------------------------------------------------------------ whether it loads


def test_an_agent_without_a_description_does_not_load_where_one_is_required() -> None:
    text = "---\nname: a\n---\nPrompt.\n"
    assert not observe("claude-code", text).loads
    assert not observe("copilot", text).loads
    assert observe("opencode", text).loads
    assert observe("vscode", text).loads


def test_the_name_is_the_one_in_the_file_where_the_harness_goes_by_it() -> None:
    text = "---\nname: other\ndescription: d\n---\n"
    assert observe("claude-code", text).name == "other"
    assert observe("copilot", text).name == "a"


def test_a_disabled_agent_does_not_load() -> None:
    assert refused("opencode", "disable: true")
    assert not refused("opencode", "disable: false")


def test_a_file_without_frontmatter_is_an_agent_to_some() -> None:
    assert not observe("claude-code", "---").loads
    assert not observe("copilot", "---").loads
    assert observe("opencode", "---\n---\nJust text.\n").loads


PIECES = st.sampled_from(
    [*"abct:,-#'\"[]{}&*!|> \n\r\t?\x85\u2028\x00é", "tools: ", "permission: ", "---", "true", "*: "]
)


@given(st.lists(PIECES, max_size=40).map("".join))
@settings(max_examples=60)
def test_every_harness_has_an_answer_to_any_text(text: str) -> None:
    for id in harness_ids():
        found = observe(id, f"---\nname: a\ndescription: d\n{text}\n---\n")
        assert found.loads is not bool(found.error)
        assert set(found.tools) <= set(get_harness(id).tools)


# ------------------------------------------------------------------------------------------- what is refused


def changed(**facts: Any) -> Harness:
    """Claude Code, if it were stricter."""
    table = tomllib.loads(Path(FOLDER, "claude-code.toml").read_text(encoding="utf-8"))
    kind = table["kinds"]["agent"]
    kind["keys"]["tools"] |= facts.pop("tools", {})
    kind["fields"]["description"] |= facts.pop("description", {})
    kind |= facts
    return parse_table(table, "strict.toml")


def judged(text: str, harness: Harness) -> Effect:
    return effect(Document(Source("a.md", text.encode())), harness, harness.kinds["agent"])


@pytest.mark.parametrize("name", ["Nope", "read", "LS"])
def test_a_name_of_no_tool_may_keep_the_file_from_loading(name: str) -> None:
    result = judged(
        f"---\nname: a\ndescription: d\ntools: [Read, {name}]\n---\n", changed(tools={"unknown": "refused"})
    )
    assert (result.loads, result.key, result.error) == (False, "tools", f"`tools`: there is no tool `{name}`")


def test_tools_of_servers_and_everything_are_no_unknown_names() -> None:
    strict = changed(tools={"unknown": "refused"})
    assert judged("---\nname: a\ndescription: d\ntools: [Read, Task, mcp__db__query, '*']\n---\n", strict).loads


def test_an_unknown_field_may_keep_the_file_from_loading() -> None:
    strict = changed(**{"unknown-fields": "refused"})
    assert judged("---\nname: a\ndescription: d\ntools: Read\n---\n", strict).loads
    result = judged("---\nname: a\ndescription: d\nteam: x\n---\n", strict)
    assert (result.loads, result.key) == (False, "team")


def test_a_field_may_be_too_long() -> None:
    short = changed(description={"max-length": 3})
    assert judged("---\nname: a\ndescription: abc\n---\n", short).loads
    result = judged("---\nname: a\ndescription: abcd\n---\n", short)
    assert result.error == "`description` has 4 characters, but at most 3 are allowed"


VALUES = st.recursive(
    st.none() | st.booleans() | st.sampled_from(["Read", "read", "bash", "*", "allow", "deny", "2024-01-01", Date("2024-01-01"), 1, 1.5]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["bash", "edit", "*", "1"]), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip
DATA = st.dictionaries(
    st.sampled_from(["tools", "permission", "disallowedTools", "model", "memory", "readonly", "groups", "x"]), VALUES
)


@given(st.sampled_from(harness_ids()), st.lists(DATA, min_size=1, max_size=4))
@example("opencode", [{"tools": Date("2024-01-01")}, {"tools": "2024-01-01"}])
@example("claude-code", [{"tools": ["1"]}, {"tools": [1]}])
def test_what_was_worked_out_before_is_what_would_be_worked_out_now(harness: str, data: list[dict[str, Any]]) -> None:
    table = get_harness(harness)
    kind = table.kinds[table.main_kind]
    for each in data:
        assert granted_tools(each, table, kind, "") == SEMANTICS[table.semantics](each, table, kind, "")
