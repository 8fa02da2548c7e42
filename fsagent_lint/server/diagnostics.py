"""Findings as diagnostics."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from lsprotocol import types as lsp

from fsagent_lint.linter.rule_page import address, repository
from fsagent_lint.model.finding import Finding, Related
from fsagent_lint.report.escape import MESSAGE, escape
from fsagent_lint.rules import Rule, all_rules
from fsagent_lint.server.buffers import uri_of
from fsagent_lint.server.workspace import View

SOURCE = "fsagent-lint"
_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}
_TAGS = {"deprecated": [lsp.DiagnosticTag.Deprecated], "unnecessary": [lsp.DiagnosticTag.Unnecessary]}


def diagnostics(view: View, findings: Iterable[Finding]) -> list[lsp.Diagnostic]:
    return [diagnostic(view, finding) for finding in findings]


def diagnostic(view: View, finding: Finding) -> lsp.Diagnostic:
    rule = _rules()[finding.name]
    link = _link(rule)
    return lsp.Diagnostic(
        range=view.buffer.positions.range(finding.span),
        message=escape(finding.message, MESSAGE),
        severity=_SEVERITIES[finding.severity],
        code=finding.name,
        code_description=lsp.CodeDescription(link) if link else None,
        source=SOURCE,
        tags=_TAGS.get(rule.tag),
        related_information=[_related(view, each) for each in finding.related] or None,
    )


def _related(view: View, related: Related) -> lsp.DiagnosticRelatedInformation:
    place = lsp.Position(related.line - 1, related.column - 1)
    location = lsp.Location(uri_of(view.workspace.absolute(related.path)), lsp.Range(place, place))
    return lsp.DiagnosticRelatedInformation(location, related.message)


@cache
def _rules() -> dict[str, Rule]:
    return {rule.name: rule for rule in all_rules()}


@cache
def _link(rule: Rule) -> str:
    where = _repository()
    return address(rule, where) if where else ""


@cache
def _repository() -> str:
    return repository()
