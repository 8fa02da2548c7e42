"""Output formats by name, each a pure function from a result to text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol, cast

from fsagent_lint._fast import NamedTuple
from fsagent_lint.model.result import Located, Result
from fsagent_lint.report.escape import WIDTH

REPORTERS = {
    "text": "fsagent_lint.report.text",
    "json": "fsagent_lint.report.json",
    "sarif": "fsagent_lint.report.sarif",
    "github": "fsagent_lint.report.github",
}
"""Name to module; loaded when asked for."""

MAX_PER_FILE = 100
"""How many findings of one file people are shown."""
MAX_PER_RULE = 100
"""How many findings of one rule in one file programs are told of; a file of nothing else would make megabytes."""
MAX_ALIKE = 3
"""How many notes of one rule in one file people are shown at length."""


class RuleInfo(NamedTuple):
    """What a report says about a rule itself."""

    code: str
    name: str
    summary: str
    help: str
    severity: str


class Report(NamedTuple):
    """A result, and how people like to see it; the formats for machines look at the first two only."""

    result: Result
    rules: Sequence[RuleInfo] = ()
    color: bool = False
    statistics: bool = False
    concise: bool = False
    quiet: bool = False
    diff: bool = False
    """Changes were shown, not made."""
    width: int = WIDTH
    """How many columns of a source line there is room for."""


class Reporter(Protocol):
    """What a module named in `REPORTERS` has."""

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
) -> str:
    """The report, with its final newline; empty where there is nothing to say."""
    from importlib import import_module

    reporter = cast(Reporter, import_module(REPORTERS[name]))
    return reporter.render(Report(result, rules, color, statistics, concise, quiet, diff, width))


def by_file(findings: Sequence[Located]) -> dict[str, list[Located]]:
    """The findings of each file, from its top to its bottom; files in the order of the run."""
    files: dict[str, list[Located]] = {}
    for located in findings:
        files.setdefault(located.path, []).append(located)
    for group in files.values():
        group.sort(key=lambda located: (located.line, located.column, located.finding.code))
    return files


def without_floods(findings: Sequence[Located]) -> list[Located]:
    """The findings, but for those of one rule in one file beyond the first so many."""
    seen: Counter[tuple[str, str]] = Counter()
    kept = []
    for located in findings:
        key = (located.path, located.finding.code)
        seen[key] += 1
        if seen[key] <= MAX_PER_RULE:
            kept.append(located)
    return kept
