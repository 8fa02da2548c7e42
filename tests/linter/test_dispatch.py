"""The choice of rules for a file saves time, and nothing else: no rule that has something to say is left out."""

from __future__ import annotations

import pytest

from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import get_harness, harness_ids
from fsagent_lint.linter.checker import Checker
from fsagent_lint.linter.dispatch import Dispatch, is_garbled
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.project.target import Target
from fsagent_lint.rules import Bad, Good, all_rules
from fsagent_lint.testing import unmark

RULES = all_rules()
DISPATCH = Dispatch(RULES)
TEXTS = sorted(
    {unmark(example.text)[0] for rule in RULES for example in rule.examples if isinstance(example, Good | Bad)}
)


@pytest.mark.parametrize("harness", [get_harness(id) for id in harness_ids()], ids=lambda harness: harness.id)
def test_every_rule_that_speaks_is_asked(harness: Harness) -> None:
    spoke = 0
    for kind in harness.kinds:
        for text in TEXTS:
            subject = Subjects().read(f"some/{kind}.md", text.encode("utf-8", "surrogateescape"), harness, kind)
            for part in subject.parts:
                if is_garbled(part):
                    continue  # only rules about files are asked: what looks like a value may not be one
                fit = [rule for rule in RULES if part.sort in rule.sorts]
                speaking = {rule.name for rule in fit if any(rule.check(part))}
                assert speaking <= {rule.name for rule in DISPATCH.rules_for(part)}, text
                spoke += len(speaking)
    assert spoke > 100


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: a\ndescription: d\ntools: Read, You are an expert\n\nYou never change files.\n",
        "---\nname: a\ndescription: d\ntools:\n  - Raed\n  You are an expert\n---\n",
        "---\nname: a\ndescription: d\ntools: Raed\nYou are: [an expert\n---\n",
    ],
)
def test_tools_are_not_judged_where_nobody_can_tell_what_they_are(text: str) -> None:
    checker = Checker(RULES)
    findings, _ = checker.check(checker.subject(Target("a.md", "claude-code", "agent", False), text.encode()))
    assert {finding.code[:3] for finding in findings} == {"FA0"}
