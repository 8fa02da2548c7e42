"""Every rule's examples: what is marked is reported, nothing else is, and the fix does what it says."""

from __future__ import annotations

import pytest

from fsagent_lint.frontmatter.edits import apply_edits
from fsagent_lint.rules import Bad, Good, Rule, all_rules
from fsagent_lint.testing import findings, unmark

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
    found, _ = findings(rule, example, example.text)
    assert found == []


@pytest.mark.parametrize(("rule", "example"), examples(Bad))
def test_bad_examples_are_reported_where_they_are_marked(rule: Rule, example: Bad) -> None:
    text, spans = unmark(example.text)
    spans += [span for _, _, other in example.beside for span in unmark(other)[1]]
    assert spans, "mark what is to be reported"
    found, _ = findings(rule, example, text)
    assert [finding.span for finding in found] == spans


@pytest.mark.parametrize(("rule", "example"), examples(Bad))
def test_fixes_do_what_the_example_says(rule: Rule, example: Bad) -> None:
    text, _ = unmark(example.text)
    found, document = findings(rule, example, text)
    edits = [edit for finding in found if finding.fix for edit in finding.fix.edits]
    if example.fixed is None:
        assert not [finding.fix for finding in found if finding.fix], "show the fix in the example"
        return
    fixed = document.source.to_bytes(apply_edits(document.source.text, edits)).decode()
    assert fixed == example.fixed
    again, _ = findings(rule, example, fixed)
    assert again == []
