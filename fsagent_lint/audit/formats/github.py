"""Annotations of a pull request in GitHub Actions: what the policy forbids, and what agents gained.

The summary of the job is the audit in markdown.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.audit.facts import Audit
from fsagent_lint.audit.words import summary
from fsagent_lint.report import describe_problem
from fsagent_lint.report.escape import MESSAGE, escape
from fsagent_lint.report.github import command

_TITLE = "fsagent-lint audit"
MOST = 50
"""How many annotations are written; GitHub shows no more."""


def render(audit: Audit) -> str:
    lines = [*_annotations(audit)][:MOST]
    lines += [f"note: {escape(note, MESSAGE)}" for note in audit.notes]
    lines += [escape(line, MESSAGE) for line in summary(audit)]
    return "".join(f"{line}\n" for line in lines)


def _annotations(audit: Audit) -> Iterator[str]:
    for problem in audit.errors:
        yield command("error", describe_problem(problem), title=_TITLE, file=problem.path)
    for violation in audit.violations:
        if not violation.known:
            yield command("error", violation.message, title=_TITLE, file=violation.path, line=violation.line)
    for change in audit.comparison.changes if audit.comparison is not None else ():
        if change.gained:
            gained = ", ".join(f"{each.name} ({each.before} → {each.after})" for each in change.gained)
            message = f"In {change.harness}, `{change.name}` can do more: {gained}."
            yield command("notice", message, title=_TITLE, file=change.path)
