"""Fix many files: read, fix, prove, write, or show what would be written."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import NamedTuple

from fsagent_lint.engine import Checker, locate
from fsagent_lint.escape import escape
from fsagent_lint.files import UnreadableError
from fsagent_lint.findings import Safety
from fsagent_lint.fixer import Fixed, fix
from fsagent_lint.result import Problem, Result
from fsagent_lint.source import Source
from fsagent_lint.target import Target
from fsagent_lint.write import Snapshot, UnwritableError, replace, take

_LINE = 2000
"""How much of a line a diff shows."""


class FixRun(NamedTuple):
    result: Result
    diff: str


def run(targets: Iterable[Target], checker: Checker, wanted: Safety, *, write: bool) -> FixRun:
    """One file after another; whatever goes wrong with one is an error, and the run goes on."""
    result, diffs = Result(), []
    for target in targets:
        try:
            snapshot = take(target.path)
        except (UnreadableError, UnwritableError, OSError) as error:
            result.errors.append(Problem(target.path, str(error)))
            continue
        result.files += 1
        fixed = fix(target, snapshot.data, checker, wanted)
        changes = fixed.data != snapshot.data
        if changes and write and (problem := _write(snapshot, fixed.data)):
            result.errors.append(Problem(target.path, problem))
            checker.judge(target, snapshot.data, result)
            continue
        if changes:
            result.changed.append(target.path)
            result.fixed += len(fixed.fixed)
            diffs.append(diff(target.path, snapshot.data, fixed.data))
        record(fixed, target, result)
        checker.remember(fixed.subject)
    checker.judge_project(result)
    return FixRun(result, "".join(diffs))


def _write(snapshot: Snapshot, data: bytes) -> str:
    try:
        replace(snapshot, data)
    except UnwritableError as error:
        return str(error)
    return ""


def record(fixed: Fixed, target: Target, result: Result) -> None:
    """What is left to say about a file."""
    source = fixed.subject.document.source
    result.suppressed += fixed.silenced
    result.findings += [locate(finding, target, before) for finding, before in fixed.told]
    result.findings += [locate(finding, target, source) for finding in fixed.left]
    result.errors += [Problem(target.path, error) for error in fixed.errors]
    if target.assumed:
        result.assumed[target.harness] = result.assumed.get(target.harness, 0) + 1


def diff(path: str, before: bytes, after: bytes) -> str:
    """A unified diff, safe to print; of the heads alone where the bodies are equal."""
    old, new = Source(path, before), Source(path, after)
    same = before[old.body :] == after[new.body :]
    texts = (old.text, new.text) if same else (before.decode("utf-8", "replace"), after.decode("utf-8", "replace"))
    lines = difflib.unified_diff(
        _lines(texts[0]), _lines(texts[1]), f"a/{escape(path)}", f"b/{escape(path)}", n=2, lineterm=""
    )
    return "".join(f"{line}\n" for line in lines)


def _lines(text: str) -> list[str]:
    return [escape(line, _LINE) for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
