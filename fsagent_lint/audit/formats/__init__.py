"""The outputs of an audit by name, each a pure function from an audit to text."""

from __future__ import annotations

from typing import Protocol, cast

from fsagent_lint.audit.facts import Audit

FORMATS = ("text", "html", "csv", "json", "markdown", "github")


class Format(Protocol):
    """The interface of the modules in this folder."""

    def render(self, audit: Audit) -> str: ...


def render(name: str, audit: Audit) -> str:
    """The report, with its final newline; a module is imported when it is needed."""
    from importlib import import_module

    return cast(Format, import_module(f"fsagent_lint.audit.formats.{name}")).render(audit)
