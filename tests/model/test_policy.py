"""Policies: the last matching rule wins, scopes hold a tool back, and what is wider than what."""

from __future__ import annotations

from fsagent_lint.model.policy import Action, Policy, PolicyRule, allow_only
from fsagent_lint.model.tool import Tool

ALLOW, ASK, DENY = Action.ALLOW, Action.ASK, Action.DENY
READ, SHELL, EDIT = Tool("Read"), Tool("Shell"), Tool("Edit")


def test_the_last_rule_that_matches_wins() -> None:
    policy = Policy(ALLOW, (PolicyRule(SHELL, DENY), PolicyRule(SHELL, ASK)))
    assert policy.action(SHELL) is ASK
    assert policy.action(READ) is ALLOW


def test_a_rule_for_every_tool_overrides_what_stands_before_it() -> None:
    assert Policy(ALLOW, (PolicyRule(SHELL, ALLOW), PolicyRule(None, DENY))).action(SHELL) is DENY
    assert Policy(ALLOW, (PolicyRule(None, DENY), PolicyRule(SHELL, ALLOW))).action(SHELL) is ALLOW


def test_a_rule_for_a_server_counts_for_its_tools() -> None:
    policy = Policy(DENY, (PolicyRule(Tool.mcp("db"), ALLOW), PolicyRule(Tool.mcp("db", "drop"), DENY)))
    assert policy.action(Tool.mcp("db", "query")) is ALLOW
    assert policy.action(Tool.mcp("db", "drop")) is DENY
    assert policy.action(Tool.mcp("web", "get")) is DENY


def test_a_scoped_permission_makes_a_tool_usable_in_part() -> None:
    policy = Policy(DENY, (PolicyRule(SHELL, ALLOW, "git diff *"), PolicyRule(SHELL, ASK, "git push *")))
    assert policy.action(SHELL) is ALLOW
    assert policy.scopes(SHELL) == ("git diff *", "git push *")


def test_a_scoped_denial_takes_nothing_away_as_a_whole() -> None:
    policy = Policy(ALLOW, (PolicyRule(SHELL, DENY, "rm *"),))
    assert policy.action(SHELL) is ALLOW
    assert policy.scopes(SHELL) == ()


def test_a_rule_without_a_scope_forgets_the_scopes_before_it() -> None:
    policy = Policy(DENY, (PolicyRule(SHELL, ALLOW, "git *"), PolicyRule(SHELL, ALLOW)))
    assert policy.scopes(SHELL) == ()
    policy = Policy(
        DENY, (PolicyRule(SHELL, ALLOW, "git *"), PolicyRule(SHELL, DENY), PolicyRule(SHELL, ALLOW, "ls *"))
    )
    assert policy.scopes(SHELL) == ("ls *",)


def test_what_is_decided_use_by_use_begins_with_the_general_case() -> None:
    policy = Policy(
        ALLOW,
        (PolicyRule(SHELL, ALLOW, "git *"), PolicyRule(SHELL, ASK, "git push *"), PolicyRule(SHELL, DENY, "rm *")),
    )
    assert policy.patterns(SHELL) == (("*", ALLOW), ("git *", ALLOW), ("git push *", ASK), ("rm *", DENY))
    assert policy.patterns(READ) == ()


def test_a_scope_that_is_said_again_counts_where_it_is_said_last() -> None:
    policy = Policy(DENY, (PolicyRule(SHELL, ALLOW, "a"), PolicyRule(SHELL, ALLOW, "b"), PolicyRule(SHELL, ASK, "a")))
    assert policy.patterns(SHELL) == (("*", DENY), ("b", ALLOW), ("a", ASK))


def test_named_tools_come_once_in_the_order_of_the_author() -> None:
    policy = Policy(
        DENY, (PolicyRule(EDIT, ALLOW), PolicyRule(None, DENY), PolicyRule(READ, ALLOW), PolicyRule(EDIT, DENY))
    )
    assert policy.named() == (EDIT, READ)


def test_an_allow_list_allows_its_tools_and_nothing_else() -> None:
    policy = allow_only([READ, READ, EDIT])
    assert policy.named() == (READ, EDIT)
    assert policy.action(SHELL) is DENY
    assert policy.action(Tool.custom("x")) is DENY
