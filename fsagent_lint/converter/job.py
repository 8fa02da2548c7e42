"""What to convert for, and what came of it."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Sequence

from fsagent_lint.agent.agent import Enricher
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.model.finding import Consequence
from fsagent_lint.model.loss import ReportedLoss
from fsagent_lint.model.result import Problem
from fsagent_lint.model.tool import ACCEPT_NONE
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.report import describe_problem
from fsagent_lint.report.escape import MESSAGE, escape
from fsagent_lint.report.summary import count


@dataclasses.dataclass(frozen=True)
class Job:
    target: Harness
    out: str
    form: str = "auto"
    accept: frozenset[str] = ACCEPT_NONE
    force: bool = False
    write: bool = True
    with_mcp: bool = False
    """Also define the MCP servers that the agents name."""
    enrichers: Sequence[Enricher] = ()
    subjects: Subjects = dataclasses.field(default_factory=Subjects)


@dataclasses.dataclass
class ConvertRun:
    written: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    """The source and the path of each file that was written."""
    copied: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    """The path of a skill, and how many files were copied with it."""
    same: int = 0
    """How many files were current already."""
    left: int = 0
    """How many files were not converted, because agents in JSON and TOML are only checked."""
    losses: list[tuple[str, ReportedLoss]] = dataclasses.field(default_factory=list)
    errors: list[Problem] = dataclasses.field(default_factory=list)
    diffs: list[str] = dataclasses.field(default_factory=list)
    edited: dict[str, bytes] = dataclasses.field(default_factory=dict)
    """Files that hold several agents or servers, as far as they have been written."""

    @property
    def exit_code(self) -> int:
        if self.errors:
            return 2
        return 1 if any(loss.consequence is not Consequence.STYLE for _, loss in self.losses) else 0

    def render(self, *, quiet: bool, diff: bool) -> str:
        """What was written and lost. `diff`: the files have only been shown."""
        lines = []
        if not quiet:
            verb = "would write" if diff else "wrote"
            lines += [f"{escape(source)}: {verb} {escape(path)}" for source, path in self.written]
            lines += [
                f"{escape(path)}: {verb} {count(number, 'more file')} of the skill"
                for path, number in self.copied.items()
            ]
        losses = dict.fromkeys(self.losses)  # several targets may have one in common
        lines += [f"{escape(path)}: [{loss.code}] {escape(loss.message, MESSAGE)}" for path, loss in losses]
        lines += [f"error: {describe_problem(problem)}" for problem in self.errors]
        if not quiet and not self.written and not self.copied and not self.errors:
            lines.append(
                "The file is already current." if self.same == 1 else f"All {self.same} files are already current."
            )
        return "".join(f"{line}\n" for line in lines)
