"""The diagnostic format of reviewdog: every place, because reviewdog shows only those in changed lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsagent_lint.model.result import Located, Result
from fsagent_lint.report import Report, RuleInfo, limit_per_rule, see_rule
from fsagent_lint.report.escape import MESSAGE, escape, exact
from fsagent_lint.report.json import Json, encode, encode_lines

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}


def render(report: Report) -> str:
    source = encode({"name": "fsagent-lint"})
    diagnostics = [_diagnostic(each, report.rules) for each in limit_per_rule(report.result.findings)]
    diagnostics += _errors(report.result)
    return f'{{"source": {source},\n "diagnostics": {encode_lines(diagnostics)}}}\n'


def _diagnostic(located: Located, rules: Sequence[RuleInfo]) -> Json:
    finding = located.finding
    url = next((rule.url for rule in rules if rule.code == finding.code), "")
    hint = "" if url else f" {see_rule(finding, ())}"
    diagnostic: Json = {
        "message": f"[{escape(finding.name)}] {escape(finding.message, MESSAGE)}{hint}",
        "location": {"path": exact(located.path), "range": _range(located)},
        "severity": _SEVERITIES[finding.severity],
        "code": {"value": escape(finding.code), **({"url": url} if url else {})},
    }
    if suggestion := _suggestion(located):
        diagnostic["suggestions"] = [suggestion]
    return diagnostic


def _range(located: Located) -> Json:
    """Whole lines if there are several: the columns of the last one would have to be counted in its bytes."""
    if located.line != located.end_line:
        return {"start": {"line": located.line}, "end": {"line": located.end_line}}
    return _columns(located, located.column, located.end_column)


def _columns(located: Located, start: int, end: int) -> Json:
    return {"start": _position(located, start), "end": _position(located, end)}


def _position(located: Located, column: int) -> Json:
    """Reviewdog counts the bytes of UTF-8."""
    before = located.source_line[: column - 1]
    return {"line": located.line, "column": len(before.encode("utf-8", "surrogatepass")) + 1}


def _suggestion(located: Located) -> Json | None:
    """The fix, if it is one edit on the line of the finding; reviewdog would offer several edits one by one."""
    fix = located.finding.fix
    if fix is None or len(fix.edits) != 1:
        return None
    ((span, text),) = fix.edits
    start = located.column + span.start - located.finding.span.start
    end = start + span.end - span.start
    if start < 1 or end > len(located.source_line) + 1:
        return None
    return {"range": _columns(located, start, end), "text": exact(text)}


def _errors(result: Result) -> Iterator[Json]:
    for problem in result.errors:
        yield {
            "message": escape(problem.message, MESSAGE),
            "location": {"path": exact(problem.path)},
            "severity": "ERROR",
        }
