"""What a run found, with lines and columns: all that a reporter needs, and nothing that grows with file size."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

from fsagent_lint.findings import Finding


class Located(NamedTuple):
    """A finding in its file. Lines and columns are one-based; the end column is exclusive."""

    path: str
    harness: str
    kind: str
    line: int
    column: int
    end_line: int
    end_column: int
    source_line: str
    finding: Finding


class Problem(NamedTuple):
    """Something that kept the run from judging a file, or that went wrong with writing it."""

    path: str
    message: str


@dataclasses.dataclass
class Result:
    findings: list[Located] = dataclasses.field(default_factory=list)
    errors: list[Problem] = dataclasses.field(default_factory=list)
    files: int = 0
    fixed: int = 0
    """How many findings were fixed."""
    changed: list[str] = dataclasses.field(default_factory=list)
    """Paths that were rewritten, or would be."""
    assumed: dict[str, int] = dataclasses.field(default_factory=dict)
    """Harness to the number of files that were taken for its own by their content."""
    suppressed: int = 0
    """How many findings an inline comment, the config or a baseline silenced."""
    notes: list[str] = dataclasses.field(default_factory=list)
    """What the user should know about the run itself."""

    @property
    def exit_code(self) -> int:
        return 2 if self.errors else 1 if self.findings else 0
