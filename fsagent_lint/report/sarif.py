"""SARIF 2.1.0, for code scanning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from urllib.parse import quote

from fsagent_lint import __version__
from fsagent_lint._fast import pattern
from fsagent_lint.model.finding import SEVERITIES, Fix
from fsagent_lint.model.result import Located, Result
from fsagent_lint.report import Report, RuleInfo, limit_per_rule
from fsagent_lint.report.escape import MESSAGE, escape, exact
from fsagent_lint.report.fingerprint import unique_ids
from fsagent_lint.report.json import Json, encode

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MAX_RESULTS = 5000
"""GitHub shows at most this many results of one upload, the most severe ones first."""

_LINK = pattern(r"\[(?=[^\[\]]*\]\()")
_NOT_BYTES = pattern("[\ud800-\udc7f\udd00-\udfff]")
_PLACEHOLDER = pattern(r"\{(?=\d+\})")


def render(report: Report) -> str:
    result = report.result
    findings = limit_per_rule(result.findings)
    if len(findings) > MAX_RESULTS:
        findings = sorted(findings, key=lambda located: SEVERITIES.index(located.finding.severity))[:MAX_RESULTS]
    known = _with_unlisted(report.rules, findings)
    index = {rule.code: number for number, rule in enumerate(known)}
    driver = {"name": "fsagent-lint", "version": __version__, "rules": [_rule(rule) for rule in known]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not result.errors,
                "exitCode": result.exit_code,
                "toolExecutionNotifications": [*_notifications(result, len(result.findings) - len(findings))],
            }
        ],
        "results": [*_results(findings, index)],
    }
    return encode({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def uri(path: str) -> str:
    """A relative reference for a relative path; bytes that are not UTF-8 stay as they are in the file name."""
    pure = PurePath(path)
    errors = "surrogatepass" if _NOT_BYTES.search(path) else "surrogateescape"
    data = pure.as_posix().encode("utf-8", errors)
    return f"file:///{quote(data, safe='/:').lstrip('/')}" if pure.is_absolute() else quote(data)


def _with_unlisted(rules: Sequence[RuleInfo], findings: Sequence[Located]) -> list[RuleInfo]:
    known = {rule.code: rule for rule in rules}
    for located in findings:
        finding = located.finding
        known.setdefault(finding.code, RuleInfo(finding.code, finding.name, "", "", finding.severity))
    return list(known.values())


def _rule(rule: RuleInfo) -> Json:
    summary = rule.summary or rule.name
    why = rule.help.partition("## Why\n")[2].partition("\n## ")[0]
    entry: Json = {
        "id": escape(rule.code),
        "name": escape(rule.name),
        "shortDescription": {"text": _text(summary)},
        "fullDescription": {"text": _text(" ".join([summary, *why.split()]))},
        "help": {"text": exact(rule.help or summary), "markdown": exact(rule.help or summary)},
        "defaultConfiguration": {"level": rule.severity},
    }
    return {**entry, "helpUri": rule.url} if rule.url else entry


def _results(findings: Sequence[Located], index: dict[str, int]) -> Iterator[Json]:
    for located, id in zip(findings, unique_ids(findings), strict=True):
        finding = located.finding
        entry: Json = {
            "ruleId": escape(finding.code),
            "ruleIndex": index[finding.code],
            "level": finding.severity,
            "message": {"text": _text(finding.message)},
            "locations": [{"physicalLocation": {"artifactLocation": _artifact(located), "region": _region(located)}}],
            "partialFingerprints": {"primaryLocationLineHash": id},
        }
        if finding.fix:
            entry["fixes"] = [_fix(located, finding.fix)]
        yield entry


def _artifact(located: Located) -> Json:
    return {"uri": uri(located.path)}


def _region(located: Located) -> Json:
    return {
        "startLine": located.line,
        "startColumn": located.column,
        "endLine": located.end_line,
        "endColumn": located.end_column,
    }


def _fix(located: Located, fix: Fix) -> Json:
    replacements = [
        {
            "deletedRegion": {"charOffset": edit.span.start, "charLength": edit.span.end - edit.span.start},
            "insertedContent": {"text": exact(edit.text)},
        }
        for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(located), "replacements": replacements}
    return {"description": {"text": _text(fix.title)}, "artifactChanges": [change]}


def _notifications(result: Result, omitted: int) -> Iterator[Json]:
    for problem in result.errors:
        notification: Json = {"level": "error", "message": {"text": _text(problem.message)}}
        if problem.path:
            notification["locations"] = [{"physicalLocation": {"artifactLocation": {"uri": uri(problem.path)}}}]
        yield notification
    for note in result.notes:
        yield {"level": "note", "message": {"text": _text(note)}}
    if omitted:
        yield {"level": "warning", "message": {"text": f"{omitted} results were left out."}}


def _text(text: str) -> str:
    """A message as literal text: a link or a placeholder in it would come from the checked file."""
    return _PLACEHOLDER.sub("{{", _LINK.sub(r"\\[", escape(text, MESSAGE)))
