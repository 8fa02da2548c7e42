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
    place = {"line": located.line, "endLine": located.end_line}
    if located.line == located.end_line:  # otherwise GitHub refuses columns
        place |= {"col": located.column, "endColumn": located.end_column}
    title, message = f"{finding.code} {finding.name}", f"{finding.message} {see_rule(finding, rules)}"
    return command(_COMMANDS[finding.severity], message, title, located.path, **place)


def _error(problem: Problem) -> str:
    shown = problem.shown_path
    message = f"{escape(shown)}: {problem.message}" if shown else problem.message
    return command("error", message, "fsagent-lint", problem.path)


def command(name: str, message: str, title: str, file: str = "", **place: int) -> str:
    """A workflow command: `error`, `warning` or `notice`, with text that is escaped here."""
    path = {"file": escape_github_property(file, LONGEST_PATH)} if file else {}
    properties = {**path, **place, "title": escape_github_property(title)}
    pairs = ",".join(f"{key}={value}" for key, value in properties.items())
    return f"::{name} {pairs}::{escape_github_data(message)}"
