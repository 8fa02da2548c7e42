"""One problem, one finding: what reports for people show instead of every place."""

from __future__ import annotations

from copy import copy

from fsagent_lint.model.result import Located
from fsagent_lint.report import Report

_MOST = 8
"""How many places of one problem are named."""


def condense(report: Report) -> Report:
    """The same report, in which a problem with several places is one finding, at the first of them."""
    groups: dict[object, list[Located]] = {}
    for number, located in enumerate(report.result.findings):
        groups.setdefault(_problem(located) or number, []).append(located)
    result = copy(report.result)
    result.findings = [_merge(group) if len(group) > 1 else group[0] for group in groups.values()]
    return report._replace(result=result)


def _problem(located: Located) -> object:
    """Findings that are equal in this are one problem; None if the finding stands alone."""
    finding = located.finding
    if finding.group is None:
        return None
    return finding.code, finding.severity, finding.group.title, finding.group.across_files or located.path


def _merge(places: list[Located]) -> Located:
    first = places[0]
    files = len({located.path for located in places})
    if files == 1:
        message = _list_items(places)
    else:
        message = f"{first.finding.message} Also in {files - 1:,} more {'file' if files == 2 else 'files'}."
    fix = first.finding.fix
    if fix is not None:
        fixes = [located.finding.fix for located in places if located.finding.fix]
        title, safety = f"Fix all {len(places)}", min(each.safety for each in fixes)
        fix = fix._replace(title=title, safety=safety) if len(fixes) == len(places) else None
    return first._replace(finding=first.finding._replace(message=message, fix=fix))


def _list_items(places: list[Located]) -> str:
    groups = [located.finding.group for located in places if located.finding.group is not None]
    items = list(dict.fromkeys(group.item for group in groups if group.item))
    more = f" and {len(items) - _MOST:,} more" if len(items) > _MOST else ""
    return f"{groups[0].title}: {', '.join(items[:_MOST])}{more}." if items else places[0].finding.message
