"""Check files one by one, for who wants each result as soon as it is known."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint._fast import NamedTuple
from fsagent_lint.linter import baseline
from fsagent_lint.linter.checker import check_target
from fsagent_lint.linter.run import Run, find_files, read_baseline
from fsagent_lint.model.result import Located, Problem, Result


class FileResult(NamedTuple):
    """What was found in one file."""

    path: str
    findings: tuple[Located, ...]
    errors: tuple[Problem, ...] = ()
    """Why it could not be checked."""


def check_each(run: Run) -> Iterator[FileResult]:
    """Each file as soon as it is checked; then those that cannot be found, or have findings about several files together."""
    known = read_baseline(run)
    scan = find_files(run)
    for target in scan.targets:
        result = Result()
        check_target(target, run.checker, result)
        yield FileResult(target.path, (*baseline.take_known(result.findings, known),), (*result.errors,))
    result = Result(errors=scan.errors)
    run.checker.check_project(result)
    for twin in scan.twins:
        run.checker.check_twin(twin, result)
    found = [*baseline.take_known(result.findings, known)]
    for path in dict.fromkeys([each.path for each in result.errors] + [each.path for each in found]):
        findings = (each for each in found if each.path == path)
        yield FileResult(path, (*findings,), (*(each for each in result.errors if each.path == path),))
