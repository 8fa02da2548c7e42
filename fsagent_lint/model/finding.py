"""What the linter reports: findings with a consequence, and fixes made of edits."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Literal

from fsagent_lint._fast import NamedTuple
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.nodes import Span

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
"""The gravest first."""


class Consequence(StrEnum):
    """What the harness does about the problem."""

    REFUSED = "refused"  # it does not load the file, or does not start
    WIDENED = "widened"  # the effective tools are wider than the intended ones
    NARROWED = "narrowed"  # the effective tools are narrower
    IGNORED = "ignored"  # no effect
    FRAGILE = "fragile"  # it loads the file as intended, but stricter readers do not
    UNCERTAIN = "uncertain"  # it depends on settings outside the project
    STYLE = "style"

    @property
    def severity(self) -> Severity:
        return _SEVERITY.get(self, "error")


_SEVERITY: dict[Consequence, Severity] = {
    Consequence.IGNORED: "warning",
    Consequence.FRAGILE: "warning",
    Consequence.UNCERTAIN: "note",
    Consequence.STYLE: "note",
}


class Safety(IntEnum):
    """SAFE: expresses what the author wrote, in the harness's native names. UNSAFE: plausible, but needs review."""

    UNSAFE = 1
    SAFE = 2


class Fix(NamedTuple):
    """Edits that belong together; `touches` are the frontmatter keys whose values they may change."""

    title: str
    edits: tuple[Edit, ...]
    safety: Safety
    touches: frozenset[str]


class Group(NamedTuple):
    """Findings of a rule with the same title are one problem: people are shown one, with the items of all."""

    title: str
    item: str = ""
    across_files: bool = False
    """One problem of the whole project, not of each file."""


class Related(NamedTuple):
    """Another place that a finding is about. Lines and columns are one-based."""

    path: str
    message: str
    line: int = 1
    column: int = 1


class Finding(NamedTuple):
    code: str
    name: str
    span: Span
    consequence: Consequence
    message: str
    fix: Fix | None = None
    group: Group | None = None
    configured: Severity | None = None
    """The severity that the config sets for the rule."""
    related: tuple[Related, ...] = ()

    @property
    def severity(self) -> Severity:
        return self.configured or self.consequence.severity
