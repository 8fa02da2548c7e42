"""A whole audit: the check of a project, the facts about each agent, delegation, the policy and the comparison."""

from __future__ import annotations

from collections.abc import Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.subject import Subject
from fsagent_lint.audit.changes import changes, mark_known, without_known
from fsagent_lint.audit.collect import entries_of
from fsagent_lint.audit.delegation import with_delegation
from fsagent_lint.audit.facts import Audit, Comparison, Entry, Remark
from fsagent_lint.audit.policy import Policy, read_policy, violations
from fsagent_lint.errors import UserError
from fsagent_lint.files.paths import absolute, relative, to_posix
from fsagent_lint.linter.run import CopyFinder, Request, check, prepare, start_run
from fsagent_lint.model.result import Located
from fsagent_lint.project.settings import Settings
from fsagent_lint.project.target import UNWATCHED, Target, Watch


class Before(NamedTuple):
    """What an audit is compared with."""

    since: str
    entries: Sequence[Entry]
    findings: Sequence[Remark]
    notes: tuple[str, ...] = ()


def audit(
    request: Request,
    watch: Watch = UNWATCHED,
    find_copies: CopyFinder | None = None,
    before: Before | None = None,
) -> Audit:
    """`before`: what to compare with; a revision of the request would only leave out the files that did not change."""
    if "-" in request.paths:
        raise UserError("An audit reads files and folders, not standard input.")
    settings = start_run(request.config, plugins=request.plugins)
    policy = read_policy(settings)
    found: list[Entry] = []

    def observe(target: Target, subject: Subject) -> None:
        found.extend(entries_of(target, subject))

    run = prepare(request, find_copies)
    run.checker.observe = observe
    result = check(run, watch).result
    entries, cycles = with_delegation(sorted(found, key=lambda entry: (entry.path, entry.line, entry.name)))
    entries, rest = _beside(entries, [_remark(located) for located in result.findings])
    done = Audit(
        entries=tuple(entries),
        errors=tuple(result.errors),
        findings=tuple(rest),
        notes=tuple(result.notes),
        cycles=tuple(cycles),
        violations=tuple(violations(policy, entries, _folder(settings))),
        failing=result.failing,
    )
    return done if before is None else _compared(done, before, policy, _folder(settings))


def _folder(settings: Settings) -> str:
    """The current folder, relative to that of the config."""
    return relative(absolute("."), to_posix(settings.folder)) or ""


def _remark(located: Located) -> Remark:
    finding = located.finding
    return Remark(
        located.path, located.line, finding.code, finding.name, finding.severity, located.harness, finding.message
    )


def _beside(entries: Sequence[Entry], remarks: Sequence[Remark]) -> tuple[list[Entry], list[Remark]]:
    """The entries with their findings, and the findings that belong to none: of several agents in a file, by the line."""
    by_path: dict[str, list[Remark]] = {}
    for remark in remarks:
        by_path.setdefault(remark.path, []).append(remark)
    done = []
    for entry in entries:
        left = by_path.get(entry.path, [])
        mine = [remark for remark in left if entry.line <= remark.line <= entry.end_line]
        by_path[entry.path] = [remark for remark in left if remark not in mine]
        done.append(entry._replace(findings=tuple(mine)))
    return done, [remark for left in by_path.values() for remark in left]


def _compared(done: Audit, before: Before, policy: Policy, folder: str) -> Audit:
    known = list(violations(policy, before.entries, folder))
    comparison = Comparison(
        before.since,
        tuple(changes(before.entries, done.entries)),
        without_known(done.all_findings, before.findings),
        before.notes,
    )
    return done._replace(violations=tuple(mark_known(done.violations, known)), comparison=comparison)
