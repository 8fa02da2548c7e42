"""Factory: a list of names or one category; what it does not know is dropped."""

from __future__ import annotations

import pytest
from fixing import look, repair, reports

from fsagent_lint.converter.convert import convert_file
from fsagent_lint.harnesses.tables import get_harness

CATEGORIES = {
    "read-only": {"Read", "LS", "Grep", "Glob", "Execute"},
    "edit": {"Create", "Edit"},
    "execute": {"Execute"},
    "web": set[str](),
    "mcp": set[str](),
}


def file(rest: str) -> str:
    return f"---\nname: a\ndescription: d\n{rest}---\nPrompt.\n"


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_category_is_its_tools_and_skills(category: str) -> None:
    subject = look(file(f"tools: {category}\n").encode(), "factory")
    assert set(subject.effect.tools) == CATEGORIES[category] | {"Skill"}
    assert not subject.effect.open
    found = reports(repair(file(f"tools: {category}\n"), "factory"))
    assert [finding.name for finding in found] == (["wrong-mcp-form"] if category == "mcp" else [])


@pytest.mark.parametrize(
    ("value", "tools"),
    [
        ("[Read, Bash]", {"Read"}),
        ("[read]", set()),
        ("[read-only]", set()),
        ("[Read, Task]", {"Read"}),
        ("'Read, Grep'", {"Read", "Grep"}),
        ("all", set()),
        ("[ApplyPatch]", {"Create", "Edit"}),
        ("[]", set()),
    ],
)
def test_what_it_does_not_know_is_dropped(value: str, tools: set[str]) -> None:
    effect = look(file(f"tools: {value}\n").encode(), "factory").effect
    assert set(effect.tools) == tools | {"Skill"}
    assert not effect.open


@pytest.mark.parametrize("value", ["{Read: true}", "[Read, 3]", "[[Read]]", "3", "~"])
def test_what_is_not_a_list_of_names_grants_every_tool(value: str) -> None:
    assert look(file(f"tools: {value}\n").encode(), "factory").effect.open


@pytest.mark.parametrize("text", ["\ufeff---\ntools: [Read]\n---\nx\n", "--- \ntools: [Read]\n---\nx\n", "x\n"])
def test_without_a_fence_the_file_is_a_prompt(text: str) -> None:
    assert look(text.encode(), "factory").effect.open


def test_names_are_put_right() -> None:
    fixed = repair(file("tools: [Read, Bash, Write, WebFetch, grep]\n"), "factory")
    assert fixed.data.decode() == file("tools: [Read, Execute, Create, FetchUrl, Grep]\n")
    assert not fixed.left


def test_a_category_becomes_a_list_elsewhere() -> None:
    def converted(category: str, to: str) -> str:
        return convert_file(look(file(f"tools: {category}\n").encode(), "factory"), get_harness(to)).data.decode()

    assert converted("read-only", "claude-code") == file("tools: Read, Glob, Grep\n")
    assert "readonly: true" in converted("read-only", "cursor")
    assert "tools:\n  - read\n" in converted("read-only", "kiro")


def test_a_set_of_another_harness_becomes_a_list_here() -> None:
    result = convert_file(look(file("readonly: true\n").encode(), "cursor"), get_harness("factory"))
    assert result.data.decode() == file('tools: ["Read", "Grep", "Glob", "LS", "TodoWrite"]\nmodel: inherit\n')


def test_every_server_at_once_is_lost_where_it_can_only_be_denied() -> None:
    result = convert_file(look(file("tools: mcp\n").encode(), "factory"), get_harness("claude-code"))
    assert [loss.code for loss in result.losses] == ["lost-tool"]
    assert look(result.data, "claude-code").effect.tools == ()
