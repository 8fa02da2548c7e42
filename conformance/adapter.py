"""What the lab must know about a harness: how to install it, set it up, start it, and observe what it did."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from conformance.dialects import Request
from conformance.errors import LabError
from conformance.probe import Call, Observation, Probe
from conformance.server import Server
from conformance.standin import StandIn, Step

PROMPT = "Begin the probe."
"""The prompt of the user."""
TASK = "Do the delegated work."
"""The prompt of an agent that another one delegates to."""
BODY = "Say ok."
"""The body of a probe."""
MCP_SERVER = "mcp_server.py"
"""The file name of the MCP server in a project."""


@dataclass(frozen=True)
class Command:
    """A command line to run in the project, and its whole environment except PATH and HOME."""

    argv: list[str]
    env: dict[str, str]


@dataclass(frozen=True)
class Outcome:
    """The outcome of a run: the output of the harness, its requests to the model, and the calls of the model."""

    output: str
    requests: list[Request]
    called: list[tuple[Call, Request]]
    ran: bool
    """Does the file `ran` exist, which the calls of probes create?"""

    def made(self, call: Call) -> bool:
        """Did the model make this call?"""
        return any(call == each for each, _ in self.called)

    @property
    def told(self) -> str:
        """The whole conversation with the main agent."""
        return next((each.conversation for each in reversed(self.requests) if PROMPT in each.opening), "")


class Adapter(ABC):
    """One harness. Each module of `adapters` has one, as ADAPTER; its id is the name of the module, with dashes."""

    id: ClassVar[str]
    """The id in fsagent_lint/harnesses."""
    package: ClassVar[str]
    """The npm package with the program, or with one that brings it along."""
    product: ClassVar[str] = ""
    """The npm package that people install, if that is another one."""
    binary: ClassVar[str]
    """The program in node_modules, {arch} being x64 or arm64; node runs one that ends in .js or .mjs."""
    paths: ClassVar[dict[str, str]]
    """Role to the path of the file. A role that is not here cannot be observed."""
    never_offered: ClassVar[frozenset[str]] = frozenset()
    """Tools that are not compared: it lists them and never offers them to the model, or has them only in the lab."""
    model: ClassVar[str] = ""
    """The model that it asks where a file names none: tools may depend on it."""
    unknown: ClassVar[str] = ""
    """A regular expression: how its main agent is told that there is no such agent or skill, or none that works."""
    refused: ClassVar[str] = ""
    """The same for one that there is, and that may not be started."""
    unpacks: ClassVar[str] = ""
    """A folder in HOME that holds only what the program unpacks from itself; it is kept between probes."""
    jobs: ClassVar[int] = 2
    """How many probes run at the same time."""
    parts: ClassVar[tuple[str, ...]] = ()
    """Folders in node_modules with dependencies of their own, which the package installs by a script."""

    def harness_version(self, package: str) -> str:
        """The version of the harness in a version of its package: the same, unless the package has its own."""
        return package

    def path(self, probe: Probe) -> str:
        """Where the probe's file lies."""
        return probe.path or self.paths[probe.role]

    def project(self, probe: Probe) -> dict[str, str]:
        """Every file of the probe's project, which fsagent-lint checks as well."""
        files = {self.path(probe): probe.text, **probe.files}
        if probe.servers:
            files |= self.mcp_config({name: ["-IS", MCP_SERVER, *tools] for name, tools in probe.servers.items()})
        return files

    def home(self, probe: Probe, project: str) -> dict[str, str]:  # noqa: ARG002
        """Files in HOME: the permanent decisions of the user, such as to trust the project."""
        return {}

    def mcp_config(self, servers: dict[str, list[str]]) -> dict[str, str]:
        """The file that configures MCP servers: name to the arguments for `python3`."""
        raise NotImplementedError(f"{self.id}: MCP servers are not laid out")

    @abstractmethod
    def command(self, program: list[str], probe: Probe, url: str) -> Command:
        """The command that starts it, with its model at `url`."""

    def steps(self, probe: Probe) -> tuple[Step, ...]:
        """The calls of the model: first the main agent's that activates the file, then those of the probe."""
        activation = self.activation(probe)
        first = (Step(activation, lambda request: PROMPT in request.opening),) if activation else ()
        return (*first, *(Step(call, lambda request: self.is_active(probe, request)) for call in probe.calls))

    def activation(self, probe: Probe) -> Call | None:
        """The call with which the main agent activates the file, if it does."""
        match probe.role:
            case "subagent":
                return self.delegation()
            case "loaded-skill":
                return self.loading()
            case _:
                return None

    def delegation(self) -> Call:
        """The call that delegates TASK to the agent `probe`."""
        raise NotImplementedError(f"{self.id}: nothing is delegated")

    def loading(self) -> Call:
        """The call that loads the skill `probe`."""
        raise NotImplementedError(f"{self.id}: no skill is loaded")

    def is_active(self, probe: Probe, request: Request) -> bool:
        """Was the file active when this request was sent?"""
        if probe.kind in ("skill", "command"):
            return BODY in request.conversation
        return (TASK if probe.role == "subagent" else PROMPT) in request.opening

    def observe(self, probe: Probe, outcome: Outcome) -> Observation:
        """What the harness did with the file; by default, the tools that it offered the model while the file was active."""
        subject = self.subject(probe, outcome)
        if subject is None:
            return self.not_started(probe, outcome)
        tried = probe.calls and all(map(outcome.made, probe.calls))
        return Observation(True, None, subject.tools, outcome.ran if tried else None)

    def subject(self, probe: Probe, outcome: Outcome) -> Request | None:
        """The first request that was sent while the file was active; None if it never was."""
        return next((each for each in outcome.requests if self.is_active(probe, each)), None)

    def not_started(self, probe: Probe, outcome: Outcome) -> Observation:
        """An agent or skill that is not there, or one that the main agent may not start: what it was told says which."""
        activation = self.activation(probe)
        if activation is None or not outcome.requests or not (self.unknown or self.refused):
            return Observation(False, outcome.output)
        if not outcome.made(activation):
            raise LabError(f"the main agent was not offered {activation.tool}, so that nothing was tried")
        if found := re.search(self.refused, outcome.told) if self.refused else None:
            return Observation(True, found[0], started=False)
        if found := re.search(self.unknown, outcome.told) if self.unknown else None:
            return Observation(False, found[0])
        raise LabError(f"it was not started, for a reason that the adapter does not know: {outcome.told[-300:]}")


class ServedAdapter(Adapter):
    """A harness whose command starts a server, and prints its address: starting takes most of the time.

    Its command and its home are those of a nameless probe, and serve many.
    """

    server: ClassVar[type[Server]] = Server

    @abstractmethod
    def put(self, probe: Probe, project: str, server: Server, model: StandIn) -> str:
        """Have the server run the probe in its project; returns what it says about it."""


def without_noise(text: str, *places: Path) -> str:
    """The output of the harness, without colours and machine paths."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    for place in places:
        text = text.replace(str(place), "")
    return text.strip()
