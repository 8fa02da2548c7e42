"""Every rule's examples, checked, reported and fixed as a user's files are."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.report import render
from fsagent_lint.rules import Bad, Good, Rule, all_rules
from fsagent_lint.testing import check_example, fix_example, messages, unmark

RULES = all_rules()


def examples(kind: type) -> list[object]:
    return [
        pytest.param(rule, example, id=f"{rule.name}-{number}")
        for rule in RULES
        for number, example in enumerate(rule.examples)
        if isinstance(example, kind)
    ]


def test_there_are_rules() -> None:
    assert len(RULES) >= 35
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_complete(rule: Rule) -> None:
    assert type(rule).__module__ == f"fsagent_lint.rules.{rule.name.replace('-', '_')}"
    assert any(isinstance(example, Good) for example in rule.examples)
    assert any(isinstance(example, Bad) for example in rule.examples)
    assert len(set(rule.examples)) == len(rule.examples)
    assert rule.summary.endswith(".")
    assert "## Why" in (rule.__doc__ or "")
    assert ("## Fix safety" in (rule.__doc__ or "")) == rule.fixable


@pytest.mark.parametrize(("rule", "example"), examples(Good))
def test_good_examples_are_clean(rule: Rule, example: Good) -> None:
    result = check_example(rule, example)
    assert (result.findings, result.errors) == ([], [])


@pytest.mark.parametrize(("rule", "example"), examples(Bad))
def test_bad_examples_are_reported_where_they_are_marked(rule: Rule, example: Bad) -> None:
    marked = [example.text, *(other for _, _, other in example.neighbours)]
    places = [place(text, span) for text, spans in map(unmark, marked) for span in spans]
    assert places, "mark what is to be reported"
    result = check_example(rule, example)
    assert result.errors == []
    found: list[dict[str, Any]] = json.loads(render("json", result))["findings"]
    assert [(each["line"], each["column"], each["end_line"], each["end_column"]) for each in found] == places
    assert {each["code"] for each in found} == {rule.code}
    text = render("text", result)
    line, column = places[0][:2]
    assert f":{line}:{column}: {found[0]['severity']} {rule.code} [{rule.name}]" in text


def place(text: str, span: Span) -> tuple[int, int, int, int]:
    """One-based lines and columns, counted here in the plainest way; a byte order mark is not a character."""
    lines = [
        text[:offset].removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n") for offset in span
    ]
    return (len(lines[0]), len(lines[0][-1]) + 1, len(lines[1]), len(lines[1][-1]) + 1)


@pytest.mark.parametrize(("rule", "example"), examples(Bad))
def test_fixes_do_what_the_example_says(rule: Rule, example: Bad) -> None:
    fixed, left = fix_example(rule, example)
    if example.fixed is None:
        assert not [located for located in left.findings if located.finding.fix], "show the fix in the example"
        assert fixed == unmark(example.text)[0]
        return
    assert fixed == example.fixed
    assert left.errors == []
    assert check_example(rule, example, fixed).findings == []


@pytest.mark.parametrize(("rule", "example"), examples(Bad))
def test_what_a_page_says_about_an_example_is_what_users_see(rule: Rule, example: Bad) -> None:
    assert messages(rule, example)
