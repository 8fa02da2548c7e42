"""What is wider than was meant: the definition that everything that is written is held to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.widening import Bounds, exceeds, excess, gained, loosened, newly_approved, unlimited, wider
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.policy import EVERYTHING, Action, Policy, PolicyRule, allow_only
from fsagent_lint.model.tool import Tool

ALLOW, ASK, DENY = Action
READ, EDIT, SHELL = Tool("Read"), Tool("Edit"), Tool("Shell")
CLAUDE, COPILOT, OPENCODE = map(get_harness, ("claude-code", "copilot", "opencode"))


def agent(line: str, harness: str = "claude-code") -> Subject:
    text = f"---\nname: a\ndescription: d\n{line}\n---\n"
    return Subject(Document(Source("a.md", text.encode())), get_harness(harness), "agent")


def test_a_tool_is_too_much_if_it_is_denied_by_name_or_brings_a_new_risk() -> None:
    policy = Policy(DENY, (PolicyRule(EDIT, ALLOW), PolicyRule(SHELL, DENY)))
    assert exceeds(Bounds(policy), SHELL)
    assert exceeds(Bounds(policy), Tool("WebFetch"))
    assert not exceeds(Bounds(policy), EDIT)
    assert not exceeds(Bounds(policy), Tool("Write")), "writing is allowed anyway"
    assert not exceeds(Bounds(policy), READ), "reading harms nobody"


def test_what_native_tools_grant_is_counted_in_canonical_ones() -> None:
    assert excess(Bounds(allow_only([READ])), CLAUDE, ["Read", "Bash", "Edit"]) == [SHELL, EDIT]
    assert excess(Bounds(EVERYTHING), CLAUDE, CLAUDE.tools) == []


def test_an_effect_is_wider_by_the_tools_that_nobody_meant() -> None:
    meant = Bounds(allow_only([READ]))
    assert wider(agent("tools: Read").effect, CLAUDE, meant) == ()
    assert wider(agent("tools: Read, Bash").effect, CLAUDE, meant) == ("Bash",)
    assert wider(agent("model: opus").effect, CLAUDE, meant) == ("*",)
    assert wider(agent("tools: [", "copilot").effect, COPILOT, meant) == (), "it does not load"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("tools: Read", "tools: Read, Grep", []),
        ("tools: Read", "tools: Read, Bash", ["Bash"]),
        ("tools: read, bash", "tools: Read, Bash", []),
        ("tools: Read, Bash", "tools: Read", []),
        ("tools: Read", "model: opus", ["*"]),
        ("model: opus", "model: sonnet", []),
        ("tools: Bash(git diff:*)", "tools: Bash", ["Shell without a limit"]),
        ("tools: Bash(git diff:*)", "tools: Bash(git diff *)", []),
        ("tools: Agent(a, b)", "tools: Agent(a)", []),
    ],
)
def test_what_a_change_gives_an_agent(before: str, after: str, expected: list[str]) -> None:
    assert gained(agent(before), agent(after)) == expected


def test_what_another_harness_gives_counts_from_nothing() -> None:
    assert gained(agent("allowed-tools: Read"), agent("allowed-tools: Read", "copilot")) == ["*"]


def test_a_limit_that_the_harness_cannot_keep() -> None:
    meant = Policy(DENY, (PolicyRule(SHELL, ALLOW, "git diff *"), PolicyRule(READ, ALLOW)))
    assert unlimited(meant, COPILOT, COPILOT.kinds["agent"], ["bash", "view"]) == ["bash"]
    assert unlimited(meant, OPENCODE, OPENCODE.kinds["agent"], ["bash", "read"]) == []
    assert unlimited(meant, CLAUDE, CLAUDE.kinds["skill"], ["Bash"]) == []
    one = Policy(DENY, (PolicyRule(Tool("Agent"), ALLOW, "helper"),))
    assert unlimited(one, CLAUDE, CLAUDE.kinds["agent"], ["Agent"]) == []


def test_losing_a_scope_or_an_exception_is_widening() -> None:
    scoped = Policy(DENY, (PolicyRule(SHELL, ALLOW, "git diff *"), PolicyRule(SHELL, ALLOW, "git log *")))
    assert loosened(allow_only([SHELL]), scoped) == [SHELL]
    assert loosened(scoped, allow_only([SHELL])) == []
    excepted = Policy(ALLOW, (PolicyRule(SHELL, DENY, "rm *"),))
    assert loosened(EVERYTHING, excepted) == [SHELL]
    assert loosened(excepted, EVERYTHING) == []


TOOLS = st.sampled_from([READ, SHELL, EDIT, Tool.mcp("db"), Tool.mcp("db", "query"), Tool.custom("x"), None])
POLICIES = st.builds(
    Policy,
    st.sampled_from(Action),
    st.lists(
        st.builds(PolicyRule, TOOLS, st.sampled_from(Action), st.sampled_from([None, "git *", "ls"])), max_size=5
    ).map(tuple),
)


@given(POLICIES)
def test_nothing_that_a_policy_allows_is_more_than_it_means(policy: Policy) -> None:
    assert not [tool for tool in policy.named() if policy.action(tool) is not DENY and exceeds(Bounds(policy), tool)]
    assert loosened(policy, policy) == []


@given(POLICIES, TOOLS.filter(bool))
def test_denying_a_tool_at_the_end_makes_it_too_much(policy: Policy, tool: Tool) -> None:
    denied = policy._replace(rules=(*policy.rules, PolicyRule(tool, DENY)))
    assert exceeds(Bounds(denied), tool)


def skill(tools: str, harness: str = "claude-code") -> Subject:
    text = f"---\nname: a\ndescription: d\n{tools}---\n"
    return Subject(Document(Source("a/SKILL.md", text.encode())), get_harness(harness), "skill")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("allowed-tools: Read\n", "allowed-tools: Read, Grep\n", []),
        ("allowed-tools: Read\n", "allowed-tools: Read, Bash\n", [SHELL]),
        ("allowed-tools: Bash(git diff:*)\n", "allowed-tools: Bash\n", [SHELL]),
        ("allowed-tools: Bash\n", "allowed-tools: Bash(git diff:*)\n", []),
        ("allowed-tools: Read\n", "allowed-tools: Read, mcp__db__query\n", [Tool.mcp("db", "query")]),
        ("", "allowed-tools: Bash\n", [SHELL]),
        ("allowed-tools: Bash\n", "", []),
    ],
)
def test_an_approval_that_was_not_there(before: str, after: str, expected: list[Tool]) -> None:
    assert newly_approved(skill(before), skill(after)) == expected


def test_an_approval_of_everything() -> None:
    every = skill("allowed-tools: '*'\n", "copilot")
    assert newly_approved(skill("allowed-tools: Read\n", "copilot"), every) == [Tool.native("*")]
    assert newly_approved(every, every) == []


def test_an_approval_in_a_key_that_only_the_new_harness_reads_is_new() -> None:
    text = "allowed-tools: Bash\n"
    assert newly_approved(skill(text, "opencode"), skill(text)) == [SHELL]
    assert newly_approved(skill(text), skill("allowed-tools: Bash, Edit\n")) == [EDIT]
