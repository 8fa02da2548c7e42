"""JUnit XML, for pages that list test results: people read them, so one problem is one test case.

Findings that fail the run are failures. The others are test cases that pass, and their message is their output.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.model.result import Located, Problem
from fsagent_lint.report import MAX_PER_FILE, Report, RuleInfo, by_file, see_rule
from fsagent_lint.report.condense import condense
from fsagent_lint.report.escape import LONGEST_PATH, MESSAGE, escape
from fsagent_lint.report.summary import count


class _Case(NamedTuple):
    name: str
    path: str
    line: int = 0
    outcome: str = ""
    """`failure` or `error`; empty if the test case passes."""
    type: str = ""
    message: str = ""

    def __str__(self) -> str:
        attributes = {"name": self.name, "classname": self.path or "fsagent-lint", "file": self.path}
        head = f"    <testcase{_attributes({**attributes, 'line': self.line or ''})}"
        if self.outcome:
            shown = f"<{self.outcome}{_attributes({'message': self.message, 'type': self.type})}/>"
        elif self.message:
            shown = f"<system-out>{_quote(self.message)}</system-out>"
        else:
            return f"{head}/>"
        return f"{head}>{shown}</testcase>"


def render(report: Report) -> str:
    result = condense(report).result
    failing = result.failing
    suites = {
        path: [*_cases(group, [located.finding.severity in failing for located in group], report.rules)]
        for path, group in by_file(result.findings).items()
    }
    for problem in result.errors:
        suites.setdefault(problem.path, []).append(_error(problem))
    if not suites:  # many programs take a report without test cases for a failed run
        suites[""] = [_Case(f"No problems in {count(result.files, 'file')}", "")]
    cases = [case for suite in suites.values() for case in suite]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="fsagent-lint"{_counts(cases)}>']
    for path, suite in suites.items():
        lines += [f"  <testsuite{_attributes({'name': _path(path) or 'fsagent-lint'})}{_counts(suite)}>"]
        lines += [*map(str, suite), "  </testsuite>"]
    return "".join(f"{line}\n" for line in (*lines, "</testsuites>"))


def _cases(group: list[Located], fails: list[bool], rules: Sequence[RuleInfo]) -> Iterator[_Case]:
    for located, is_failure in zip(group[:MAX_PER_FILE], fails, strict=False):
        finding = located.finding
        name = f"{escape(finding.code)} {escape(finding.name)} ({located.line}:{located.column})"
        message = f"{finding.severity}: {escape(finding.message, MESSAGE)} {see_rule(finding, rules)}"
        outcome = "failure" if is_failure else ""
        yield _Case(name, _path(located.path), located.line, outcome, escape(finding.name), message)
    if left := fails[MAX_PER_FILE:]:
        path, message = _path(group[0].path), f"{len(left):,} more in this file"
        yield _Case("more findings", path, 0, "failure" if any(left) else "", "more", message)


def _error(problem: Problem) -> _Case:
    return _Case("fsagent-lint", _path(problem.path), 0, "error", "error", escape(problem.message, MESSAGE))


def _counts(cases: Iterable[_Case]) -> str:
    outcomes = [case.outcome for case in cases]
    counts = {"tests": len(outcomes), "failures": outcomes.count("failure"), "errors": outcomes.count("error")}
    return _attributes({**counts, "time": 0})


def _attributes(values: dict[str, object]) -> str:
    return "".join(f' {name}="{_quote(str(value))}"' for name, value in values.items() if value != "")


def _quote(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _path(path: str) -> str:
    return escape(path, LONGEST_PATH)
