"""Policies: the last matching rule wins, scopes hold a tool back, and what is wider than what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsagent_lint.model.policy import EVERYTHING, Action, Gain, Policy, PolicyRule, allow_only
from fsagent_lint.model.tool import Custom, Mcp, Tool

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
    policy = Policy(DENY, (PolicyRule(Mcp("db"), ALLOW), PolicyRule(Mcp("db", "drop"), DENY)))
    assert policy.action(Mcp("db", "query")) is ALLOW
    assert policy.action(Mcp("db", "drop")) is DENY
    assert policy.action(Mcp("web", "get")) is DENY


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


def test_a_tool_is_forbidden_if_it_is_denied_by_name_or_brings_a_new_risk() -> None:
    policy = Policy(DENY, (PolicyRule(EDIT, ALLOW), PolicyRule(SHELL, DENY)))
    assert policy.forbids(SHELL)
    assert policy.forbids(Tool("WebFetch"))
    assert not policy.forbids(EDIT)
    assert not policy.forbids(Tool("Write")), "writing is allowed anyway"
    assert not policy.forbids(READ), "reading harms nobody"


def test_named_tools_come_once_in_the_order_of_the_author() -> None:
    policy = Policy(
        DENY, (PolicyRule(EDIT, ALLOW), PolicyRule(None, DENY), PolicyRule(READ, ALLOW), PolicyRule(EDIT, DENY))
    )
    assert policy.named() == (EDIT, READ)


def test_an_allow_list_allows_its_tools_and_nothing_else() -> None:
    policy = allow_only([READ, READ, EDIT])
    assert policy.named() == (READ, EDIT)
    assert policy.action(SHELL) is DENY
    assert policy.action(Custom("x")) is DENY


# -------------------------------------------------------------------------------------------------- wider_than


def test_everything_is_wider_than_a_list_by_tools_that_nobody_named_too() -> None:
    gained = {str(gain.tool) for gain in EVERYTHING.wider_than(allow_only([READ]))}
    assert {"Shell", "Edit", "mcp:*/*", "custom:*"} <= gained
    assert "Read" not in gained


def test_a_list_is_not_wider_than_everything() -> None:
    assert allow_only([READ, SHELL]).wider_than(EVERYTHING) == ()


@pytest.mark.parametrize(
    ("mine", "theirs", "wider"), [(ALLOW, ASK, True), (ASK, DENY, True), (ASK, ALLOW, False), (DENY, ASK, False)]
)
def test_asking_stands_between_allowing_and_denying(mine: Action, theirs: Action, wider: bool) -> None:
    found = Policy(DENY, (PolicyRule(SHELL, mine),)).wider_than(Policy(DENY, (PolicyRule(SHELL, theirs),)))
    assert bool(found) is wider


def test_losing_a_scope_is_widening() -> None:
    scoped = Policy(DENY, (PolicyRule(SHELL, ALLOW, "git diff *"), PolicyRule(SHELL, ALLOW, "git log *")))
    assert allow_only([SHELL]).wider_than(scoped) == (Gain(SHELL, ("git diff *", "git log *")),)
    assert scoped.wider_than(allow_only([SHELL])) == ()


def test_losing_an_exception_is_widening() -> None:
    excepted = Policy(ALLOW, (PolicyRule(SHELL, DENY, "rm *"),))
    assert excepted.exceptions(SHELL) == ("rm *",)
    assert EVERYTHING.wider_than(excepted) == (Gain(SHELL, ("rm *",)),)
    assert excepted.wider_than(EVERYTHING) == ()


def test_a_tool_of_a_server_that_the_other_names_is_compared() -> None:
    whole, one = allow_only([Mcp("db")]), allow_only([Mcp("db", "query")])
    assert whole.wider_than(one) == (Gain(Mcp("db")),)
    assert one.wider_than(whole) == ()


def test_the_universe_adds_tools_to_compare() -> None:
    open_to_db = Policy(DENY, (PolicyRule(Mcp("*"), ALLOW),))
    gained = {gain.tool for gain in open_to_db.wider_than(allow_only([]), [Mcp("db", "query")])}
    assert Mcp("db", "query") in gained


TOOLS = st.sampled_from([READ, SHELL, EDIT, Mcp("db"), Mcp("db", "query"), Custom("x"), None])
POLICIES = st.builds(
    Policy,
    st.sampled_from(Action),
    st.lists(
        st.builds(PolicyRule, TOOLS, st.sampled_from(Action), st.sampled_from([None, "git *", "ls"])), max_size=5
    ).map(tuple),
)


@given(POLICIES)
def test_no_policy_is_wider_than_itself(policy: Policy) -> None:
    assert policy.wider_than(policy) == ()


@given(POLICIES)
def test_nothing_is_wider_than_everything_and_all_is_wider_than_nothing(policy: Policy) -> None:
    assert policy.wider_than(EVERYTHING) == ()
    assert Policy(DENY).wider_than(policy) == ()


@given(POLICIES, POLICIES)
def test_what_is_gained_is_really_allowed_to_a_greater_extent(one: Policy, other: Policy) -> None:
    for gain in one.wider_than(other):
        mine, theirs = one.action(gain.tool), other.action(gain.tool)
        assert mine.strength > theirs.strength or (gain.scopes and not one.scopes(gain.tool))
        assert mine is not DENY


@given(POLICIES, TOOLS)
def test_denying_a_tool_at_the_end_never_widens(policy: Policy, tool: Tool | None) -> None:
    assert policy._replace(rules=(*policy.rules, PolicyRule(tool, DENY))).wider_than(policy) == ()
