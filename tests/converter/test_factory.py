"""Factory: a list of names or one category, and nothing that it does not know."""

from __future__ import annotations

import pytest
from fixing import RULES, look, repair, reports

from fsagent_lint.converter.convert import convert_file
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.finding import Consequence

CATEGORIES = {
    "read-only": {"Read", "LS", "Grep", "Glob"},
    "edit": {"Create", "Edit", "ApplyPatch"},
    "execute": {"Execute"},
    "web": {"WebSearch", "FetchUrl"},
    "mcp": set[str](),
}


def file(rest: str) -> str:
    return f"---\nname: a\ndescription: d\n{rest}---\nPrompt.\n"


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_category_is_its_tools_and_a_list_of_things_to_do(category: str) -> None:
    subject = look(file(f"tools: {category}\n").encode(), "factory")
    assert set(subject.effect.tools) == CATEGORIES[category] | {"TodoWrite"}
    assert not subject.effect.open
    assert reports(repair(file(f"tools: {category}\n"), "factory")) == []


@pytest.mark.parametrize(
    "value", ["[Read, Bash]", "[read]", "[read-only]", "[Read, Task]", "'Read, Grep'", "{Read: true}"]
)
def test_what_keeps_a_droid_from_loading(value: str) -> None:
    subject = look(file(f"tools: {value}\n").encode(), "factory")
    assert not subject.effect.loads
    found = [finding for rule in RULES for finding in rule.check(subject)]
    assert {finding.consequence for finding in found} == {Consequence.REFUSED}


def test_names_are_put_right() -> None:
    fixed = repair(file("tools: [Read, Bash, Write, WebFetch, grep]\n"), "factory")
    assert fixed.data.decode() == file("tools: [Read, Execute, Create, FetchUrl, Grep]\n")
    assert not fixed.left


def test_editing_brings_patches() -> None:
    assert {"Edit", "ApplyPatch"} <= set(look(file("tools: [Edit]\n").encode(), "factory").effect.tools)


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
