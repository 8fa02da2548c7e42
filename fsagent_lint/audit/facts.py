"""The facts of an audit, as plain values: what each harness makes of each agent, and what follows from that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from fsagent_lint._fast import NO_ENTRIES, NamedTuple
from fsagent_lint.model.finding import Severity
from fsagent_lint.model.result import Problem
from fsagent_lint.model.tool import HARMFUL as HARMFUL_RISKS
from fsagent_lint.model.tool import Risk

MCP = "mcp"
"""The capability to use tools that no table knows: those of MCP servers, and custom ones."""
CAPABILITIES: tuple[str, ...] = (*(risk.value for risk in Risk), MCP)
HARMFUL: tuple[str, ...] = (*(risk.value for risk in HARMFUL_RISKS), MCP)
ANY = "*"
"""In `mcp`: the tools of every server. In `calls`: every agent."""


CALLED = "called"
"""How an agent reaches a capability of another one, which it may call."""


class State(StrEnum):
    """How far a harness grants a capability; the widest first."""

    GIVEN = "given"
    SCOPED = "scoped"
    ASKS = "asks"
    MAY = "may"
    INHERITED = "inherited"
    DENIED = "denied"

    @property
    def is_granted(self) -> bool:
        """Can the agent use it in some way? What is inherited depends on the agent that uses the skill or command."""
        return self not in (State.INHERITED, State.DENIED)


WIDEST = tuple(State)
MEANINGS: Mapping[State, str] = {
    State.GIVEN: "granted, without asking and without a limit",
    State.SCOPED: "granted for some uses only",
    State.ASKS: "granted after a confirmation",
    State.MAY: "granted under a condition, such as an operating system or an extension",
    State.INHERITED: "that of the agent that uses the skill or command",
    State.DENIED: "not granted",
}


class Grant(NamedTuple):
    """One capability of an agent: the widest state of its tools, and those tools by their native names."""

    state: State
    tools: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    """The uses that the tools are limited to; `not x` for one that is denied."""


DENIED = Grant(State.DENIED)


class AsSubagent(NamedTuple):
    """What differs when another agent delegates to this one."""

    loads: bool
    error: str
    without: tuple[str, ...]
    """Native tools that it lacks then."""


class Reading(NamedTuple):
    """What one harness makes of an agent. Tools have their native names."""

    harness: str
    title: str
    owner: str
    """The harness that the file's folder belongs to, if it is another one."""
    loads: bool
    error: str = ""
    known_as: str = ""
    grants: Mapping[str, Grant] = NO_ENTRIES
    """Capability to what is granted of it; empty if the file does not load."""
    unrestricted: bool = False
    tools: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    conditional: tuple[str, ...] = ()
    mcp: tuple[str, ...] = ()
    approved: tuple[str, ...] = ()
    """What runs without a confirmation."""
    permission_mode: str = ""
    starts: tuple[str, ...] = ()
    """Fields that start something, or let tools run without asking: hooks, MCP servers, a permission mode."""
    wider: tuple[str, ...] = ()
    narrower: tuple[str, ...] = ()
    subagent: AsSubagent | None = None
    """None for what no agent can delegate to."""
    calls: tuple[str, ...] = ()
    """The agents that it may delegate to, by name or pattern; `ANY` for all of them."""
    reaches: Mapping[str, tuple[str, ...]] = NO_ENTRIES
    """Capabilities that it lacks, but another agent has that it may call: the names on the shortest way there."""

    def grant(self, capability: str) -> Grant:
        return self.grants.get(capability, DENIED)

    def has(self, capability: str) -> bool:
        return self.grant(capability).state.is_granted


class Remark(NamedTuple):
    """A finding of the linter beside an agent."""

    path: str
    line: int
    code: str
    name: str
    severity: Severity
    harness: str
    message: str


