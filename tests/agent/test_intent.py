"""What the author of a file meant, whatever the harness makes of it."""

from __future__ import annotations

import pytest

from fsagent_lint.agent.intent import Intent
from fsagent_lint.agent.subject import Context, Subject
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.policy import Action
from fsagent_lint.model.tool import Tool


def intent(
    yaml: str, harness: str = "claude-code", kind: str = "agent", servers: frozenset[str] = frozenset()
) -> Intent:
    document = Document(Source("a.md", f"---\nname: a\ndescription: d\n{yaml}\n---\n".encode()))
    return Subject(document, get_harness(harness), kind, Context(servers)).intent


def meant(yaml: str, harness: str = "claude-code", kind: str = "agent") -> str:
    """The intent in one line: what happens to the tools that are named, and to all others."""
    policy = intent(yaml, harness, kind).policy
    named = [f"{policy.action(tool)} {tool}" for tool in policy.named()]
    return ", ".join([*named, f"{policy.default} others"])


# ------------------------------------------------------------------------------------------- lists and nothing


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        ("", "allow others"),
        ("tools: Read, Grep", "allow Read, allow Grep, deny others"),
        ("tools: [Read, Grep]", "allow Read, allow Grep, deny others"),
        ("tools: Read Grep", "allow Read, allow Grep, deny others"),
        ("tools: []", "deny others"),
        ("tools: ''", "deny others"),
        ("tools: '*'", "allow others"),
        ("tools: ['*', Read]", "allow Read, allow others"),
        ("disallowedTools: Bash", "deny Shell, allow others"),
        ("tools: '*'\ndisallowedTools: Bash", "deny Shell, allow others"),
        ("tools: Read, TodoWrite", "allow Read, allow TodoWrite, allow TodoRead, deny others"),
    ],
)
def test_a_list_is_all_there_is_and_no_list_is_everything(yaml: str, expected: str) -> None:
    assert meant(yaml) == expected


@pytest.mark.parametrize(
    "yaml", ["tools: Read, Bash\ndisallowedTools: Bash", "disallowedTools: Bash\ntools: Read, Bash"]
)
def test_a_denial_wins_over_a_permission_wherever_it_stands(yaml: str) -> None:
    assert meant(yaml) == "allow Read, deny Shell, deny others"


@pytest.mark.parametrize("text", ["", "~", "null"])
def test_a_key_without_a_value_most_likely_means_no_tools(text: str) -> None:
    found = intent(f"tools: {text}")
    assert found.policy.default is Action.DENY
    assert "empty" in found.guess


# -------------------------------------------------------------------------------------------------------- maps


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        ("tools: {bash: false, webfetch: true}", "deny Shell, allow WebFetch, allow others"),
        ("tools: {bash: false}", "deny Shell, allow others"),
        ("tools: {bash: no}", "deny Shell, allow others"),
        ("tools: {bash: ask}", "ask Shell, allow others"),
        ("tools: {'*': false, grep: true}", "allow Grep, deny others"),
        ("tools: {grep: true, '*': false}", "allow Grep, deny others"),
        ("tools: {}", "allow others"),
        ("permission: {bash: ask, webfetch: deny}", "ask Shell, deny WebFetch, allow others"),
        ("permission: {bash: allow}", "allow Shell, allow others"),
        ("permission: deny", "deny others"),
        ("permission: ask", "ask others"),
    ],
)
def test_a_map_with_a_denial_is_rules_over_everything(yaml: str, expected: str) -> None:
    assert meant(yaml, "opencode") == expected
    assert intent(yaml, "opencode").guess == ""


def test_a_map_of_nothing_but_true_was_most_likely_meant_as_a_list() -> None:
    assert meant("tools: {grep: true, bash: true}", "opencode") == "allow Grep, allow Shell, deny others"
    assert "only enables tools" in intent("tools: {grep: true}", "opencode").guess


def test_a_map_means_the_same_where_the_harness_takes_lists_only() -> None:
    assert meant("tools: {Grep: true, Bash: false}") == "allow Grep, deny Shell, allow others"
    assert meant("tools: {Grep: true}") == "allow Grep, deny others"


def test_a_value_that_is_no_switch_says_nothing() -> None:
    assert meant("tools: {bash: maybe, webfetch: false}", "opencode") == "deny WebFetch, allow others"


@pytest.mark.parametrize("order", ["'*': deny, 'git *': allow", "'git *': allow, '*': deny"])
def test_a_narrow_rule_is_an_exception_to_the_wide_one_in_any_order(order: str) -> None:
    policy = intent(f"permission: {{bash: {{{order}}}}}", "opencode").policy
    assert policy.action(Tool("Shell")) is Action.ALLOW
    assert policy.scopes(Tool("Shell")) == ("git *",)


# ------------------------------------------------------------------------------------------ scopes, names, keys


