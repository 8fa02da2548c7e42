"""What a conversion could not express, in words."""

from __future__ import annotations

from fsagent_lint._fast import NamedTuple
from fsagent_lint.model.finding import Consequence
from fsagent_lint.model.tool import Tool


class LossKind:
    """What is lost or gained: the names of the rules that report it.

    Files, servers and placeholders are no matter of one file's check: `convert` and `sync` alone report them.
    """

    TOOL = "lost-tool"
    SCOPE = "lost-scope"
    FIELD = "lost-field"
    ASK = "lost-ask"
    APPROVAL = "lost-approval"
    PLACEHOLDER = "lost-placeholder"
    FILE = "lost-file"
    SERVER = "lost-server"
    WIDENED = "widened"
    UNCHECKED = (PLACEHOLDER, FILE, SERVER)
    """Only `convert` and `sync` find these."""


class ReportedLoss(NamedTuple):
    """A loss in words."""

    code: str
    """One of `LossKind`."""
    message: str
    consequence: Consequence
    tools: tuple[Tool, ...] = ()
