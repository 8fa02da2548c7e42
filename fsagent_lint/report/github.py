"""Workflow commands that GitHub Actions shows as annotations of a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsagent_lint.model.result import Located, Problem
from fsagent_lint.report import MAX_PER_FILE, Report, RuleInfo, by_file, see_rule
from fsagent_lint.report.condense import condense
from fsagent_lint.report.escape import (
    LONGEST_PATH,
    MESSAGE,
    escape,
    escape_github_data,
    escape_github_property,
    escape_place,
)
from fsagent_lint.report.summary import summarize

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(report: Report) -> str:
    report = condense(report)
    lines = [*_annotations(report)]
    if not report.quiet:
        lines += [f"note: {escape(note, MESSAGE)}" for note in report.result.notes]
    lines += summarize(report)
    return "".join(f"{line}\n" for line in lines)


def _annotations(report: Report) -> Iterator[str]:
    result = report.result
    for path, group in by_file(result.findings).items():
        for located in group[:MAX_PER_FILE]:
            yield _annotation(located, report.rules)
        if len(group) > MAX_PER_FILE:
            yield f"{escape_place(path)}: and {len(group) - MAX_PER_FILE:,} more in this file"
    for problem in result.errors:
        yield _error(problem)


def _annotation(located: Located, rules: Sequence[RuleInfo]) -> str:
    finding = located.finding
    properties = {"file": _path(located.path), "line": located.line, "endLine": located.end_line}
    if located.line == located.end_line:  # otherwise GitHub refuses columns
        properties |= {"col": located.column, "endColumn": located.end_column}
    properties["title"] = escape_github_property(f"{finding.code} {finding.name}")
    return _command(_COMMANDS[finding.severity], properties, f"{finding.message} {see_rule(finding, rules)}")


def _error(problem: Problem) -> str:
    properties: dict[str, object] = {"file": _path(problem.path)} if problem.path else {}
    shown = problem.shown_path
    message = f"{escape(shown)}: {problem.message}" if shown else problem.message
    return _command("error", properties | {"title": "fsagent-lint"}, message)


def _command(name: str, properties: dict[str, object], message: str) -> str:
    pairs = ",".join(f"{key}={value}" for key, value in properties.items())
    return f"::{name} {pairs}::{escape_github_data(message)}"


def _path(path: str) -> str:
    return escape_github_property(path, LONGEST_PATH)