def test_a_scope_holds_a_tool_back_even_where_the_harness_ignores_it() -> None:
    policy = intent("tools: Read, Bash(git diff:*)").policy
    assert policy.scopes(Tool("Shell")) == ("git diff:*",)
    assert policy.scopes(Tool("Read")) == ()


def test_a_scoped_denial_leaves_the_rest_of_the_tool() -> None:
    policy = intent("disallowedTools: Bash(rm:*)").policy
    assert policy.action(Tool("Shell")) is Action.ALLOW
    policy = intent("permission:\n  bash:\n    rm *: deny", "opencode").policy
    assert policy.exceptions(Tool("Shell")) == ("rm *",)


@pytest.mark.parametrize("name", ["bash", "BASH", "runInTerminal", "execute", "Shell", "KillBash(x), Bash"])
def test_names_of_other_harnesses_and_other_cases_mean_what_they_say(name: str) -> None:
    assert intent(f"tools: [{name}]").policy.action(Tool("Shell")) is Action.ALLOW


def test_a_removed_name_means_what_it_stood_for() -> None:
    assert meant("tools: MultiEdit, LS") == "allow Edit, allow List, deny others"


def test_names_that_nobody_knows_are_custom_tools() -> None:
    assert intent("tools: Read, deploy").policy.named() == (Tool("Read"), Tool.custom("deploy"))


def test_mcp_tools_are_recognised_in_any_notation() -> None:
    assert intent("tools: mcp__db__query, web/*").policy.named() == (Tool.mcp("db", "query"), Tool.mcp("web"))
    known = intent("permission: {db_query: deny}", "opencode", servers=frozenset({"db"}))
    assert known.policy.named() == (Tool.mcp("db", "query"),)


@pytest.mark.parametrize(
    ("harness", "yaml", "expected"),
    [
        ("claude-code", "allowed-tools: Grep", "allow Grep, deny others"),
        ("claude-code", "permission: {bash: deny}", "deny Shell, allow others"),
        ("opencode", "disallowedTools: Bash", "deny Shell, allow others"),
        ("copilot", "disallowedTools: [Bash]", "deny Shell, allow others"),
        ("copilot", "tools: [grep]\ndisallowedTools: [Bash]", "allow Grep, deny Shell, deny others"),
    ],
)
def test_a_key_that_means_nothing_here_still_says_what_was_meant(harness: str, yaml: str, expected: str) -> None:
    assert meant(yaml, harness) == expected


def test_a_misplaced_key_does_not_add_to_the_right_one() -> None:
    assert meant("tools: Grep\nallowed-tools: Bash") == "allow Grep, deny others"


def test_approving_in_advance_restricts_nothing() -> None:
    assert meant("allowed-tools: Read", kind="skill") == "allow others"
    assert meant("allowed-tools: Read\ndisallowed-tools: Bash", kind="skill") == "deny Shell, allow others"


def test_a_file_with_broken_yaml_still_has_an_intent() -> None:
    assert meant("model: a: b\ntools: Grep, Bash") == "allow Grep, allow Shell, deny others"


RULES = (
    "permissions:\n  - {action: '*', resource: '*', effect: deny}\n  - {action: read, resource: '*', effect: allow}\n"
)


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        (RULES, "allow Read, allow List, allow McpResources, deny others"),
        ("permissions: [{action: bash, resource: '*', effect: deny}]", "deny Shell, allow others"),
        ("permissions: [{capability: shell, effect: ask}]", "ask Shell, allow others"),
    ],
)
def test_a_list_of_rules_says_what_its_rules_say(yaml: str, expected: str) -> None:
    assert meant(yaml, "opencode") == expected


def test_a_rule_limits_its_tool_to_each_of_its_scopes() -> None:
    shell = Tool("Shell")
    one = "permissions: [{action: '*', effect: deny}, {action: bash, resource: 'git *', effect: allow}]"
    assert intent(one, "opencode").policy.scopes(shell) == ("git *",)
    two = "permissions: [{action: '*', effect: deny}, {capability: shell, match: ['ls *', 'cat *'], effect: allow}]"
    assert intent(two, "opencode").policy.scopes(shell) == ("ls *", "cat *")


@pytest.mark.parametrize("allowed", ["permission: {bash: allow}", "permission: {bash: ask}"])
def test_of_two_keys_about_one_tool_the_denial_counts(allowed: str) -> None:
    for yaml in (f"tools: {{bash: false}}\n{allowed}", f"{allowed}\ntools: {{bash: false}}"):
        assert intent(yaml, "opencode").policy.action(Tool("Shell")) is Action.DENY


def test_uses_that_a_second_key_allows_are_exceptions_to_a_denial() -> None:
    yaml = "tools: {bash: false}\npermission: {bash: {'git *': allow}}"
    assert intent(yaml, "opencode").policy.scopes(Tool("Shell")) == ("git *",)
