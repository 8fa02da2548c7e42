"""The identity of a finding, independent of line numbers: for baselines, SARIF and GitLab."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import PurePath

from fsagent_lint._fast import NamedTuple
from fsagent_lint.model.result import Located
from fsagent_lint.report.escape import exact


class Fingerprint(NamedTuple):
    """A finding without its line number, so that it stays the same when other lines are added or removed."""

    path: str
    code: str
    line: str
    """A hash of the source line, with whitespace normalised."""


def fingerprint(located: Located) -> Fingerprint:
    return Fingerprint(
        exact(PurePath(located.path).as_posix()), exact(located.finding.code), _digest(located.source_line)
    )


def unique_ids(findings: Iterable[Located]) -> Iterator[str]:
    """An id for each finding; findings with the same fingerprint are numbered."""
    seen: Counter[Fingerprint] = Counter()
    for located in findings:
        known = fingerprint(located)
        seen[known] += 1
        yield f"{hashlib.sha256(chr(0).join(known).encode()).hexdigest()[:16]}:{seen[known]}"


@lru_cache(maxsize=16)  # thousands of findings may be on one long line
def _digest(line: str) -> str:
    return hashlib.sha256(" ".join(line.split()).encode("utf-8", "surrogatepass")).hexdigest()[:16]
