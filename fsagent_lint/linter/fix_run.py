"""Fix many files: read, fix, prove, and write, or show what would be written."""

from __future__ import annotations

import os
from collections.abc import Iterable

from fsagent_lint._fast import NamedTuple
from fsagent_lint.files.border import Border, UnwritableError
from fsagent_lint.files.write import Snapshot, read_snapshot, remove_leftovers, replace
from fsagent_lint.linter.checker import Checker, locate
from fsagent_lint.linter.fixer import Fixed, fix_file
from fsagent_lint.model.finding import Safety
from fsagent_lint.model.result import Problem, Result
from fsagent_lint.project.guard import guard
from fsagent_lint.project.target import Target
from fsagent_lint.report.diff import diff


class FixRun(NamedTuple):
    result: Result
    diff: str


def fix_files(targets: Iterable[Target], checker: Checker, wanted: Safety, *, write: bool) -> FixRun:
    """Fix one file after another."""
    result, diffs, border = Result(), [], Border()
    for target in targets:
        with guard(target.path, result.errors, "the reader"):
            snapshot = read_snapshot(target.file, border)
            if write:
                remove_leftovers(os.path.dirname(snapshot.path))
            result.files += 1
            fixed = fix_file(target, snapshot.data, checker, wanted)
            changes = fixed.data != snapshot.data
            if changes and write and (problem := _write(snapshot, fixed.data)):
                result.errors.append(Problem(target.path, problem))
                checker.check_file(target, snapshot.data, result)
                continue
            if changes:
                result.changed.append(target.path)
                result.fixed += fixed.solved
                diffs += [diff(target.path, snapshot.data, fixed.data)] if not write else []
            record(fixed, target, result)
            checker.remember(fixed.subject, target)
    checker.check_project(result)
    return FixRun(result, "".join(diffs))


def _write(snapshot: Snapshot, data: bytes) -> str:
    try:
        replace(snapshot, data)
    except UnwritableError as error:
        return str(error)
    return ""


def record(fixed: Fixed, target: Target, result: Result) -> None:
    """Add what remains to be reported about a file."""
    source = fixed.subject.document.source
    result.suppressed += fixed.suppressed
    result.findings += [locate(finding, target, before) for finding, before in fixed.lost]
    result.findings += [locate(finding, target, source) for finding in fixed.left]
    result.errors += [Problem(target.path, error) for error in fixed.errors]
    if target.assumed:
        result.assumed[target.harness] = result.assumed.get(target.harness, 0) + 1
