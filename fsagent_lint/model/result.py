"""The result of a run, with lines and columns: all that a reporter needs, but nothing that grows with file size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from fsagent_lint._fast import NamedTuple
from fsagent_lint.model.finding import SEVERITIES, Finding, Severity


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
    """Why a file could not be checked or written."""

    path: str
    message: str
    traceback: str = ""
    """Only for an internal error; its message already names the file."""

    @property
    def shown_path(self) -> str:
        """The path to print before the message; empty if the message needs none."""
        return "" if self.traceback else self.path


def internal_error(path: str, where: str, error: BaseException) -> Problem:
    """A bug, reported as a problem of the file that triggered it."""
    from traceback import format_exception

    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    message = f"internal error in {where} on {path or 'the project'}: {what}, please report it"
    return Problem(path, message, "".join(format_exception(error)))


COMMENTS, CONFIG, BASELINE = "comments", "per-file-ignores", "the baseline"
"""What suppresses findings. Rules that are ignored everywhere are not run, so their findings are not known."""


class Result:
    """The findings and counts of a run, filled in as it proceeds.

    `fixed`: how many findings were, or would be, fixed in the `changed` paths. `assumed`: harness to the number of files
    attributed to it by their content. `suppressed`: how many findings comments, the config and the baseline suppressed.
    `unchecked`: how many other files look like agents. `notes`: what the user should know about the run itself.
    `fail_on`: the mildest severity that fails the run. `changed_since`: the revision, if only files that changed since
    then were to be checked.
    """

    def __init__(
        self,
        findings: Iterable[Located] = (),
        errors: Iterable[Problem] = (),
        files: int = 0,
        fixed: int = 0,
        changed: Iterable[str] = (),
        assumed: Mapping[str, int] | None = None,
        suppressed: Mapping[str, int] | None = None,
        notes: Iterable[str] = (),
        fail_on: Severity = "warning",
        unchecked: int = 0,
        changed_since: str = "",
    ) -> None:
        self.findings, self.errors, self.notes = [*findings], [*errors], [*notes]
        self.files, self.fixed, self.suppressed = files, fixed, Counter(suppressed or {})
        self.unchecked = unchecked
        self.changed, self.assumed = [*changed], {**(assumed or {})}
        self.fail_on, self.changed_since = fail_on, changed_since

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and vars(self) == vars(other)

    def __repr__(self) -> str:
        return f"Result({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    @property
    def exit_code(self) -> int:
        if self.errors:
            return 2
        failing = self.failing
        return int(any(located.finding.severity in failing for located in self.findings))

    @property
    def failing(self) -> tuple[Severity, ...]:
        """The severities that fail the run."""
        return SEVERITIES[: SEVERITIES.index(self.fail_on) + 1]