class Entry(NamedTuple):
    """One agent, skill, command, prompt, chat mode or mode, with what each harness that reads it makes of it."""

    path: str
    name: str
    kind: str
    line: int
    end_line: int
    description: str
    intended: str
    """The intended tools, in words."""
    head: str
    """The frontmatter, or the part of a data file or module that defines the agent."""
    home: str
    """The folder whose agents it can see: that of its plugin or project."""
    readings: tuple[Reading, ...]
    findings: tuple[Remark, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        return self.path, self.kind, self.name

    def state(self, capability: str) -> State:
        """The widest state of a capability in any harness."""
        states = [reading.grant(capability).state for reading in self.readings if reading.loads]
        return min(states, key=WIDEST.index, default=State.DENIED)


class Cycle(NamedTuple):
    """Agents that may call one another in a circle."""

    harness: str
    names: tuple[str, ...]


class Violation(NamedTuple):
    """An agent that the policy of the config forbids."""

    path: str
    name: str
    line: int
    harness: str
    forbidden: str
    """The entry of `forbid`."""
    message: str
    known: bool = False
    """Was it there before, in what the audit is compared with?"""


class Shift(NamedTuple):
    """A capability, `unrestricted` or `loads`, with its state before and after."""

    name: str
    before: str
    after: str
    is_gain: bool


class Change(NamedTuple):
    """How an agent differs, in one harness, from what the audit is compared with."""

    path: str
    kind: str
    name: str
    harness: str
    what: str
    """added, removed or changed."""
    shifts: tuple[Shift, ...] = ()

    @property
    def gained(self) -> tuple[Shift, ...]:
        return tuple(shift for shift in self.shifts if shift.is_gain)


class Comparison(NamedTuple):
    """`since`: the revision or the report that the audit is compared with."""

    since: str
    changes: tuple[Change, ...]
    fresh: tuple[Remark, ...] = ()
    """The findings that were not there before."""
    notes: tuple[str, ...] = ()
    """What could not be compared."""


class Audit(NamedTuple):
    entries: tuple[Entry, ...]
    errors: tuple[Problem, ...] = ()
    """Files that could not be read, and why."""
    findings: tuple[Remark, ...] = ()
    """Findings that belong to no agent."""
    notes: tuple[str, ...] = ()
    cycles: tuple[Cycle, ...] = ()
    violations: tuple[Violation, ...] = ()
    comparison: Comparison | None = None
    failing: Sequence[Severity] = ()
    """The severities of findings that fail the run."""

    @property
    def all_findings(self) -> tuple[Remark, ...]:
        return (*self.findings, *(finding for entry in self.entries for finding in entry.findings))

    @property
    def exit_code(self) -> int:
        """As of a check: 2 for files that could not be read, 1 for a violation of the policy or a failing finding.

        What was there before does not fail a run that compares.
        """
        if self.errors:
            return 2
        findings = self.comparison.fresh if self.comparison is not None else self.all_findings
        is_violated = any(not violation.known for violation in self.violations)
        return int(is_violated or any(finding.severity in self.failing for finding in findings))

    @property
    def harnesses(self) -> dict[str, str]:
        """The harnesses that read at least one agent: id to title."""
        return dict(
            sorted({reading.harness: reading.title for entry in self.entries for reading in entry.readings}.items())
        )

    def totals(self) -> dict[str, int]:
        """How many agents there are, and how many can do what in at least one harness."""
        entries = self.entries
        counts = {"agents": len(entries), "files": len({entry.path for entry in entries})}
        for capability in CAPABILITIES:
            counts[capability] = sum(entry.state(capability).is_granted for entry in entries)
        checks = {
            "unrestricted": lambda reading: reading.unrestricted,
            "not_loaded": lambda reading: not reading.loads,
            "wider": lambda reading: bool(reading.wider),
            "narrower": lambda reading: bool(reading.narrower),
            "through_others": lambda reading: bool(reading.reaches),
        }
        for name, check in checks.items():
            counts[name] = sum(any(map(check, entry.readings)) for entry in entries)
        return counts
