"""What a repository defines beside its agents, and what hostile files there cannot do."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from fsagent_lint.api import convert
from fsagent_lint.cli.main import run
from fsagent_lint.effect.surroundings import NO_SURROUNDINGS
from fsagent_lint.files.jsonc import JsonError, parse_json
from fsagent_lint.harnesses.tables import get_harness, harness_ids
from fsagent_lint.project.discover import ProjectFiles
from fsagent_lint.project.js_exports import exported_tools
from fsagent_lint.project.neighbours import Discoverer, ProjectNeighbours

AGENT = "---\nname: {name}\ndescription: d\n---\n"


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def write(path: str, text: str | bytes) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(text if isinstance(text, bytes) else text.encode())


def neighbours(path: str = "x.md") -> ProjectNeighbours:
    return Discoverer().neighbours(path)


def servers(harness: str, path: str = "x.md") -> list[str]:
    return list(neighbours(path).servers(get_harness(harness)))


def test_each_harness_has_the_servers_of_the_files_that_it_reads() -> None:
    write(".mcp.json", '{"mcpServers": {"a": {}}}')
    write(".github/mcp.json", '{"b": {"command": "x"}, "inputs": []}')
    write(".vscode/mcp.json", '{"servers": {"c": {},}, "inputs": [],} // end')
    write(".cursor/mcp.json", '{"mcpServers": {"d": {}}}')
    write("opencode.jsonc", '{/* all */ "mcp": {"e": {}}}')
    write(".opencode/opencode.json", '{"mcp": {"f": {}}}')
    write(".gemini/settings.json", '{"mcpServers": {"g": {}}}')
    assert servers("claude-code") == ["a"]
    assert servers("copilot") == ["a", "b"]
    assert servers("vscode") == ["c"]
    assert servers("opencode") == ["e", "f"]
    assert sorted(servers("canonical")) == ["a", "b", "c", "d", "e", "f", "g"]


def test_servers_are_looked_for_up_to_the_repository_and_no_further(tmp_path: Path) -> None:
    write(str(tmp_path / ".mcp.json"), '{"mcpServers": {"outside": {}}}')
    write(".mcp.json", '{"mcpServers": {"top": {}}}')
    write("part/.mcp.json", '{"mcpServers": {"part": {}}}')
    write("other/.mcp.json", '{"mcpServers": {"other": {}}}')
    assert servers("claude-code", "part/.claude/agents/x.md") == ["top", "part"]


def test_servers_of_a_plugin_have_its_name() -> None:
    write("p/.claude-plugin/plugin.json", '{"name": "tools", "mcpServers": "./more.json"}')
    write("p/more.json", '{"mcpServers": {"db": {}}}')
    assert {"db", "plugin_tools_db"} <= set(servers("claude-code", "p/agents/x.md"))
    write("q/.claude-plugin/plugin.json", '{"name": "q", "mcpServers": {"own": {}}}')
    assert set(servers("claude-code", "q/agents/x.md")) == {"own", "plugin_q_own"}
    write("r/.claude-plugin/plugin.json", '{"name": "r", "mcpServers": ["../../../../etc/passwd", 3]}')
    assert servers("claude-code", "r/agents/x.md") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("export default tool({})", ["t"]),
        ("export const a = { execute() {} }\nexport const n = 3\nexport const s = 'x'", ["t_a"]),
        ("  export let b: Tool = tool({})", ["t_b"]),
        ("const x = tool({})\nexport { x, y as z, w as default }", ["t_x", "t_z", "t"]),
        ("// export default tool({})\n/* export const a = {} */\nconst s = `\nexport default`", []),
        ("export function f() {}\nexport type T = {}\nexport interface I {}", []),
        ("", []),
    ],
)
def test_exports_are_tools(text: str, expected: list[str]) -> None:
    assert list(exported_tools(text, "t")) == expected


def test_custom_tools_are_known() -> None:
    write(".opencode/tool/deploy.ts", "export default tool({})")
    write(".opencode/tools/x.js", "export const a = tool({})")
    write(".opencode/tools/notes.md", "export default tool({})")
    assert neighbours().custom_tools(get_harness("opencode")) == {
        "deploy": ".opencode/tool/deploy.ts",
        "x_a": ".opencode/tools/x.js",
    }
    assert neighbours().custom_tools(get_harness("claude-code")) == {}


def test_agents_are_known_by_what_their_harness_calls_them() -> None:
    write(".claude/agents/team/one.md", AGENT.format(name="first"))
    write(".github/agents/two.agent.md", "---\ndescription: d\n---\n")
    write(".opencode/agents/sub/three.md", "---\ndescription: d\n---\n")
    write("opencode.json", '{"agent": {"four": {}}}')
    assert list(neighbours().agents(get_harness("claude-code"))) == ["first"]
    assert set(neighbours().agents(get_harness("opencode"))) == {"sub/three", "four"}
    assert {"two", "first"} <= set(neighbours().agents(get_harness("vscode")))


def test_skills_are_known_by_their_folder_and_their_name() -> None:
    write(".claude/skills/team/one/SKILL.md", AGENT.format(name="first"))
    write(".claude/skills/team/one/notes.md", "")
    write(".agents/skills/two/SKILL.md", "no frontmatter")
    write(".github/skills/three/SKILL.md", AGENT.format(name="three"))
    assert list(neighbours().skills(get_harness("claude-code"))) == ["one", "first"]
    assert list(neighbours().skills(get_harness("opencode"))) == ["one", "first", "two"]
    assert set(neighbours().skills(get_harness("copilot"))) == {"one", "first", "two", "three"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mcp:db", []),
        ("mcp:db/*", []),
        ("mcp:bd/*", ["unknown-mcp-server"]),
        ("custom:deploy", []),
        ("custom:other", []),
        ("custom:deplyo", ["unknown-tool"]),
        ("deploy", ["unknown-tool"]),
    ],
)
def test_canonical_files_name_what_the_project_defines(
    name: str, expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    write("fsagent-lint.toml", '[[paths]]\nglob = "agents/*.md"\nharness = "canonical"\nkind = "agent"\n')
    write("opencode.json", '{"mcp": {"db": {}}}')
    write(".opencode/tool/deploy.ts", "export default tool({})")
    write("agents/a.md", f"---\ndescription: d\ntools: [Read, '{name}']\n---\n")
    run(["--output-format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [each["name"] for each in found] == expected
    if "tool" in "".join(expected):
        assert "Did you mean `custom:deploy`?" in found[0]["message"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tools: Read, mcp__db", []),
        ("tools: Read, mcp__db__*", []),
        ("tools: Read, mcp__*", ["unknown-tool"]),
        ("tools: Read, mcp__d*", ["unknown-tool"]),
        ("tools: Read, mcp__DB__query", ["unknown-mcp-server"]),
        ("disallowedTools: mcp__db, mcp__*", []),
    ],
)
def test_what_claude_code_was_seen_to_take_for_servers(
    line: str, expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    write(".mcp.json", '{"mcpServers": {"db": {}, "web": {}}}')
    write(".claude/agents/a.md", f"---\nname: a\ndescription: d\n{line}\n---\n")
    run(["--output-format", "json", "--select", "unknown-tool,unknown-mcp-server"])
    assert [each["name"] for each in json.loads(capsys.readouterr().out)["findings"]] == expected


def test_nothing_is_read_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    write("opencode.json", '{"mcp": {"a": {}}}')
    monkeypatch.setattr(ProjectFiles, "read", lambda *_: pytest.fail("read"))
    neighbours()


def test_a_file_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    write("opencode.json", '{"mcp": {"a": {}}, "agent": {"x": {"model": "m/n"}}}')
    reads: list[str] = []
    original = ProjectFiles.read

    def read(self: ProjectFiles, path: str, root: str) -> bytes | None:
        reads.append(path)
        return original(self, path, root)

    monkeypatch.setattr(ProjectFiles, "read", read)
    discoverer = Discoverer()
    for name in ("a", "b"):
        for id in harness_ids():
            near = discoverer.neighbours(f".opencode/agents/{name}.md")
            near.servers(get_harness(id))
            near.surroundings(get_harness(id), name)
    assert len(reads) == 1


HOSTILE = {
    "deep": b"[" * 100_000,
    "deep-map": b'{"mcpServers":' * 70 + b"1" + b"}" * 70,
    "huge": b'{"mcpServers": {"a": "' + b"x" * 2**20 + b'"}}',
    "open-comment": b"/*" * 200_000,
    "open-string": b'"\\' * 200_000,
    "slashes": b"/" * 500_000,
    "number": b"1" * 100_000,
    "nan": b'{"mcpServers": {"a": NaN}}',
    "bytes": b"\xff\xfe{}",
    "nul": b"\0" * 100,
    "empty": b"",
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_says_nothing_and_costs_little(data: bytes) -> None:
    start = time.perf_counter()
    for name in (".mcp.json", "opencode.json", ".claude/settings.json"):
        write(name, data)
    discoverer = Discoverer()
    assert discoverer.neighbours("x.md").servers(get_harness("claude-code")) == {}
    assert discoverer.neighbours("x.md").surroundings(get_harness("claude-code"), "x") == NO_SURROUNDINGS
    assert discoverer.neighbours("x.md").surroundings(get_harness("opencode"), "x").shared == ()
    assert any("ignored" in note for note in discoverer.notes) == bool(data)
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize("value", [None, 1, "x", [], {}, [[]], {"a": None}, {"": {}}], ids=repr)
def test_values_of_any_type_are_taken(value: object) -> None:
    keys = ("mcpServers", "mcp", "servers", "permissions", "agent", "mode", "tools", "provider", "name", "model")
    for file in (".mcp.json", "opencode.json", ".claude/settings.json", ".claude-plugin/plugin.json"):
        for data in (value, dict.fromkeys(keys, value), {"permissions": {"deny": value}, "agent": {"x": value}}):
            write(file, json.dumps(data))
            for id in harness_ids():
                near = Discoverer().neighbours("x.md")
                near.servers(get_harness(id)), near.agents(get_harness(id))
                near.surroundings(get_harness(id), "x")


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="needs links")
def test_links_that_leave_the_project_are_not_read(tmp_path: Path) -> None:
    write(str(tmp_path / "secret.json"), '{"mcpServers": {"secret": {}}}')
    write(str(tmp_path / "tools/steal.ts"), "export default tool({})")
    write(str(tmp_path / "agents/spy.md"), AGENT.format(name="spy"))
    os.symlink(tmp_path / "secret.json", ".mcp.json")
    for folder in (".opencode", ".claude"):
        Path(folder).mkdir()
    os.symlink(tmp_path / "tools", ".opencode/tool")
    os.symlink(tmp_path / "agents", ".claude/agents")
    assert servers("claude-code") == []
    assert neighbours().custom_tools(get_harness("opencode")) == {}
    assert neighbours().agents(get_harness("claude-code")) == {}


def test_what_was_ignored_is_told_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    write(".mcp.json", "{nope")
    write(".claude/agents/a.md", "---\nname: a\ndescription: d\ntools: mcp__db__query\n---\n")
    assert run(["-v"]) == 0
    assert ".mcp.json: is not valid JSON" in "".join(capsys.readouterr())
    assert run([]) == 0
    assert ".mcp.json" not in "".join(capsys.readouterr())


def test_a_server_that_the_project_defines_makes_names_clear(capsys: pytest.CaptureFixture[str]) -> None:
    write(".mcp.json", '{"mcpServers": {"db": {}, "github": {}}}')
    write(".claude/agents/a.md", "---\nname: a\ndescription: d\ntools: Read, db_query, db, mcp__gihtub__x\n---\n")
    assert run(["--output-format", "json"]) == 1
    found = {each["name"]: each["message"] for each in json.loads(capsys.readouterr().out)["findings"]}
    assert "Write `mcp__db__query`" in found["wrong-mcp-form"]
    assert "Did you mean `mcp__db__*`?" in found["unknown-tool"]
    assert "Did you mean `github`?" in found["unknown-mcp-server"]


def test_a_conversion_knows_the_servers_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    write("opencode.json", '{"mcp": {"db": {}}}')
    write(".opencode/agents/a.md", "---\ndescription: d\npermission:\n  '*': deny\n  db_query: allow\n---\n")
    assert run(["convert", "--to", "claude-code", ".opencode"]) == 1  # Claude Code does not read opencode.json
    assert "mcp__db__query" in Path(".claude/agents/a.md").read_text()
    assert run(["export", "--as", "md", ".opencode/agents/a.md"]) == 0
    assert "mcp:db/query" in capsys.readouterr().out
    write("agents/a.md", Path(".claude/agents/a.md").read_text())
    assert run(["agents", "--harness", "claude-code", "--fix", "--target", "opencode"]) == 0
    assert "db_query: allow" in Path("agents/a.md").read_text()
    assert convert(".opencode/agents/a.md", "copilot").data.count(b"db/query") == 1
    write("fsagent-lint.toml", '[sync]\nsource = ".opencode/agents"\ntargets = ["copilot"]\n')
    assert run(["sync"]) == 0
    assert "db/query" in Path(".github/agents/a.agent.md").read_text()


def test_what_the_config_of_another_project_says_does_not_count_in_a_conversion() -> None:
    write("opencode.json", '{"agent": {"a": {"permission": {"*": "allow"}}}, "permission": "allow"}')
    write(".claude/agents/a.md", "---\nname: a\ndescription: d\ntools: Read\n---\n")
    assert run(["convert", "--to", "opencode", "--out", ".", ".claude"]) in (0, 1)
    assert "deny" in Path(".opencode/agents/a.md").read_text()


def test_a_custom_tool_is_suggested(capsys: pytest.CaptureFixture[str]) -> None:
    write(".opencode/tool/deploy.ts", "export default tool({})")
    write(".opencode/agents/a.md", "---\ndescription: d\npermission:\n  deploy: allow\n  deplyo: deny\n---\n")
    run(["--output-format", "json"])
    messages = [each["message"] for each in json.loads(capsys.readouterr().out)["findings"]]
    assert [message for message in messages if "Did you mean `deploy`?" in message]
    assert not [message for message in messages if "`deploy`;" in message]


def test_json_has_comments_and_limits() -> None:
    assert parse_json(b'\xef\xbb\xbf{"a//": "/*", // x\n "b": [1, 2,], /* y */ }') == {"a//": "/*", "b": [1, 2]}
    with pytest.raises(JsonError, match="in line 2"):
        parse_json(b'{\n"a"}')


# ------------------------------------------------------------------------------------------------------- plugins


def plugin(path: str) -> str | None:
    found = neighbours(path).plugin(get_harness("claude-code"))
    return None if found is None else f"{found.name}: {', '.join(sorted(found.agents))}"


def test_a_manifest_makes_its_folders_those_of_a_plugin() -> None:
    write("p/.claude-plugin/plugin.json", '{"name": "tools"}')
    write("p/agents/deep/a.md", AGENT.format(name="scout"))
    assert plugin("p/agents/deep/a.md") == plugin("p/skills/s/SKILL.md") == "tools: scout"
    assert plugin("p/.claude/agents/a.md") is plugin("p/docs/agents/a.md") is plugin("agents/a.md") is None


def test_a_marketplace_makes_the_folders_that_it_lists_plugins() -> None:
    sources = ["./plugins/a", "./", {"source": "github"}, "../out", "./../project/plugins/b", 3]
    listed = [{"name": f"n{at}", "source": source} for at, source in enumerate(sources)]
    write(".claude-plugin/marketplace.json", json.dumps({"plugins": [*listed, "x", {}]}))
    assert plugin("plugins/a/agents/a.md") == "n0: "
    assert plugin("plugins/b/agents/a.md") == "n4: "
    assert plugin("agents/a.md") == "n1: "
    assert plugin("plugins/c/agents/a.md") is None


@pytest.mark.parametrize("text", ["", "[]", "{", '{"plugins": 3}', '{"plugins": [{"source": ["./"]}]}', "null"])
def test_a_broken_marketplace_lists_nothing(text: str) -> None:
    write(".claude-plugin/marketplace.json", text)
    assert plugin("agents/a.md") is None


def test_a_plugin_outside_the_project_is_none(root: Path) -> None:
    write(".claude-plugin/marketplace.json", '{"plugins": [{"name": "out", "source": "./.."}]}')
    (root.parent / "agents").mkdir()
    assert plugin("agents/a.md") is None
    assert neighbours(str(root.parent / "agents" / "a.md")).plugin(get_harness("claude-code")) is None


def test_a_skill_is_private_by_the_value_that_the_harness_reads() -> None:
    claude = get_harness("claude-code")
    write(".claude/skills/a/SKILL.md", "---\ndescription: d\ndisable-model-invocation: true\n---\n")
    write(".claude/skills/b/SKILL.md", "---\ndescription: d\ndisable-model-invocation: false\n---\n")
    write(".claude/skills/c/SKILL.md", "no frontmatter\n")
    found = {name: neighbours().private_skill(claude, name) for name in ("a", "b", "c", "none")}
    assert found == {"a": "disable-model-invocation", "b": "", "c": "", "none": ""}
