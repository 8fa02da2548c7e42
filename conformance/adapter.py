"""What the lab must know about a harness: how to install, lay out and start it, and how to tell what it did."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from conformance.dialects import Request
from conformance.probe import Call, Observation, Probe

PROMPT = "Begin the probe."
"""What the person says."""
TASK = "Do the delegated work."
"""What an agent is told that another one delegates to."""
BODY = "Say ok."
"""What stands below the frontmatter of a probe."""
MCP_SERVER = "mcp_server.py"
"""The MCP server, as it is laid into a project."""


@dataclass(frozen=True)
class Command:
    """A command line, run in the project, and all of its environment beside PATH and HOME."""

    argv: list[str]
    env: dict[str, str]


@dataclass(frozen=True)
class Outcome:
    """What came of a run: what the harness said, what it asked its model, which calls the model made."""

    output: str
    stdout: str
    requests: list[Request]
    called: list[tuple[Call, Request]]
    ran: bool
    """Is the file `ran` there, which the calls of probes leave behind?"""

    def opened_with(self, text: str) -> Request | None:
        """The first request of the conversation that began with a text."""
        return next((each for each in self.requests if text in each.opening), None)

    def told(self, text: str) -> Request | None:
        """The first request of a conversation in which a text has been said, whoever said it."""
        return next((each for each in self.requests if text in each.said), None)


class Adapter(ABC):
    """One harness. A module of `adapters` has one, as ADAPTER; its name is that of the module, with dashes."""

    id: ClassVar[str]
    """As in fsagent_lint/harnesses."""
    package: ClassVar[str]
    """What npm installs."""
    binary: ClassVar[str]
    """The program, below node_modules, {arch} being x64 or arm64; one that ends in .js or .mjs is run with node."""
    version_of: ClassVar[str] = ""
    """The package.json that says the version, below node_modules; without, that of `package`."""
    paths: ClassVar[dict[str, str]]
    """Role to where such a file goes. A role that is not here cannot be observed."""
    never_offered: ClassVar[frozenset[str]] = frozenset()
    """Tools that it lists as an agent's, and that its model never hears of."""
    node: ClassVar[str] = ""
    """The version of Node.js that it needs, where that is newer than what systems have: npm installs that, too."""
    unpacks: ClassVar[str] = ""
    """A folder below HOME that holds only what the program unpacks from itself: kept from one probe to the next."""
    jobs: ClassVar[int] = 2
    """How many run at once."""

    def project(self, probe: Probe) -> dict[str, str]:
        """Every file of the probe's project: what fsagent-lint is asked about, too."""
        files = {self.paths[probe.role]: probe.text, **probe.files}
        if probe.servers:
            files |= self.mcp_config({name: ["-IS", MCP_SERVER, *tools] for name, tools in probe.servers.items()})
        return files

    def home(self, probe: Probe, project: str) -> dict[str, str]:  # noqa: ARG002
        """Files below HOME: what a person has said once and for all, such as that the project is to be trusted."""
        return {}

    def mcp_config(self, servers: dict[str, list[str]]) -> dict[str, str]:
        """The file that configures MCP servers: name to the arguments for `python3`."""
        raise NotImplementedError(f"{self.id}: MCP servers are not laid out")

    @abstractmethod
    def command(self, program: list[str], probe: Probe, url: str) -> Command:
        """How to start it, with its model at `url`."""

    def calls(self, probe: Probe) -> tuple[Call, ...]:
        """What the model calls: first to bring the file into force, then what the probe wants."""
        delegation = (self.delegation(),) if probe.role == "subagent" else ()
        return (*delegation, *probe.calls)

    def delegation(self) -> Call:
        """The call by which an agent hands TASK to the agent `probe`."""
        raise NotImplementedError(f"{self.id}: nothing is delegated")

    def observe(self, probe: Probe, outcome: Outcome) -> Observation:
        """What the harness did with the file; by default, what it offered its model while that was in force."""
        subject = self.subject(probe, outcome)
        if subject is None:
            return Observation(False, outcome.output)
        return Observation(True, None, subject.tools, outcome.ran if probe.calls else None)

    def subject(self, probe: Probe, outcome: Outcome) -> Request | None:
        """The request that was sent while the file was in force; None where it never was."""
        return outcome.opened_with(TASK if probe.role == "subagent" else PROMPT)


def without_noise(text: str, *places: Path) -> str:
    """What the harness said, without colours and machine paths, and not at length."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    for place in places:
        text = text.replace(str(place), "")
    return text.strip()[:400]
