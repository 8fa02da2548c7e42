"""Kiro: categories in the place of tools, names of three generations, and permissions that nobody else understands."""

from __future__ import annotations

import pytest
from fixing import look, repair, reports

from fsagent_lint.converter.convert import convert_file
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.finding import Consequence
from fsagent_lint.model.tool import ACCEPT_ALL

DENYING = "permissions:\n  - capability: shell\n    effect: deny\n    match: ['rm *']\n"
APPROVING = "permissions:\n  - capability: shell\n    effect: allow\n"


def file(rest: str) -> str:
    return f"---\ndescription: d\n{rest}---\nPrompt.\n"


@pytest.mark.parametrize(
    ("entry", "natives"),
    [("read", {"read"}), ("'@builtin'", {"read", "write", "shell", "web", "subagent"}), ("fs_write", {"write"})],
)
def test_categories(entry: str, natives: set[str]) -> None:
    result = look(file(f"tools: [{entry}]\n").encode(), "kiro").effect
    assert set(result.tools) == natives
    assert not result.open


def test_names_of_older_generations_become_categories() -> None:
    fixed = repair(file("tools: [fs_read, executeBash, '@db/query', '@mcp']\n"), "kiro")
    assert fixed.data.decode() == file("tools: [read, shell, '@db/query', '@mcp']\n")


def test_two_names_do_not_become_one_category_without_a_question() -> None:
    fixed = repair(file("tools: [fs_read, grep, executeBash]\n"), "kiro")
    assert fixed.data.decode() == file("tools: [fs_read, grep, shell]\n")


def test_names_of_others_become_categories() -> None:
    fixed = repair(file("tools: [Read, Bash]\n"), "kiro")
    assert fixed.data.decode() == file("tools: [read, shell]\n")
    assert {finding.name for finding in reports(repair(file("tools: [frobnicate]\n"), "kiro"))} == {"unknown-tool"}


def test_to_kiro_and_back() -> None:
    claude = "---\nname: a\ndescription: d\ntools: Read, Grep, Bash, mcp__db__query\n---\nPrompt.\n"
    there = convert_file(look(claude.encode(), "claude-code"), get_harness("kiro"))
    assert there.path == ".kiro/agents/a.md"
    assert there.data.decode() == (
        '---\nname: a\ndescription: d\ntools:\n  - read\n  - shell\n  - "@db/query"\n---\nPrompt.\n'
    )
    back = convert_file(look(there.data, "kiro"), get_harness("claude-code"))
    names = [item.name for value in look(back.data, "claude-code").values for item in value.items]
    assert names == ["Read", "Glob", "Grep", "Bash", "mcp__db__query"]


@pytest.mark.parametrize("target", ["claude-code", "opencode", "copilot"])
def test_what_permissions_deny_is_not_lost_on_the_way(target: str) -> None:
    subject = look(file("tools: [read, shell]\n" + DENYING).encode(), "kiro")
    refused = convert_file(subject, get_harness(target))
    assert "`permissions` denies some of shell" in refused.error
    assert not refused.data
    written = repair(file("tools: [read, shell]\n" + DENYING), "kiro", target)
    assert written.data.decode() == file("tools: [read, shell]\n" + DENYING)
    assert "`permissions` denies some of shell" in reports(written)[0].message
    accepted = convert_file(subject, get_harness(target), accept=ACCEPT_ALL)
    assert not accepted.error
    assert [loss.consequence for loss in accepted.losses if loss.code == "widened"][:1] == [Consequence.STYLE]


def test_what_is_excluded_is_not_granted_on_the_way() -> None:
    subject = look(file("tools: [read, write]\nexcludedTools: [fs_write]\n").encode(), "kiro")
    refused = convert_file(subject, get_harness("claude-code"))
    assert "`excludedTools` denies some of fs_write" in refused.error
    assert not refused.data
    nothing = look(file("tools: [read, write]\nexcludedTools: []\n").encode(), "kiro")
    assert not convert_file(nothing, get_harness("claude-code")).error


def test_permissions_that_only_approve_are_left_out_with_a_word() -> None:
    result = convert_file(look(file("tools: [read]\n" + APPROVING).encode(), "kiro"), get_harness("opencode"))
    assert not result.error
    assert [loss.code for loss in result.losses] == ["lost-field"]
    assert convert_file(look(file("tools: [read]\n" + DENYING).encode(), "kiro"), get_harness("kiro")).error == ""
