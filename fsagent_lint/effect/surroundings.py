"""What an agent's neighbours change about its tools, as a plain value for `effect`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from fsagent_lint._fast import NamedTuple
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.model.tool import Tool

Layer = dict[str, Value]
"""Settings from one file."""


class Surroundings(NamedTuple):
    """What other files add to an agent's own file; never modified."""

    custom: tuple[str, ...] = ()
    """Tools that the project adds to the harness's own."""
    mcp: tuple[tuple[str, str], ...] = ()
    """Tools of MCP servers, if they are known: server and tool."""
    denied: tuple[str, ...] = ()
    """Tools that the project denies to every agent."""
    shared: tuple[Layer, ...] = ()
    """The project's tool and model settings for every agent; later layers take precedence."""
    under: tuple[Layer, ...] = ()
    """The project's settings for this agent that its own file overrides."""
    over: tuple[Layer, ...] = ()
    """The project's settings for this agent that override its own file."""
    others: tuple[Layer, ...] = ()
    """The project's settings for other agents: an invalid value there keeps this agent from loading too."""
    refused: str = ""
    """Why the harness loads no agent at all."""


NO_SURROUNDINGS = Surroundings()


class Plugin(NamedTuple):
    """The plugin that a file belongs to."""

    name: str
    folder: str
    agents: frozenset[str]
    """The names of its agents, without that of the plugin."""


class KnownTools(Protocol):
    """Which tools there are besides those of the tables: the registry knows."""

    def servers(self, harness: Harness) -> Mapping[str, str]:
        """The MCP servers that a harness finds in the project, each with the file that defines it."""

    def custom(self, harness: Harness) -> Mapping[str, Tool]:
        """The custom tools, by their names in a harness."""


class Neighbours(Protocol):
    """What other files of the project define for a folder: names, each with the file that defines it."""

    def agents(self, harness: Harness) -> Mapping[str, str]:
        """The agents that the harness finds in the project."""

    def skills(self, harness: Harness) -> Mapping[str, str]:
        """The skills that the harness finds in the project."""

    def private_skill(self, harness: Harness, name: str) -> str:
        """The field that keeps agents from invoking a skill of the project; empty without one."""

    def is_in_skill(self) -> bool:
        """Does the folder lie in that of a skill?"""

    def plugin(self, harness: Harness) -> Plugin | None:
        """The plugin whose agents, skills or commands are in the folder."""

    def surroundings(self, harness: Harness, name: str) -> Surroundings:
        """Everything except its own file that affects an agent of this name."""
