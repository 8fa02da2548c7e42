"""What a finding is known by when lines come and go: for baselines and SARIF."""

from __future__ import annotations

import hashlib
from pathlib import PurePath

from fsagent_lint._fast import NamedTuple
from fsagent_lint.model.result import Located
from fsagent_lint.report.escape import exact


class Fingerprint(NamedTuple):
    """A finding without its line number: it stays known when other lines come and go."""

    path: str
    code: str
    line: str
    """A hash of the source line, blanks aside."""


def fingerprint(located: Located) -> Fingerprint:
    text = " ".join(located.source_line.split())
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return Fingerprint(exact(PurePath(located.path).as_posix()), exact(located.finding.code), digest[:16])
