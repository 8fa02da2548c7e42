"""All tools in one place: built in, defined by the project or the config, or provided by a plugin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from fsagent_lint._fast import NO_ENTRIES, NamedTuple, Record
from fsagent_lint.errors import DataError, UserError
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import CustomTools, get_harness, harness_ids
from fsagent_lint.harnesses.vocabulary import native_names
from fsagent_lint.model.schema import load_record
from fsagent_lint.model.tool import TOOLS, Risk, Tool, describe_tool, parse_tools

if TYPE_CHECKING:
    from fsagent_lint.project.neighbours import ProjectNeighbours
    from fsagent_lint.project.settings import Settings

TOOL_GROUP = "fsagent_lint.tools"
CANONICAL = "canonical"


class PluginTool(Record):
    """A tool as a plugin describes it; the entry point is an iterable of such tables, or returns one when called."""

    name: str
    description: str = ""
    risk: str = ""
    names: dict[str, str] = NO_ENTRIES
    """Harness to the name of the tool there; a harness that is missing does not have the tool."""


class RegisteredTool(NamedTuple):
    """One tool, and where it is defined."""

    tool: Tool
    origin: str
    """`built in`, `config`, the file that defines it, or the plugin."""
    harness: str = ""
    """The only harness that has it; empty if the tables or `names` decide."""
    plugin: PluginTool | None = None

    @property
    def description(self) -> str:
        """From its text file, read on demand."""
        if self.plugin is not None:
            return self.plugin.description
        return describe_tool(self.tool.name) if self.tool.risk is not None else ""

    @property
    def risk(self) -> str:
        """Its risk in one word; that of a custom tool or a server is unknown."""
        own = self.plugin.risk if self.plugin is not None else ""
        return own or (self.tool.risk.value if self.tool.risk is not None else "unknown")

    def names_in(self, harness: Harness) -> tuple[str, ...]:
        """The names to write for it in a harness; empty if the harness lacks it."""
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

    def all(self) -> tuple[RegisteredTool, ...]:
        return self._entries

    def get(self, name: str) -> tuple[RegisteredTool, ...]:
        """The tools that a name stands for: canonical, native, or the name of a custom tool or a server."""
        wanted = set(parse_tools(name) or ())
        for harness in _harnesses():
            wanted |= {TOOLS[tool] for tool in harness.canonical(name) or ()}
        return tuple(entry for entry in self._entries if entry.tool in wanted or name in self._known_as(entry))

    def for_harness(self, harness: Harness) -> tuple[RegisteredTool, ...]:
        """The tools that a harness has."""
        return tuple(entry for entry in self._entries if entry.names_in(harness))

    def names_for(self, harness: Harness) -> dict[str, tuple[RegisteredTool, ...]]:
        """Every name that a file of a harness may list, with the tools that it stands for."""
        found: dict[str, tuple[RegisteredTool, ...]] = {}
        for entry in self.for_harness(harness):
            for name in entry.names_in(harness):
                found[name] = (*found.get(name, ()), entry)
        for name in (*harness.tools, *harness.names):
            known = harness.lookup(name)
            if name not in found and known is not None and known.status == "current":
                tools = {Tool(tool) for tool in harness.canonical(name) or ()}
                found[name] = tuple(entry for entry in self._entries if entry.tool in tools)
        return found

    @cached_property
    def _entries(self) -> tuple[RegisteredTool, ...]:
        found = [RegisteredTool(tool, "built in") for tool in TOOLS.values()]
        found += self._configured()
        found += self._discovered()
        found += self.plugins
        return tuple({(entry.tool, entry.harness): entry for entry in reversed(found)}.values())[::-1]

    def _configured(self) -> Iterator[RegisteredTool]:
        if self.settings is not None:
            yield from (RegisteredTool(Tool.custom(name), "config") for name in self.settings.custom_tools)
            yield from (RegisteredTool(Tool.mcp(name), "config") for name in self.settings.mcp_servers)

    def _discovered(self) -> Iterator[RegisteredTool]:
        for harness in _harnesses() if self.neighbours is not None else ():
            assert self.neighbours is not None
            for name, file in self.neighbours.custom_tools(harness).items():
                yield RegisteredTool(Tool.custom(name), file, harness.id)
            for name, file in self.neighbours.servers(harness).items():
                yield RegisteredTool(Tool.mcp(name), file, harness.id)

    def _known_as(self, entry: RegisteredTool) -> Sequence[str]:
        return (str(entry.tool), entry.tool.server or entry.tool.name)


def _harnesses() -> list[Harness]:
    return [harness for id in harness_ids() if (harness := get_harness(id)).id != CANONICAL]


def plugin_names(plugins: Iterable[RegisteredTool]) -> CustomTools:
    """What each harness calls the tools of plugins; canonical files have every one of them."""
    given = ((entry.tool, entry.plugin.names) for entry in plugins if entry.plugin is not None)
    return {tool.name: {CANONICAL: str(tool), **names} for tool, names in given}


def load_plugins() -> list[RegisteredTool]:
    """The tools of every installed plugin; one that fails to load is named. Runs only at the user's request."""
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
            tool = load_record(PluginTool, table, f"{where}[{number}]")
            if tool.risk and tool.risk not in list(Risk):
                raise DataError(f"{where}[{number}].risk: {tool.risk!r} is not one of {', '.join(Risk)}")
            found.append(RegisteredTool(Tool.custom(tool.name), where, plugin=tool))
    return found
