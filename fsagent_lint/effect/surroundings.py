"""What lies beside an agent and changes what it gets, as a plain value that `effect` takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from fsagent_lint._fast import NamedTuple
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.harnesses.harness import Harness

Layer = dict[str, Value]
"""Settings as a file has them."""


class Surroundings(NamedTuple):
    """Nothing of it is ever changed; without any of it an agent is what its own file says."""

    custom: tuple[str, ...] = ()
    """Tools that the project adds to those of the harness."""
    mcp: tuple[tuple[str, str], ...] = ()
    """Tools of MCP servers, where somebody knows them: server and tool."""
    denied: tuple[str, ...] = ()
    """Tools that the project denies to every agent."""
    shared: tuple[Layer, ...] = ()
    """What the project says about tools and model for every agent; the later layer has the last word."""
    under: tuple[Layer, ...] = ()
    """What the project says about this agent, below its own file."""
    over: tuple[Layer, ...] = ()
    """The same, above it."""
    others: tuple[Layer, ...] = ()
    """What it says about other agents: a wrong value there keeps this one from loading, too."""
    refused: str = ""
    """Why the harness loads no agent at all."""


NO_SURROUNDINGS = Surroundings()


class Neighbours(Protocol):
    """What other files of the project say, seen from the folder of one: names, each with the file that defines it."""

    def servers(self, harness: Harness) -> Mapping[str, str]:
        """The MCP servers that the harness is told of."""

    def custom_tools(self, harness: Harness) -> Mapping[str, str]:
        """The tools that the project adds."""

    def agents(self, harness: Harness) -> Mapping[str, str]:
        """The agents that the harness finds in the project."""

    def skills(self, harness: Harness) -> Mapping[str, str]:
        """The skills that the harness finds in the project."""

    def surroundings(self, harness: Harness, name: str) -> Surroundings:
        """All that decides about an agent of this name beside its own file."""
