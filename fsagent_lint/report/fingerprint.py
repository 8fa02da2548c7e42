"""The identity of a finding, independent of line numbers: for baselines and SARIF."""

from __future__ import annotations

import hashlib
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


@lru_cache(maxsize=16)  # thousands of findings may be on one long line
def _digest(line: str) -> str:
    return hashlib.sha256(" ".join(line.split()).encode("utf-8", "surrogatepass")).hexdigest()[:16]
