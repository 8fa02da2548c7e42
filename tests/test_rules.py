"""Every rule's examples: what is marked is reported, nothing else is, and the fix does what it says."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest

from fsagent_lint.discover import Beside, Discoverer
from fsagent_lint.document import Document
from fsagent_lint.edits import apply
from fsagent_lint.engine import Checker
from fsagent_lint.findings import Finding
from fsagent_lint.harness import get_harness
from fsagent_lint.profile import Profile, profile
from fsagent_lint.python_subject import read_module
from fsagent_lint.rule import Bad, Good, Rule, all_rules
from fsagent_lint.source import Source, Span
from fsagent_lint.subject import Goal, Subject
from fsagent_lint.unclear import UnclearSubject

MARK = re.compile("⟦([^⟦⟧]*)⟧")
RULES = all_rules()


def findings(rule: Rule, example: Good | Bad, text: str) -> tuple[list[Finding], Document]:
    path = example.path or f"example/{example.kind}.md"
    data = text.encode("utf-8", "surrogateescape")
    document = Document(Source(path, data))
    goal = Goal(get_harness(example.target) if example.target else None, example.form)
    with tempfile.TemporaryDirectory() as folder:
        beside = _on_disk(example, Path(folder))
        subject = Subject(document, get_harness(example.harness or "canonical"), example.kind, goal=goal, beside=beside)
        if not example.harness:
            subject = UnclearSubject(document)
        if example.kind == "python":
            subject = read_module("example/agents.py", data)
        return _findings(rule, example, subject), subject.document


def _on_disk(example: Good | Bad, folder: Path) -> Beside | None:
    for name, text in example.files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / ".git").mkdir()
    return Discoverer().beside(str(folder / "example.md")) if example.files else None


def _findings(rule: Rule, example: Good | Bad, subject: Subject) -> list[Finding]:
    # Whether a comment is unused shows only when the other rules have run.
    rules = [each for each in RULES if not each.opt_in] if rule.name == "unused-ignore" else [rule]
    found, _ = Checker(rules).check(subject)
    if rule.is_for_projects():
        others = [_beside(*other) for other in example.beside]
        found = [finding for _, finding in rule.check_project([each for each in (profile(subject), *others) if each])]
    return [each for each in found if each.code == rule.code]


def _beside(path: str, harness: str, text: str) -> Profile | None:
    document = Document(Source(path, unmark(text)[0].encode()))
    return profile(Subject(document, get_harness(harness), "agent"))


def unmark(text: str) -> tuple[str, list[Span]]:
    spans: list[Span] = []
    while match := MARK.search(text):
        text = text[: match.start()] + match[1] + text[match.end() :]
        spans.append(Span(match.start(), match.start() + len(match[1])))
    return text, spans


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
    fixed = document.source.to_bytes(apply(document.source.text, edits)).decode()
    assert fixed == example.fixed
    again, _ = findings(rule, example, fixed)
    assert again == []
