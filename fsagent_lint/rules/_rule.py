"""What a rule is, and everything that the author of one needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.profile import Profile
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.verdicts import ClassifiedItem
from fsagent_lint.frontmatter.source import Span
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.model.finding import Consequence, Finding, Fix
from fsagent_lint.rules._tool_fixes import (
    consequence_of_drop,
    drop_clause,
)


class Good(NamedTuple):
    """A file that the rule says nothing about."""

    text: str
    harness: str = "claude-code"
    kind: str = "agent"
    path: str = ""
    target: str = ""
    form: str = "auto"
    beside: tuple[tuple[str, str, str], ...] = ()
    """Other files of the project: path, harness, text."""
    files: tuple[tuple[str, str], ...] = ()
    """What lies on the disk beside it: path and text."""


class Bad(NamedTuple):
    """A file that the rule reports; ⟦ and ⟧ enclose what it points at."""

    text: str
    harness: str = "claude-code"
    kind: str = "agent"
    path: str = ""
    fixed: str | None = None
    target: str = ""
    form: str = "auto"
    beside: tuple[tuple[str, str, str], ...] = ()
    files: tuple[tuple[str, str], ...] = ()


class Rule:
    """One problem. The docstring is its page, the examples are its tests; instances have no state."""

    code: ClassVar[str]
    name: ClassVar[str]
    consequence: ClassVar[Consequence]
    opt_in: ClassVar[bool] = False
    about: ClassVar[frozenset[str]] = frozenset()
    """The traits and verdicts of files that it may have something to say about: any of them; empty: every file.

    Like `concerns` it only saves asking: `check` says nothing about other files, whoever asks.
    """
    examples: ClassVar[tuple[Good | Bad, ...]] = ()

    def concerns(self, kind: Kind) -> bool:  # noqa: ARG002
        """Can there be something to say about files of this kind?"""
        return True

    def check(self, subject: Subject) -> Iterator[Finding]:  # noqa: ARG002
        """What the rule says about one file."""
        return iter(())

    def check_project(self, profiles: Sequence[Profile]) -> Iterator[tuple[Profile, Finding]]:  # noqa: ARG002
        """What it says about all of them together, and at which one."""
        return iter(())

    @classmethod
    def is_for_projects(cls) -> bool:
        return cls.check_project is not Rule.check_project

    def finding(
        self, span: Span, message: str, *, consequence: Consequence | None = None, fix: Fix | None = None
    ) -> Finding:
        return Finding(self.code, self.name, span, consequence or self.consequence, message, fix)

    def dropped(
        self, subject: Subject, entry: ClassifiedItem, what: str, advice: str = "", fix: Fix | None = None
    ) -> Finding:
        """A finding about an entry that the harness does not take for the tool that was meant."""
        message = f"{what}; {drop_clause(subject, entry)}. {advice}".rstrip()
        return self.finding(entry.item.span, message, consequence=consequence_of_drop(subject, entry), fix=fix)

    def told(self, subject: Subject) -> Iterator[Finding]:
        """Findings about what writing the file for another harness loses, as far as they are this rule's."""
        conversion = subject.conversion
        if conversion is None or not conversion.edits:
            return
        from fsagent_lint.rewrite.losses import report_losses

        for told in report_losses(conversion.losses, subject.goal.target or subject.harness, subject.goal.accept):
            if told.code == self.name and told.tool is not None:
                span = subject.tools_span(told.tool)
                yield self.finding(span, told.message, consequence=told.consequence)

    @property
    def summary(self) -> str:
        return (self.__doc__ or "").strip().partition("\n")[0]

    @property
    def fixable(self) -> bool:
        return any(isinstance(example, Bad) and example.fixed is not None for example in self.examples)
