"""The base class of rules, and everything that the author of a rule needs."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import ClassVar, Literal

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.profile import Profile, Project
from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.agent.verdicts import ClassifiedItem
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.model.finding import Consequence, Finding, Fix, Group, Related
from fsagent_lint.rules._tool_fixes import consequence_of_drop, drop_clause, older_versions_with


class Family(StrEnum):
    """The topic of a rule: the first part of its code."""

    FILE = "FA0"
    TOOLS = "FA1"
    SHAPE = "FA2"
    POLICY = "FA3"
    FIELDS = "FA4"
    PROJECT = "FA5"
    CONVERSION = "FA6"
    LEAST_PRIVILEGE = "FA7"
    SUPPRESSION = "FA9"

    @property
    def slug(self) -> str:
        """Its name in `--select` and the config."""
        return self.name.lower().replace("_", "-")


AGENT_FILES = frozenset((Sort.MARKDOWN, Sort.DATA, Sort.MEMBER))
MARKDOWN_FILES = frozenset((Sort.MARKDOWN,))
DATA_FILES = frozenset((Sort.DATA,))
ALL_AGENTS = AGENT_FILES | {Sort.MODULE, Sort.CALL}


class Good(NamedTuple):
    """A file for which the rule reports nothing."""

    text: str
    harness: str = "claude-code"
    kind: str = "agent"
    path: str = ""
    target: str = ""
    form: str = "auto"
    neighbours: tuple[tuple[str, str, str], ...] = ()
    """Other files of the project: path, harness, text."""
    files: tuple[tuple[str, str], ...] = ()
    """Files that the project has on disk but that are not checked: path and text."""


class Bad(NamedTuple):
    """A file for which the rule reports a finding; ⟦ and ⟧ enclose its span."""

    text: str
    harness: str = "claude-code"
    kind: str = "agent"
    path: str = ""
    fixed: str | None = None
    target: str = ""
    form: str = "auto"
    neighbours: tuple[tuple[str, str, str], ...] = ()
    files: tuple[tuple[str, str], ...] = ()


class Rule:
    """One problem. The docstring is its page, and the examples are its tests. Instances have no state."""

    code: ClassVar[str]
    name: ClassVar[str]
    consequence: ClassVar[Consequence]
    opt_in: ClassVar[bool] = False
    sorts: ClassVar[frozenset[Sort]] = AGENT_FILES
    """The sorts of subject that it checks."""
    about: ClassVar[frozenset[str]] = frozenset()
    """The traits and verdicts of the files that it checks: a file needs any one of them; empty: every file.

    This only saves time: for other files, `check` reports nothing anyway.
    """
    tag: ClassVar[Literal["", "deprecated", "unnecessary"]] = ""
    """How editors show what it reports: struck out, or faded."""
    examples: ClassVar[tuple[Good | Bad, ...]] = ()

    def check(self, subject: Subject) -> Iterator[Finding]:  # noqa: ARG002
        """The findings about one file."""
        return iter(())

    def check_project(self, project: Project) -> Iterator[tuple[Profile, Finding]]:  # noqa: ARG002
        """The findings about all files together, each with the file that it belongs to."""
        return iter(())

    @classmethod
    def is_for_projects(cls) -> bool:
        return cls.check_project is not Rule.check_project

    def finding(
        self,
        span: Span,
        message: str,
        *,
        consequence: Consequence | None = None,
        fix: Fix | None = None,
        group: Group | None = None,
        related: tuple[Related, ...] = (),
    ) -> Finding:
        found = Finding(self.code, self.name, span, consequence or self.consequence, message, fix, group)
        return found._replace(related=related) if related else found

    def dropped(
        self,
        subject: Subject,
        entry: ClassifiedItem,
        what: str,
        advice: str = "",
        fix: Fix | None = None,
        item: str = "",
        *,
        covered: bool = False,
    ) -> Finding:
        """A finding about an entry that the harness does not read as the intended tool.

        `item`: the entry and what to write for it, where all such entries of a file are one problem; `covered`: other
        entries list everything that could be written for it.
        """
        if older := older_versions_with(subject.harness, entry.item.name):
            what = f"{what[:-1]}; {older} have it)" if what.endswith(")") else f"{what} ({older} have it)"
        message = f"{what}; {drop_clause(subject, entry, covered=covered)}. {advice}".rstrip()
        consequence = consequence_of_drop(subject, entry, covered=covered)
        group = None
        if item:
            clause = drop_clause(subject, entry, several=True, covered=covered)
            group = Group(f"{subject.harness.title} has no such tools; {clause}", item)
        return self.finding(entry.item.span, message, consequence=consequence, fix=fix, group=group)

    @staticmethod
    def field_outcome(subject: Subject) -> tuple[str, Consequence]:
        """What an invalid field that must be valid does to the file, as a clause."""
        title = subject.harness.title
        if subject.harness.standard:
            return f"{title} does not allow it, and strict harnesses refuse the file", Consequence.FRAGILE
        return subject.refuses, Consequence.REFUSED

    @property
    def family(self) -> Family:
        return Family(self.code[:3])

    @property
    def checks_conversions(self) -> bool:
        """Does it also check a file that is being converted, so that its own harness no longer matters?"""
        return self.family in (Family.FILE, Family.CONVERSION)

    @property
    def summary(self) -> str:
        return (self.__doc__ or "").strip().partition("\n")[0]

    @property
    def fixable(self) -> bool:
        return any(isinstance(example, Bad) and example.fixed is not None for example in self.examples)
