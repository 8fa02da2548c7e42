"""What the linter says: findings with consequences, fixes made of edits."""

from __future__ import annotations

from enum import IntEnum, StrEnum

from fsagent_lint._fast import NamedTuple
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.nodes import Span


class Consequence(StrEnum):
    """What the harness does about it."""

    REFUSED = "refused"  # it will not load the file, or will not start
    WIDENED = "widened"  # the agent gets more than was meant
    NARROWED = "narrowed"  # the agent gets less
    IGNORED = "ignored"  # no effect
    STYLE = "style"

    @property
    def severity(self) -> str:
        return _SEVERITY.get(self, "error")


_SEVERITY = {Consequence.IGNORED: "warning", Consequence.STYLE: "note"}


class Safety(IntEnum):
    """SAFE: what the author wrote, in the harness' own words. UNSAFE: plausible, needs a person's yes."""

    UNSAFE = 1
    SAFE = 2


class Fix(NamedTuple):
    """Edits that belong together; `touches` are the frontmatter keys whose values they may change."""

    title: str
    edits: tuple[Edit, ...]
    safety: Safety
    touches: frozenset[str]


class Finding(NamedTuple):
    code: str
    name: str
    span: Span
    consequence: Consequence
    message: str
    fix: Fix | None = None

    @property
    def severity(self) -> str:
        return self.consequence.severity
