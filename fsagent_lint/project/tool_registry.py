"""The registry: which tools there are. Built in, defined by the project or the config, or brought by a package."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from fsagent_lint._fast import NO_ENTRIES, NamedTuple, Record
from fsagent_lint.errors import DataError, UserError
from fsagent_lint.files.border import UnreadableError
from fsagent_lint.files.read import read_installed
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import (
    CustomTools,
    Tables,
    active_tables,
    find_harness,
    get_harness,
    harness_ids,
    in_force,
)
from fsagent_lint.harnesses.vocabulary import custom_name, known_custom, native_names
from fsagent_lint.model.policy import Action
from fsagent_lint.model.schema import load_record
from fsagent_lint.model.tool import TOOLS, Risk, Tool, parse_tools

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from fsagent_lint.agent.agent import Agent
    from fsagent_lint.model.choices import HarnessId
    from fsagent_lint.project.neighbours import ProjectNeighbours
    from fsagent_lint.project.settings import Settings

TOOL_GROUP = "fsagent_lint.tools"
CANONICAL = "canonical"


class PluginTool(Record):
    """A tool as a package describes it; the entry point is an iterable of such tables, or returns one when called."""

    name: str
    description: str = ""
    description_file: str = ""
    """A text file beside the module of the entry point, instead of a description."""
    variables: dict[str, str] = NO_ENTRIES
    """What stands for `${…}` in the description; `${name}`, `${risk}` and the harnesses in `names` are there anyway."""
    risk: str = ""
    names: dict[str, str] = NO_ENTRIES
    """Harness to the name of the tool there; a harness that is missing does not have the tool."""


class RegisteredTool(NamedTuple):
    """One tool, and where it is defined."""

    tool: Tool
    origin: str
    """`built in`, `config`, the file that defines it, or the package."""
    harness: str = ""
    """The only harness that has it; empty if the tables or `names` decide."""
    plugin: PluginTool | None = None
    tables: Tables | None = None
    """Those that were in force when it was found."""

    @property
    def description(self) -> str:
        """From its text file, read on demand."""
        return self.plugin.description if self.plugin is not None else self.tool.description

    @property
    def risk(self) -> str:
        """Its risk in one word; that of a custom tool or a server is unknown."""
        own = self.plugin.risk if self.plugin is not None else ""
        return own or (self.tool.risk.value if self.tool.risk is not None else "unknown")

    def names(self, harness: HarnessId) -> tuple[str, ...]:
        """The names to write for it in a harness; empty if the harness lacks it."""
        with in_force(self.tables or active_tables()):
            return self.names_in(find_harness(harness))

    def names_in(self, harness: Harness) -> tuple[str, ...]:
        """The same, by the tables that are in force."""
        return native_names((self.tool,), harness) if self.harness in ("", harness.id) else ()


class ToolPage(NamedTuple):
    """What there is to know about one tool."""

    tool: Tool
    risk: str
    description: str
    names: dict[str, tuple[tuple[str, ...], tuple[str, ...]]]
    """Harness to the names to write, and the native tools that they stand for."""
    origins: tuple[str, ...]


def tool_pages(entries: Sequence[RegisteredTool], harnesses: Sequence[Harness]) -> Iterator[ToolPage]:
    """A page for each tool that entries of the registry describe."""
    for tool in dict.fromkeys(entry.tool for entry in entries):
        same = [entry for entry in entries if entry.tool == tool]
        names = {
            harness.full_id: (
                tuple(dict.fromkeys(name for entry in same for name in entry.names_in(harness))),
                tuple(each for each, facts in harness.tools.items() if tool.risk and tool.name in facts.grants),
            )
            for harness in harnesses
        }
        origins = tuple(dict.fromkeys(entry.origin for entry in same))
        yield ToolPage(tool, same[0].risk, same[0].description, names, origins)


class Registry:
    """`neighbours`: what a project defines; `plugins`: tools of installed packages, from `load_plugins`."""

    def __init__(
        self,
        settings: Settings | None = None,
        neighbours: ProjectNeighbours | None = None,
        plugins: Iterable[RegisteredTool] = (),
    ) -> None:
        self.settings, self.neighbours, self.plugins = settings, neighbours, tuple(plugins)
        self.tables = active_tables()
        self._custom: dict[str, Mapping[str, Tool]] = {}

    def all(self) -> tuple[RegisteredTool, ...]:
        """Every tool."""
        with in_force(self.tables):
            return self._entries

    def get(self, name: str) -> tuple[RegisteredTool, ...]:
        """The tools that a name stands for: canonical, native, or the name of a custom tool or a server."""
        with in_force(self.tables):
            wanted = set(parse_tools(name) or ())
            for harness in _harnesses():
                wanted |= {TOOLS[tool] for tool in harness.canonical(name) or ()}
            return tuple(entry for entry in self._entries if entry.tool in wanted or name in self._known_as(entry))

    def for_harness(self, harness: HarnessId) -> tuple[RegisteredTool, ...]:
        """The tools that a harness has."""
        with in_force(self.tables):
            owner = find_harness(harness)
            return tuple(entry for entry in self._entries if entry.names_in(owner))

    def enabled(self, agent: Agent, harness: HarnessId | None = None) -> tuple[RegisteredTool, ...]:
        """The tools of a harness, by default its own, that an agent may use: what its author meant it to have."""
        policy = agent.policy
        named = [tool for tool in policy.named() if policy.action(tool) is not Action.DENY]

        def may_use(tool: Tool) -> bool:
            return policy.action(tool) is not Action.DENY or any(map(tool.covers, named))

        return tuple(entry for entry in self.for_harness(harness or agent.harness) if may_use(entry.tool))

    @property
    def configured_servers(self) -> frozenset[str]:
        """The MCP servers that the config names, for every harness."""
        return frozenset(self.settings.mcp_servers if self.settings is not None else ())

    def servers(self, harness: Harness) -> Mapping[str, str]:
        """The MCP servers that a harness finds in the project, each with the file that defines it."""
        return self.neighbours.servers(harness) if self.neighbours is not None else {}

    def custom(self, harness: Harness) -> Mapping[str, Tool]:
        """The custom tools of the config, of packages and of the project, by their names in a harness."""
        found = self._custom.get(harness.id)
        if found is None:
            defined = self.neighbours.custom_tools(harness) if self.neighbours is not None else ()
            names = {custom_name(tool, harness, defined=True): Tool.custom(tool) for tool in defined}
            found = {**{name: tool for name, tool in names.items() if name}, **known_custom(harness)}
            self._custom[harness.id] = found
        return found

    def names_for(self, harness: Harness) -> dict[str, tuple[RegisteredTool, ...]]:
        """Every name that a file of a harness may list, with the tools that it stands for."""
        found: dict[str, tuple[RegisteredTool, ...]] = {}
        for entry in self._entries:
            for name in entry.names_in(harness):
                found[name] = (*found.get(name, ()), entry)
        for name in (*harness.tools, *harness.names):
            known = harness.lookup(name)
            if name not in found and known is not None and known.status == "current":
                tools = {TOOLS[tool] for tool in harness.canonical(name) or ()}
                found[name] = tuple(entry for entry in self._entries if entry.tool in tools)
        return found

    @cached_property
    def _entries(self) -> tuple[RegisteredTool, ...]:
        found = [RegisteredTool(tool, "built in") for tool in TOOLS.values()]
        found += self._configured()
        found += self._discovered()
        found += self.plugins
        unique = {(entry.tool, entry.harness): entry for entry in reversed(found)}
        return tuple(entry._replace(tables=self.tables) for entry in unique.values())[::-1]

    def _configured(self) -> Iterator[RegisteredTool]:
        if self.settings is not None:
            yield from (RegisteredTool(Tool.custom(name), "config") for name in self.settings.custom_tools)
            yield from (RegisteredTool(Tool.mcp(name), "config") for name in self.settings.mcp_servers)

    def _discovered(self) -> Iterator[RegisteredTool]:
        for harness in _harnesses() if self.neighbours is not None else ():
            assert self.neighbours is not None
            for name, file in self.neighbours.custom_tools(harness).items():
                yield RegisteredTool(Tool.custom(name), file, harness.id)
            for name, file in self.servers(harness).items():
                yield RegisteredTool(Tool.mcp(name), file, harness.id)

    def _known_as(self, entry: RegisteredTool) -> Sequence[str]:
        return (str(entry.tool), entry.tool.server or entry.tool.name)


def _harnesses() -> list[Harness]:
    return [harness for id in harness_ids() if (harness := get_harness(id)).id != CANONICAL]


def plugin_names(plugins: Iterable[RegisteredTool]) -> CustomTools:
    """What each harness calls the tools of packages; canonical files have every one of them."""
    given = ((entry.tool, entry.plugin.names) for entry in plugins if entry.plugin is not None)
    return {tool.name: {CANONICAL: str(tool), **names} for tool, names in given}


def load_plugins() -> list[RegisteredTool]:
    """The tools of every installed package; one that fails to load is named. Runs only at the user's request."""
    from importlib.metadata import entry_points

    found: list[RegisteredTool] = []
    for point in entry_points(group=TOOL_GROUP):
        where = f"plugin `{point.name}` ({point.value})"
        try:
            loaded = point.load()
            tables = list(loaded() if callable(loaded) else loaded)
        except Exception as error:  # whatever a plugin does wrong, the message must name the plugin
            raise UserError(f"The {where} cannot be loaded: {error}") from error
        for number, table in enumerate(tables):
            tool = _described(load_record(PluginTool, table, f"{where}[{number}]"), point, f"{where}[{number}]")
            found.append(RegisteredTool(Tool.custom(tool.name), where, plugin=tool))
    return found


