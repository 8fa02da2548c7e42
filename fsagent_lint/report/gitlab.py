"""GitLab's code quality report: every place, because GitLab compares the fingerprints of two branches."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.model.result import Result
from fsagent_lint.report import Report, limit_per_rule, see_rule
from fsagent_lint.report.escape import MESSAGE, escape, exact
from fsagent_lint.report.fingerprint import unique_ids
from fsagent_lint.report.json import Json, encode_lines

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def render(report: Report) -> str:
    return f"{encode_lines([*_findings(report), *_errors(report.result)])}\n"


def _findings(report: Report) -> Iterator[Json]:
    findings = limit_per_rule(report.result.findings)
    for located, id in zip(findings, unique_ids(findings), strict=True):
        finding = located.finding
        name, severity = f"{escape(finding.code)} {escape(finding.name)}", _SEVERITIES[finding.severity]
        message = f"{finding.message} {see_rule(finding, report.rules)}"
        yield _entry(name, message, id, severity, located.path, located.line, located.end_line)


def _errors(result: Result) -> Iterator[Json]:
    for number, problem in enumerate(result.errors, 1):
        id = f"error:{number}:{exact(problem.path)}"
        yield _entry("error", problem.message, id, "blocker", problem.path or ".", 1, 1)


def _entry(name: str, message: str, id: str, severity: str, path: str, line: int, end_line: int) -> Json:
    return {
        "description": escape(message, MESSAGE),
        "check_name": name,
        "fingerprint": id,
        "severity": severity,
        "location": {"path": exact(path), "lines": {"begin": line, "end": end_line}},
    }
