"""Known findings, so that an existing repository can adopt the linter and only see new ones."""

import json
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from copy import copy
from pathlib import Path, PurePath
from typing import Literal

from fsagent_lint._fast import Record
from fsagent_lint.errors import DataError
from fsagent_lint.files.border import UnreadableError, UnwritableError
from fsagent_lint.files.read import is_folder, read_file
from fsagent_lint.files.write import create
from fsagent_lint.model.result import BASELINE, Located, Result
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
    known = Counter(map(fingerprint, result.findings))
    entries = [json.dumps({**key._asdict(), "count": known[key]}) for key in sorted(known)]
    body = ",".join(f"\n  {entry}" for entry in entries)
    folder = os.path.dirname(path) or "."
    if not is_folder(folder):
        raise DataError(f"{escape(str(path))}: no such folder to write it into")
    try:
        create(str(path), f'{{"version": 1, "findings": [{body}\n]}}\n'.encode())
    except UnwritableError as error:
        raise DataError(f"{escape(str(path))}: the baseline {error}") from None


def read(path: str | Path, root: str | None = None) -> Counter[Fingerprint]:
    """`root`: the folder that the file must not leave, by default the project that it lies in."""
    where = escape(str(path))
    try:
        data = json.loads(read_file(str(path), root=root))
    except UnreadableError as error:
        raise DataError(f"{where}: not a baseline: {error}") from None
    except (ValueError, RecursionError):
        raise DataError(f"{where}: the baseline is not JSON; write it again") from None
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
    new = [*take_known(result.findings, left)]
    paths = None if checked is None else {exact(PurePath(path).as_posix()) for path in checked}
    stale = sum(number for known, number in left.items() if paths is None or known.path in paths)
    rest = copy(result)
    rest.suppressed = result.suppressed + Counter({BASELINE: len(result.findings) - len(new)})
    rest.findings = new
    return rest, stale


def take_known(findings: Iterable[Located], baseline: Counter[Fingerprint]) -> Iterator[Located]:
    """The findings that are new; the baseline loses those that are known."""
    for located in findings:
        known = fingerprint(located)
        if baseline[known] > 0:
            baseline[known] -= 1
        else:
            yield located
