"""Output formats by name, each a pure function from a result to text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol, cast

from fsagent_lint._fast import NamedTuple
from fsagent_lint.model.finding import Finding
from fsagent_lint.model.result import Located, Problem, Result
from fsagent_lint.report.escape import MESSAGE, WIDTH, escape

REPORTERS = {
    "text": "fsagent_lint.report.text",
    "json": "fsagent_lint.report.json",
    "sarif": "fsagent_lint.report.sarif",
    "github": "fsagent_lint.report.github",
    "gitlab": "fsagent_lint.report.gitlab",
    "junit": "fsagent_lint.report.junit",
    "rdjson": "fsagent_lint.report.rdjson",
}
"""Name to module; a module is imported when it is needed."""

MAX_PER_FILE = 100
"""How many findings of one file the formats for people show."""
MAX_PER_RULE = 100
"""How many findings of one rule in one file the formats for programs hold; more could fill megabytes."""
MAX_ALIKE = 3
"""How many notes of one rule in one file the text format shows in full."""


class RuleInfo(NamedTuple):
    """A rule, as reports describe it."""

    code: str
    name: str
    summary: str
    help: str
    severity: str
    url: str = ""
    """The address of its page; empty if the package does not say where its repository is."""


class Report(NamedTuple):
    """A result and its display options; the formats for machines use only `result` and `rules`."""

    result: Result
    rules: Sequence[RuleInfo] = ()
    color: bool = False
    statistics: bool = False
    concise: bool = False
    quiet: bool = False
    diff: bool = False
    """Changes were shown, and not written."""
    width: int = WIDTH
    """How many columns of a source line fit."""
    columns: int = 0
    """The width of the terminal, in which messages are wrapped; 0: each stays on one line."""


class Reporter(Protocol):
    """The interface of the modules in `REPORTERS`."""

    def render(self, report: Report) -> str: ...


def render(
    name: str,
    result: Result,
    rules: Sequence[RuleInfo] = (),
    *,
    color: bool = False,
    statistics: bool = False,
    concise: bool = False,
    quiet: bool = False,
    diff: bool = False,
    width: int = WIDTH,
    columns: int = 0,
) -> str:
    """The report, with its final newline; empty if there is nothing to report."""
    from importlib import import_module

    reporter = cast(Reporter, import_module(REPORTERS[name]))
    return reporter.render(Report(result, rules, color, statistics, concise, quiet, diff, width, columns))


def see_rule(finding: Finding, rules: Sequence[RuleInfo]) -> str:
    """Where the rule of a finding is explained, as the last sentence of a message."""
    url = next((rule.url for rule in rules if rule.code == finding.code), "")
    return f"See {url or f'`fsagent-lint explain {escape(finding.name)}`'}."


def describe_problem(problem: Problem) -> str:
    """A problem in one line that is safe to print."""
    path = f"{escape(problem.shown_path)}: " if problem.shown_path else ""
    return f"{path}{escape(problem.message, MESSAGE)}"


def by_file(findings: Sequence[Located]) -> dict[str, list[Located]]:
    """The findings of each file, from top to bottom; files in the order of the run."""
    files: dict[str, list[Located]] = {}
    for located in findings:
        files.setdefault(located.path, []).append(located)
    for group in files.values():
        group.sort(key=lambda located: (located.line, located.column, located.finding.code))
    return files


def limit_per_rule(findings: Sequence[Located]) -> list[Located]:
    """The findings, with at most `MAX_PER_RULE` of one rule in one file."""
    seen: Counter[tuple[str, str]] = Counter()
    kept = []
    for located in findings:
        key = (located.path, located.finding.code)
        seen[key] += 1
        if seen[key] <= MAX_PER_RULE:
            kept.append(located)
    return kept
