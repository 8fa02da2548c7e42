"""Calls that mypy refuses, each with its error; and that fail."""

# ruff: noqa: B018
# fmt: off
import fsagent_lint
from fsagent_lint import Action, Agent, HarnessId, Policy, Tool, compose

Tool.Wriite  # error: "type[Tool]" has no attribute "Wriite"  [attr-defined]
Tool("Wriite").names("opencode")  # error: Argument 1 to "Tool" has incompatible type "Literal['Wriite']"  [arg-type]
Tool.Read.names("claude-codee")  # error: incompatible type "Literal['claude-codee']"  [arg-type]
Tool.from_native("copilott", "execute")  # error: Argument 1 to "from_native" of "Tool"  [arg-type]
Tool.mcp("db").covers("x")  # error: Argument 1 to "covers" of "Tool" has incompatible type "str"  [arg-type]
Tool.Read.name = "Write"  # error: Property "name" defined in "_Tool" is read-only  [misc]

agent = Agent(name="a", description="d", tools=[Tool.Read])

Agent(name="a", description="d", tools=[3])  # error: List item 0 has incompatible type "int"  [list-item]
Agent(name="a", description="d", tools=Tool.Read)  # error: Argument "tools" to "Agent" has incompatible type  [arg-type]
Agent(name="a", tools=[Tool.Read])  # error: Missing named argument "description" for "Agent"  [call-arg]
Agent("a", "d")  # error: Too many positional arguments for "Agent"  [call-arg]
Agent(name="a", description="d", disallowedTools=[])  # error: Unexpected keyword argument "disallowedTools"  [call-arg]
agent.name = "b"  # error: Property "name" defined in "Agent" is read-only  [misc]
agent.write("opencod")  # error: Argument 1 to "write" of "Agent" has incompatible type  [arg-type]
agent.write("opencode", tool_format="mapp")  # error: Argument "tool_format" to "write" of "Agent"  [arg-type]
agent.write("opencode", enrich=3)  # error: Argument "enrich" to "write" of "Agent" has incompatible type "int"  [arg-type]
agent.export("yml")  # error: Argument 1 to "export" of "Agent" has incompatible type  [arg-type]
agent.export("json", shape="copilot")  # error: Argument "shape" to "export" of "Agent"  [arg-type]
agent.effect("vscod")  # error: Argument 1 to "effect" of "Agent" has incompatible type  [arg-type]
agent.policy.with_tools([Tool.Read])  # error: Argument 1 to "with_tools" of "Policy"  [arg-type]
agent.policy.without(3)  # error: Argument 1 to "without" of "Policy" has incompatible type "int"  [arg-type]
agent.policy.default = Action.DENY  # error: Property "default" defined in "_Policy" is read-only  [misc]

fsagent_lint.lnt()  # error: Module has no attribute "lnt"  [attr-defined]
fsagent_lint.load("a.md", harness="claude-codee")  # error: Argument "harness" to "load"  [arg-type]
fsagent_lint.load("a.md", kind="agnt")  # error: Argument "kind" to "load" has incompatible type  [arg-type]
fsagent_lint.lint(target="opencodee")  # error: Argument "target" to "lint" has incompatible type  [arg-type]
fsagent_lint.lint(tool_format="mapp")  # error: Argument "tool_format" to "lint" has incompatible type  [arg-type]
fsagent_lint.check_iter(harness="x")  # error: Argument "harness" to "check_iter" has incompatible type  [arg-type]
fsagent_lint.lint_text(text=3, path="a.md")  # error: Argument "text" to "lint_text" has incompatible type "int"  [arg-type]
fsagent_lint.convert(agent, "x")  # error: Argument 2 to "convert" has incompatible type  [arg-type]
fsagent_lint.convert_all(".", "x")  # error: Argument 2 to "convert_all" has incompatible type  [arg-type]
fsagent_lint.sync(checked=True)  # error: Unexpected keyword argument "checked" for "sync"  [call-arg]
fsagent_lint.registry().for_harness("x")  # error: Argument 1 to "for_harness" of "Registry"  [arg-type]


def takes_one(policy: Policy) -> Policy:
    return policy


def returns_text(harness: HarnessId, agent: Agent, policy: Policy) -> str:
    return harness + agent.name + policy.default


agent.write("opencode", enrich=compose(takes_one)).text  # error: Argument 1 to "compose" has incompatible type  [arg-type]
agent.write("opencode", enrich=returns_text).text  # error: Argument "enrich" to "write" of "Agent"  [arg-type]