def _described(tool: PluginTool, point: EntryPoint, where: str) -> PluginTool:
    """The tool with its description as text; DataError for what is wrong with it."""
    if tool.risk and tool.risk not in list(Risk):
        raise DataError(f"{where}.risk: {tool.risk!r} is not one of {', '.join(Risk)}")
    text = tool.description
    if tool.description_file:
        text = _read_text(tool.description_file, point, f"{where}.description-file")
    known = {**tool.names, **tool.variables, "name": tool.name, "risk": tool.risk or "unknown"}

    def value_of(variable: re.Match[str]) -> str:
        if variable[1] not in known:
            raise DataError(f"{where}: the description has {variable[0]}; there are {', '.join(sorted(known))}")
        return known[variable[1]]

    return tool.replace(description=re.sub(r"\$\{([^{}]*)\}", value_of, text).strip())


def _read_text(file: str, point: EntryPoint, where: str) -> str:
    """The text of a file beside the module that the entry point names, which has been imported."""
    home = os.path.dirname(sys.modules[point.module].__file__ or "")
    try:
        return read_installed(os.path.join(home, file)).decode("utf-8")
    except (UnreadableError, UnicodeDecodeError) as error:
        raise DataError(f"{where}: {file!r} of {point.module} cannot be read: {error}") from None
