"""What a rule says about an example: for its page, and for the tests."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from fsagent_lint.agent.lists.subject import read_list
from fsagent_lint.agent.profile import Profile, profile
from fsagent_lint.agent.python.subject import read_module
from fsagent_lint.agent.subject import Goal, Subject, UnclearSubject
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source, Span
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.linter.checker import Checker
from fsagent_lint.model.finding import Finding
from fsagent_lint.project.discover import Discoverer
from fsagent_lint.project.neighbours import ProjectNeighbours
from fsagent_lint.rules import Bad, Good, Rule, all_rules

__all__ = ["findings", "messages", "unmark"]

_MARK = re.compile("⟦([^⟦⟧]*)⟧")


def messages(rule: Rule, example: Bad) -> list[str]:
    found, _ = findings(rule, example, unmark(example.text)[0])
    return list(dict.fromkeys(finding.message for finding in found))


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
        elif subject.harness.kinds[example.kind].under:
            subject = read_list(path, data, subject.harness, example.kind, goal=goal)
        return _findings(rule, example, subject), subject.document


def unmark(text: str) -> tuple[str, list[Span]]:
    """The text without its marks, and what they enclosed."""
    spans: list[Span] = []
    while match := _MARK.search(text):
        text = text[: match.start()] + match[1] + text[match.end() :]
        spans.append(Span(match.start(), match.start() + len(match[1])))
    return text, spans


def _on_disk(example: Good | Bad, folder: Path) -> ProjectNeighbours | None:
    for name, text in example.files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / ".git").mkdir()
    return Discoverer().beside(str(folder / "example.md")) if example.files else None


def _findings(rule: Rule, example: Good | Bad, subject: Subject) -> list[Finding]:
    # Whether a comment is unused shows only when the other rules have run.
    rules = [each for each in all_rules() if not each.opt_in] if rule.name == "unused-ignore" else [rule]
    found, _ = Checker(rules).check(subject)
    if rule.is_for_projects():
        others = [_beside(*other) for other in example.beside]
        found += [finding for _, finding in rule.check_project([each for each in (profile(subject), *others) if each])]
    return [each for each in found if each.code == rule.code]


def _beside(path: str, harness: str, text: str) -> Profile | None:
    document = Document(Source(path, unmark(text)[0].encode()))
    return profile(Subject(document, get_harness(harness), "agent"))
