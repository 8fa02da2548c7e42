"""The report for programs: version 1, with the same shape for every result and every set of options."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from fsagent_lint.model.finding import Fix
from fsagent_lint.model.result import Located
from fsagent_lint.report import Report, limit_per_rule
from fsagent_lint.report.escape import MESSAGE, escape, escape_json, exact

Json = dict[str, object]

VERSION = 1


def render(report: Report) -> str:
    """One finding per line, so that reports can be compared and searched line by line.

    `summary.findings` counts them all; `omitted` of them are not listed. `unchecked`: other files that look like agents.
    """
    result = report.result
    listed = limit_per_rule(result.findings)
    findings = encode_lines(map(_finding, listed))
    errors = encode_lines(
        {"path": exact(problem.path), "message": escape(problem.message, MESSAGE)} for problem in result.errors
    )
    counts = {"files": result.files, "findings": len(result.findings), "fixed": result.fixed}
    omitted = {"omitted": len(result.findings) - len(listed), "unchecked": result.unchecked}
    summary = encode({**counts, **omitted})
    return f'{{"version": {VERSION},\n "findings": {findings},\n "errors": {errors},\n "summary": {summary}}}\n'


def encode(value: object) -> str:
    """JSON in printable ASCII, without commands for CI runners."""
    return escape_json(json.dumps(value, ensure_ascii=True))


def encode_lines(values: Iterable[Json]) -> str:
    """A list with one value per line."""
    return "[" + ",".join(f"\n  {encode(value)}" for value in values) + "]"


def _finding(located: Located) -> Json:
    finding = located.finding
    return {
        "path": exact(located.path),
        "line": located.line,
        "column": located.column,
        "end_line": located.end_line,
        "end_column": located.end_column,
        "code": escape(finding.code),
        "name": escape(finding.name),
        "severity": finding.severity,
        "consequence": finding.consequence.value,
        "harness": escape(located.harness),
        "kind": escape(located.kind),
        "message": escape(finding.message, MESSAGE),
        "fix": _fix(finding.fix) if finding.fix else None,
    }


def _fix(fix: Fix) -> Json:
    return {
        "title": escape(fix.title, MESSAGE),
        "safety": fix.safety.name.lower(),
        "edits": [{"start": edit.span.start, "end": edit.span.end, "text": exact(edit.text)} for edit in fix.edits],
    }


def to_json(value: Mapping[str, Any]) -> str:
    """ASCII without the placeholders that OpenCode substitutes before it parses the JSON."""
    import json

    text = escape_json(json.dumps(value, indent=2, allow_nan=False))
    return re.sub(r"\{(?=(?:env|file):)", r"\\u007b", text) + "\n"
