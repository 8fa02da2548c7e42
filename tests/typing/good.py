"""Calls that type checkers accept, and that work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import fsagent_lint
from fsagent_lint import (
    NO_CONFIG,
    Action,
    Agent,
    Converted,
    Enricher,
    HarnessId,
    Kind,
    OutputType,
    Policy,
    Risk,
    ScopedTool,
    Tool,
    ToolFormat,
    ToolLike,
    compose,
    harness_id,
)


def with_database(harness: HarnessId, agent: Agent, policy: Policy) -> Policy:
    if harness == "opencode" and "database" in agent.frontmatter.get("tags", ()):
        return policy.with_tools(Tool.mcp("db", "query"), Tool.Shell("git diff *"), "Bash(git log *)")
    return policy.without(Tool.WebFetch, Tool.Todo, "mcp:web")


enrichers: list[Enricher] = [with_database, lambda _harness, _agent, policy: policy]
together: Enricher = compose(*enrichers)


def tools() -> None:
    every: tuple[Tool, ...] = (Tool.Shell, Tool.Bash, Tool.TodoWrite, Tool.Task, Tool.Todo, Tool.custom("deploy"))
    scoped: ScopedTool = Tool.Shell("git diff *")
    some: list[ToolLike] = [*every, scoped, "Read"]
    risk: Risk | None = Tool.Read.risk
    names: tuple[str, ...] = Tool.TodoWrite.names("claude-code")
    found: tuple[Tool, ...] = Tool.from_native("copilot", "execute")
    assert (risk, names[0], found, len(some)) == (Risk.READ, "TaskCreate", (Tool.Shell,), 8)
    assert Tool.parse("Bash") == Tool("Bash") or Tool.parse("Bash") == Tool("Shell")
    assert Tool.Read.description.startswith("Read")


def agents() -> None:
    agent = Agent(
        name="reviewer",
        description="Reviews.",
        tools=[Tool.Read, Tool.Shell("git diff *"), "mcp:db"],
        disallowed_tools=(Tool.Edit,),
        prompt="You review.",
        model="opus",
        fields={"mode": "subagent", "tags": ["database"], "temperature": 0.2},
    )
    form: ToolFormat = "auto"
    made: Converted = agent.write("opencode", tool_format=form, enrich=together, config=NO_CONFIG)
    path: str = made.path
    text: str = made.text
    assert "db_query: allow" in text and path == ".opencode/agents/reviewer.md"
    output: OutputType = "json"
    assert agent.export(output).text == agent.to_json()
    assert agent.policy.action(Tool.Edit) is Action.DENY
    assert agent.write(harness_id("claude-code@2.1.197"), enrich=enrichers).error == ""


def files() -> None:
    kind: Kind = "agent"
    agent = fsagent_lint.load(Path("a.md"), harness="claude-code", kind=kind)
    harness: HarnessId = agent.harness
    results: Iterator[fsagent_lint.FileResult] = fsagent_lint.check_iter("a.md", config=NO_CONFIG)
    assert [result.path for result in results] == ["a.md"]
    assert fsagent_lint.lint(["a.md"], target=harness, progress=print).files == 1
    assert fsagent_lint.lint_text(b"---\nname: a\n---\n", "a.md", harness="copilot").files == 1
    assert fsagent_lint.fix("a.md", write=False, target="opencode", enrich=with_database).diff
    assert fsagent_lint.convert("a.md", "copilot", harness="claude-code", enrich=[together]).error == ""
    assert fsagent_lint.convert_all("a.md", ["opencode"], write=False).written
    assert fsagent_lint.registry().enabled(agent, "opencode")[0].names("opencode")
    assert fsagent_lint.sync(check=True, cancelled=lambda: False).is_configured is False
