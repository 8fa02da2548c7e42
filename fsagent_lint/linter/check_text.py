"""Check a text as the file that it is, or will be: standard input, or what an editor has not saved."""

from __future__ import annotations

from fsagent_lint.linter import fix_run
from fsagent_lint.linter.checker import check_target
from fsagent_lint.linter.fixer import fix_file
from fsagent_lint.linter.run import Checked, Run, add_notes, find_files, finished
from fsagent_lint.model.result import Result
from fsagent_lint.project.guard import guard
from fsagent_lint.project.target import Target
from fsagent_lint.report.diff import diff


def check_text(run: Run, path: str, data: bytes) -> Checked:
    """The findings that `data` would have in a file at this path, which need not exist.

    No file is counted if the config excludes the path, or if the text is not an agent's.
    """
    request, checker, result = run.request, run.checker, Result()
    scan = find_files(run, {path: data})
    output = data
    for target in scan.targets:
        if request.fix or request.diff:
            output = _fix(target, data, run, result)
        else:
            check_target(target, checker, result, data)
    checker.check_project(result)
    add_notes(result, scan, run)
    changes = diff(path, data, output) if request.diff and output != data else ""
    return Checked(finished(result, run, scan.targets), changes, output if request.fix else None)


def _fix(target: Target, data: bytes, run: Run, result: Result) -> bytes:
    """The fixed text."""
    result.files += 1
    fixed = None
    with guard(target.path, result.errors, "the reader"):
        fixed = fix_file(target, data, run.checker, run.request.safety)
        fix_run.record(fixed, target, result)
        run.checker.remember(fixed.subject, target)
    if fixed is None or fixed.data == data:
        return data
    result.changed.append(target.path)
    result.fixed = fixed.solved
    return fixed.data
