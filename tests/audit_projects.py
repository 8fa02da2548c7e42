"""Projects for the tests of audits: the texts of agents, and the audit of the current folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fsagent_lint.audit.facts import Audit
from fsagent_lint.audit.run import audit
from fsagent_lint.linter.run import Request

Lay = Callable[[dict[str, str]], Path]
"""Writes files into an empty project, which is the current folder."""


def agent(name: str, *lines: str, body: str = "Do it.") -> str:
    """An agent in markdown."""
    return "\n".join(["---", f"name: {name}", "description: d", *lines, "---", body, ""])


def audited() -> Audit:
    """The audit of the current folder."""
    return audit(Request())
