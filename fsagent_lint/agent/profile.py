"""A summary of one agent: enough to compare it with others after its file is closed."""

from __future__ import annotations

import re

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.abilities import Abilities, abilities
from fsagent_lint.agent.subject import Subject
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.model.finding import Related

AGENTS = ("agent", "chatmode", "mode")
"""The kinds that are agents."""


class Profile(NamedTuple):
    path: str
    harness: str
    kind: str
    program: str
    """What else tells agents apart: the plugin, a file with several agents, and the format that only some versions of a
    harness read. Agents of the same name are rivals only within it."""
    name: str
    span: Span
    line: int
    column: int
    end_column: int
    source_line: str
    home: str = ""
    """The folder in which each harness has a place for the agent; empty if it is not compared with other files."""
    abilities: Abilities | None = None
    """What it is compared by."""

    @property
    def key(self) -> str:
        """What the files of one agent have in common: `Code Reviewer` becomes `code-reviewer.md`."""
        return agent_key(self.name)

    def related(self, what: str) -> Related:
        """The place of the agent, for findings about others."""
        return Related(self.path, what, self.line, self.column)


class Project(NamedTuple):
    """The agents of a run, and those that they are compared with."""

    checked: tuple[Profile, ...]
    others: tuple[Profile, ...] = ()
    """Files of other harnesses for the same agents that are not part of the run."""


def profile(subject: Subject, home: str = "") -> Profile | None:
    """None for a file that its harness does not load: other rules report that."""
    effect = subject.effect
    if subject.kind_name not in AGENTS or not effect.loads or subject.amends:
        return None
    document = subject.document
    entry = document.get("name")
    span = entry.value.span if entry is not None else document.opening_fence
    line, column, _, _, source_line = document.source.place(span)
    return Profile(
        document.source.path,
        subject.harness.id,
        subject.kind_name,
        _program(subject),
        effect.name if subject.kind.identity == "name" else document.stem,
        span,
        line,
        column,
        column + span.end - span.start,
        source_line,
        home,
        abilities(subject) if home else None,
    )


def _program(subject: Subject) -> str:
    plugin = subject.plugin.folder if subject.plugin is not None else ""
    is_path = subject.kind.nested and (subject.kind.identity == "file" or subject.document.get("name") is None)
    folder = subject.document.source.path.rpartition("/")[0] if is_path else ""
    return "\n".join((plugin, subject.kind.file, subject.store, folder))


def agent_key(name: str) -> str:
    return re.sub(r"[\W_]+", "-", name.strip()).lower()
