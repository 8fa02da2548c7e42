"""Agents that are made in code: their values, what they are equal to, and that they are written as files are."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
import yaml

import fsagent_lint
from fsagent_lint import NO_CONFIG, Action, Agent, HarnessId, Tool, UserError, harness_id
from fsagent_lint.cli.main import run
from fsagent_lint.harnesses.tables import builtin_harness, builtin_ids
from fsagent_lint.model.tool import BUILTIN, TOOLS
from fsagent_lint.project.target import Progress

WRITTEN = [harness_id(id) for id in builtin_ids() if builtin_harness(id).reads("agent")]


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def reviewer() -> Agent:
    return Agent(
        name="reviewer",
        description="Reviews: changes # all",
        tools=[Tool.Read, Tool.Shell("git diff *"), Tool.Shell("git log *"), Tool.mcp("db"), Tool.Todo, Tool.Edit],
        disallowed_tools=["Edit", Tool.WebFetch],
        prompt="\nYou review.\n\n---\n\nAlways.\n",
        model="opus",
        fields={"mode": "subagent", "tags": ["a", "yes"], "temperature": 0.5, "x-opencode": {"hidden": True}},
    )


def test_it_has_what_it_was_given() -> None:
    agent = reviewer()
    assert (agent.name, agent.harness, agent.kind, agent.model) == ("reviewer", "canonical", "agent", "opus")
    assert (agent.description, agent.prompt) == ("Reviews: changes # all", "You review.\n\n---\n\nAlways.")
    assert agent.fields == {
        "model": "opus", "mode": "subagent", "tags": ["a", "yes"], "temperature": 0.5, "x-opencode": {"hidden": True}
    }  # fmt: skip
    policy = agent.policy
    assert policy.default is Action.DENY
    assert policy.action(Tool.Todo) is policy.action(Tool.mcp("db", "query")) is Action.ALLOW
    assert policy.action(Tool.Edit) is Action.DENY
    assert policy.scopes(Tool.Shell) == ("git diff *", "git log *")


def test_without_tools_it_has_every_tool_but_those_that_are_disallowed() -> None:
    agent = Agent(name="a", description="d", disallowed_tools=[Tool.Shell])
    assert (agent.policy.default, agent.policy.action(Tool.Bash)) == (Action.ALLOW, Action.DENY)
    nothing = Agent(name="a", description="d", tools=[])
    assert nothing.policy == Agent(name="a", description="d", tools=()).policy
    assert nothing.policy.default is Action.DENY
    assert nothing != Agent(name="a", description="d")


def test_it_is_immutable() -> None:
    agent = reviewer()
    for change in ("name", "policy", "subject", "other"):
        with pytest.raises(AttributeError, match=f"Agent.{change} cannot be set: an agent is immutable"):
            setattr(agent, change, "x")
    with pytest.raises(AttributeError, match="cannot be deleted"):
        del agent.subject
    agent.fields["tags"].append("b")
    agent.frontmatter["tags"].append("b")
    assert agent == reviewer() == copy.deepcopy(agent) == copy.copy(agent)
    assert len({agent, reviewer()}) == 1
    assert agent != "reviewer"


def test_it_is_equal_to_what_is_read_from_what_was_written(project: Path) -> None:
    agent = reviewer()
    path = project / agent.path
    path.parent.mkdir()
    path.write_text(agent.to_markdown(), encoding="utf-8")
    assert fsagent_lint.load(path, harness="canonical") == agent
    path.write_text(agent.to_markdown().replace("git log", "git show"), encoding="utf-8")
    assert fsagent_lint.load(path, harness="canonical") != agent
    assert json.loads(agent.to_json()) == yaml.safe_load(agent.to_yaml())
    assert agent.to_post()["description"] == agent.description
    assert agent.export("json", shape="opencode").text.startswith('{\n  "agent": {\n    "reviewer": {')


@pytest.mark.parametrize("to", WRITTEN)
def test_it_is_written_as_its_file_is(to: HarnessId, project: Path) -> None:
    agent = reviewer()
    (project / "fsagent-lint.toml").write_text("[[paths]]\nglob = 'agents/*.md'\nharness = 'canonical'\n")
    (project / "agents").mkdir()
    (project / "agents/reviewer.md").write_bytes(agent.document.source.data)
    made = agent.write(to)
    assert made == fsagent_lint.convert("agents/reviewer.md", to)
    if to != "canonical":
        status = run(["convert", "--to", to, "agents/reviewer.md"])
        assert (project / made.path).read_bytes() == made.data if status < 2 else made.error


def test_what_cannot_be_written_is_an_error_and_not_a_text() -> None:
    agent = Agent(name="a", description="d", tools=[Tool.Shell("git *")], prompt="p")
    made = agent.write("copilot")
    assert "the agent would have no tools" in made.error
    with pytest.raises(UserError, match="the agent would have no tools"):
        _ = made.text


@pytest.mark.parametrize("name", ["", "a/b", "a\\b", "..", "con", "a\nb", "x.agent"])
def test_a_name_is_one_that_a_file_can_have(name: str) -> None:
    with pytest.raises(UserError, match="name"):
        Agent(name=name, description="d")


@pytest.mark.parametrize("key", ["name", "description", "tools", "disallowedTools", "permission", "allowed-tools"])
def test_an_argument_is_not_one_of_the_other_fields(key: str) -> None:
    with pytest.raises(UserError, match=f"`{key}` is not one of the other fields"):
        Agent(name="a", description="d", fields={key: "x"})


@pytest.mark.parametrize("value", [{1, 2}, object(), b"x", {"a": {1}}])
def test_a_field_is_one_that_a_file_can_have(value: object) -> None:
    with pytest.raises(UserError, match="a field or a tool that a file cannot express"):
        Agent(name="a", description="d", fields={"x": value})


@pytest.mark.parametrize("name", BUILTIN)
def test_every_tool_is_an_attribute(name: str) -> None:
    tool = TOOLS[name]
    assert getattr(Tool, name) is tool is Tool.parse(name)
    assert tool == Tool.parse(str(tool)) == eval(repr(tool))
    assert Agent(name="a", description="d", tools=[tool]).policy.named() == (tool,)
    assert tool.risk is BUILTIN[name] and tool.description


def test_aliases_and_other_tools() -> None:
    assert (Tool.Bash, Tool.Task) == (Tool.Shell, Tool.Agent)
    assert Tool.Todo.members == (Tool.TodoWrite, Tool.TodoRead)
    assert Tool.Todo.names("opencode") == ("todowrite",)
    assert Tool.Todo.risk is Tool.TodoRead.risk
    for tool in (Tool.mcp("db"), Tool.mcp("db", "query"), Tool.custom("deploy"), Tool.native("x")):
        assert eval(repr(tool)) == tool
        assert (tool.risk, tool.description) == (None, "")
    assert Tool.parse("mcp:db/query") == Tool.mcp("db", "query")
    with pytest.raises(UserError, match="The scope of Shell is empty"):
        Tool.Shell("")


@pytest.mark.parametrize(
    ("harness", "name", "tools"),
    [
        ("copilot", "edit", (Tool.Write, Tool.Edit, Tool.NotebookEdit)),
        ("claude-code", "mcp__db__query", (Tool.mcp("db", "query"),)),
        ("claude-code", "Task", (Tool.Agent,)),
    ],
)
def test_tools_of_a_native_name(harness: HarnessId, name: str, tools: tuple[Tool, ...]) -> None:
    assert set(Tool.from_native(harness, name)) >= set(tools[:2])
    with pytest.raises(UserError, match="has no tool `Raed`"):
        Tool.from_native(harness, "Raed")


# ------------------------------------------------------------------------------------------------------- long work

AGENT = "---\nname: {name}\ndescription: Does things.\ntools: Read\n---\nYou do things.\n"


@pytest.fixture
def agents(project: Path) -> Path:
    (project / ".claude/agents").mkdir(parents=True)
    for name in ("a", "b", "c"):
        (project / f".claude/agents/{name}.md").write_text(AGENT.format(name=name))
    (project / "fsagent-lint.toml").write_text("[sync]\nsource = '.claude/agents'\ntargets = ['opencode', 'copilot']\n")
    return project


def steps(seen: list[tuple[int, int, str]]) -> Progress:
    return lambda done, total, path: seen.append((done, total, path))


@pytest.mark.usefixtures("agents")
def test_converting_tells_its_progress() -> None:
    seen: list[tuple[int, int, str]] = []
    run = fsagent_lint.convert_all((), ["opencode", "copilot"], progress=steps(seen))
    assert [done for done, _, _ in seen] == [1, 2, 3, 4, 5, 6]
    assert {total for _, total, _ in seen} == {6}
    assert (len(run.written), run.errors) == (6, [])
    seen.clear()
    result = fsagent_lint.sync(force=True, progress=steps(seen))
    assert [path for _, _, path in seen] == [f".claude/agents/{name}.md" for name in "abc"]
    assert len(result.written) == 6


def test_of_a_cancelled_run_nothing_is_written(agents: Path) -> None:
    seen: list[tuple[int, int, str]] = []
    run = fsagent_lint.convert_all(".", "opencode", progress=steps(seen), cancelled=lambda: len(seen) == 2)
    assert (len(seen), run.written) == (2, [])
    seen.clear()
    result = fsagent_lint.sync(progress=steps(seen), cancelled=lambda: len(seen) == 2)
    assert (len(seen), result.written, result.states) == (2, [], [])
    assert not (agents / ".opencode").exists()


@pytest.mark.usefixtures("agents")
def test_without_a_config_there_is_nothing_to_sync() -> None:
    assert fsagent_lint.sync(check=True).is_configured
    assert not fsagent_lint.sync(check=True, config=NO_CONFIG).is_configured
    with pytest.raises(UserError, match="nothing to sync"):
        fsagent_lint.sync(config=NO_CONFIG)


def test_an_enricher_is_named_where_it_fails() -> None:
    def fails(harness: HarnessId, agent: Agent, policy: fsagent_lint.Policy) -> fsagent_lint.Policy:
        raise KeyError(harness + agent.name + policy.default)

    with pytest.raises(UserError, match=r"The enricher `.*fails` failed: KeyError"):
        reviewer().write("opencode", enrich=fsagent_lint.compose(fails))
    with pytest.raises(UserError, match="no installed enricher `nobody`"):
        reviewer().write("opencode", enrich="nobody")
    with pytest.raises(UserError, match="the canonical shape is for none"):
        reviewer().export("json", enrich=fails)
    with pytest.raises(UserError, match="`enrich` needs `target`"):
        fsagent_lint.fix(".", enrich=fails)


def test_the_tables_of_a_config_are_in_force_for_its_run_alone(project: Path) -> None:
    (project / "own.toml").write_text("custom-tools = ['deploy']\n")
    agent = Agent(name="a", description="d", tools=[Tool.Read, Tool.custom("deploy")], prompt="p")
    assert "deploy" in agent.write("claude-code", config="own.toml").text
    assert "deploy" not in agent.write("claude-code").text
    assert Tool.custom("deploy").names("claude-code") == ()
