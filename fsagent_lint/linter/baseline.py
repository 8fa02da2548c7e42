"""Known findings, so that an existing repository can adopt the linter and only see new ones."""

import json
from collections import Counter
from collections.abc import Collection
from copy import copy
from pathlib import Path, PurePath
from typing import Literal

from fsagent_lint._fast import Record
from fsagent_lint.errors import DataError
from fsagent_lint.files.read import UnreadableError, read_file
from fsagent_lint.model.result import Result
from fsagent_lint.model.schema import load_record
from fsagent_lint.report.escape import escape, exact
from fsagent_lint.report.fingerprint import Fingerprint, fingerprint


class _Entry(Record):
    path: str
    code: str
    line: str
    count: int


class _File(Record):
    version: Literal[1]
    findings: tuple[_Entry, ...]


def write(path: str | Path, result: Result) -> None:
    """Record every finding of the result as known; one entry per line, so that merges are easy."""
    if Path(path).is_symlink():
        raise DataError(f"{escape(str(path))}: the baseline is a symbolic link, which may lead anywhere")
    known = Counter(map(fingerprint, result.findings))
    entries = [json.dumps({**key._asdict(), "count": known[key]}) for key in sorted(known)]
    body = ",".join(f"\n  {entry}" for entry in entries)
    Path(path).write_text(f'{{"version": 1, "findings": [{body}\n]}}\n', encoding="utf-8", newline="\n")


def read(path: str | Path) -> Counter[Fingerprint]:
    where = escape(str(path))
    try:
        data = json.loads(read_file(str(path)))
    except UnreadableError as error:
        raise DataError(f"{where}: the baseline {error}") from None
    except (ValueError, RecursionError):
        raise DataError(f"{where}: the baseline is not JSON; write it anew") from None
    known: Counter[Fingerprint] = Counter()
    for number, entry in enumerate(load_record(_File, data, where).findings):
        if entry.count < 1:
            raise DataError(f"{where}.findings[{number}].count: expected a number above 0, got {entry.count}")
        known[Fingerprint(entry.path, entry.code, entry.line)] += entry.count
    return known


def without_known(
    result: Result, baseline: Counter[Fingerprint], checked: Collection[str] | None = None
) -> tuple[Result, int]:
    """The result without the known findings, and how many known ones are gone (only in the `checked` paths, if set)."""
    left = baseline.copy()
    new = []
    for located in result.findings:
        known = fingerprint(located)
        if left[known] > 0:
            left[known] -= 1
        else:
            new.append(located)
    paths = None if checked is None else {exact(PurePath(path).as_posix()) for path in checked}
    stale = sum(number for known, number in left.items() if paths is None or known.path in paths)
    rest = copy(result)
    rest.suppressed += len(result.findings) - len(new)
    rest.findings = new
    return rest, stale
