"""What the lab must know about a harness: how to install it, set it up, start it, and observe what it did."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from conformance.dialects import Request
from conformance.probe import Call, Observation, Probe

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
    stdout: str
    requests: list[Request]
    called: list[tuple[Call, Request]]
    ran: bool
    """Does the file `ran` exist, which the calls of probes create?"""

    def opened_with(self, text: str) -> Request | None:
        """The first request of the conversation that began with a text."""
        return next((each for each in self.requests if text in each.opening), None)

    def containing(self, text: str) -> Request | None:
        """The first request whose conversation contains a text, from any speaker."""
        return next((each for each in self.requests if text in each.conversation), None)


class Adapter(ABC):
    """One harness. Each module of `adapters` has one, as ADAPTER; its id is the name of the module, with dashes."""

    id: ClassVar[str]
    """The id in fsagent_lint/harnesses."""
    package: ClassVar[str]
    """The npm package."""
    binary: ClassVar[str]
    """The program in node_modules, {arch} being x64 or arm64; node runs one that ends in .js or .mjs."""
    version_of: ClassVar[str] = ""
    """The package in node_modules whose package.json has the version; empty: `package`."""
    paths: ClassVar[dict[str, str]]
    """Role to the path of the file. A role that is not here cannot be observed."""
    never_offered: ClassVar[frozenset[str]] = frozenset()
    """Tools that it lists for an agent, but never offers to the model."""
    node: ClassVar[str] = ""
    """The version of Node.js that npm installs with it, if it needs a newer one than systems usually have."""
    unpacks: ClassVar[str] = ""
    """A folder in HOME that holds only what the program unpacks from itself; it is kept between probes."""
    jobs: ClassVar[int] = 2
    """How many probes run at the same time."""

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

    def calls(self, probe: Probe) -> tuple[Call, ...]:
        """The calls of the model: first those that activate the file, then those of the probe."""
        delegation = (self.delegation(),) if probe.role == "subagent" else ()
        return (*delegation, *probe.calls)

    def delegation(self) -> Call:
        """The call that delegates TASK to the agent `probe`."""
        raise NotImplementedError(f"{self.id}: nothing is delegated")

    def observe(self, probe: Probe, outcome: Outcome) -> Observation:
        """What the harness did with the file; by default, the tools that it offered the model while the file was active."""
        subject = self.subject(probe, outcome)
        if subject is None:
            return Observation(False, outcome.output)
        return Observation(True, None, subject.tools, outcome.ran if probe.calls else None)

    def subject(self, probe: Probe, outcome: Outcome) -> Request | None:
        """The request that was sent while the file was active; None if it never was."""
        return outcome.opened_with(TASK if probe.role == "subagent" else PROMPT)


def without_noise(text: str, *places: Path) -> str:
    """The output of the harness, without colours and machine paths, shortened."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    for place in places:
        text = text.replace(str(place), "")
    return text.strip()[:400]
