"""The record of a harness table: what a harness calls its tools, and what it does with their names."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import cached_property, lru_cache
from typing import Any, Literal

from fsagent_lint._fast import NO_ENTRIES, Record
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.model_names import ModelNames
from fsagent_lint.model.tool import TOOLS, Tool
from fsagent_lint.suggest import ascii_lower


class NativeTool(Record):
    """A tool as the running agent sees it."""

    grants: tuple[str, ...] = ()
    """The canonical tools that it is equivalent to."""
    along: tuple[str, ...] = ()
    """Those of them that nobody names it for: they are granted with it, and are not written for another harness."""
    gate: str = ""
    """The permission key that controls it, if that is not its own name."""
    presence: Literal["default", "listed", "always", "conditional"] = "default"
    """default: granted unless denied. listed: granted only if named. always: cannot be denied."""
    condition: str = ""
    """What a conditional tool depends on, in words."""
    unless: tuple[str, ...] = ()
    """Not granted if one of these tools is granted."""
    brings: tuple[str, ...] = ()
    """Tools that are granted with it when it is named."""
    when: str = ""
    """Granted only under a condition that depends on the file: a name in `conditions`."""
    certain: str = ""
    """A conditional tool is granted for certain under this condition, which depends on the file."""
    falls_with: tuple[str, ...] = ()
    """A denial of one of these tools denies this one as well."""
    spelled: Literal["", "exactly"] = ""
    """Letter case matters for this tool, though not for others."""
    delegated: Literal["", "never", "named", "listed", "foreground"] = ""
    """In an agent that another agent delegates to. never: not granted. named: granted only if the file names it.
    listed: granted also if the file lists no tools at all. foreground: not granted to an agent that runs in the
    background, as agents do unless their caller waits for them."""

    @cached_property
    def granted(self) -> tuple[Tool, ...]:
        return tuple(TOOLS[name] for name in self.grants)

    @cached_property
    def main(self) -> tuple[Tool, ...]:
        """The canonical tools that people name it for."""
        return tuple(tool for tool in self.granted if tool.name not in self.along)


class Name(Record):
    """A name that people write in addition to the tools' own names."""

    gives: tuple[str, ...] = ()
    """The native tools that it grants."""
    along: tuple[str, ...] = ()
    """Canonical tools among them that nobody writes this name for."""
    status: Literal["current", "renamed", "removed", "withheld", "inner"] = "current"
    """renamed: still understood. removed: dropped without a warning. withheld: a tool, but never granted to an agent of
    this kind. inner: a tool that is granted by another name and cannot be named itself."""
    use: tuple[str, ...] = ()
    """What to write instead."""
    means: tuple[str, ...] = ()
    """The canonical tools that it stood for, if no native tool is left."""
    note: str = ""


class McpNaming(Record):
    """How MCP tools are named."""

    tool: str
    """The form for one tool, with {server} and {tool}."""
    server: str
    """The form for every tool of a server, with {server}."""
    also: tuple[str, ...] = ()
    """Other forms for every tool of a server."""
    bare: bool = False
    """The bare name of a server stands for all of its tools, too."""
    whole: Literal["anywhere", "denied", "nowhere"] = "anywhere"
    """Where a whole server can be named. denied: only where tools are denied, not where they are allowed."""
    patterns: Literal["anywhere", "denied", "nowhere"] = "anywhere"
    """Where a star may match a part of a name. denied: only where tools are denied, not where they are allowed."""
    every: str = ""
    """The name for every tool of every server."""
    every_denies: bool = False
    """`every` is understood only where tools are denied."""
    native: str = ""
    """The form of the name in the running agent, if that is not `tool`."""
    native_other: str = ""
    """Like `other`, for `native`."""
    valid_server: str = ""
    """The name of the format of {server}, if not every text is valid."""
    valid_tool: str = "text"
    """The same for {tool}."""
    other: str = ""
    """The replacement for characters outside A-Z, a-z, 0-9, _ and -; empty: they are kept."""
    lower: bool = False
    """Server names are lower-cased, with a hyphen for white space."""
    builtin: tuple[str, ...] = ()
    """Servers that exist without any config."""
    outside: tuple[str, ...] = ()
    """Globs of server names that no file in a repository defines: of extensions, plugins, accounts."""


class McpConfig(Record):
    """The config file that defines MCP servers, and the shape of a definition."""

    files: tuple[str, ...]
    """Where it may be; the first is created if there is none."""
    key: str
    """The key in the file that holds the servers."""
    transports: dict[str, str]
    """stdio, http, sse: what the definition has as `type`; empty: it has none."""
    is_bare: bool = False
    """Without the key, the whole file is its value."""
    also_types: dict[str, str] = NO_ENTRIES
    """Other values of `type`, each with its transport."""
    urls: dict[str, str] = NO_ENTRIES
    """Transport to the key of its address, if that is not `url`."""
    joins_command: bool = False
    """`command` is a list: the program and its arguments."""
    env: str = "env"
    """The key of the environment variables."""
    switch: Literal["", "enabled", "disabled"] = ""
    """The key that switches a server on or off."""
    variables: tuple[str, ...] = ("${NAME}",)
    """How a value refers to an environment variable; the first one is written."""
    default: str = ""
    """The same with a default: `${NAME:-DEFAULT}`."""
    own_variables: tuple[str, ...] = ()
    """Globs of variables that only this harness sets."""
    always: dict[str, Any] = NO_ENTRIES
    """What every definition needs, besides."""
    drops: tuple[str, ...] = ()
    """Keys that may be left out: without them a server grants nothing more."""


class Hooks(Record):
    """How hooks are written: a map of events, each with a list of matchers that have a list of hooks each."""

    events: tuple[str, ...] = ()
    matched: tuple[str, ...] = ()
    """Events whose matcher selects tools by name."""
    guards: tuple[str, ...] = ()
    """Events whose hooks can forbid something. If one is invalid, an agent is not loaded, and any other file loses all
    of its hooks and approvals; an invalid hook for any other event is left out alone."""
    types: dict[str, tuple[str, ...]] = NO_ENTRIES
    """Types of a hook to the keys that it needs."""


class Discovery(Record):
    """A neighbour file that defines servers, tools, agents, skills or settings."""

    file: str
    """Relative to every folder from the agent's up to the project's; the name may contain `*`."""
    what: Literal[
        "servers",
        "plugin-servers",
        "plugins",
        "custom-tools",
        "agents",
        "skills",
        "opencode-config",
        "kilo-config",
        "codex-config",
        "claude-settings",
    ]
    """How to read it: a name in `discover`."""
    key: str = ""
    """The key in the file that holds the names."""
    bare: bool = False
    """If the key is missing, the whole file is its value."""


_BARE = "{name}"


class Was(Record):
    """What was different up to a version, in the keys of the table itself."""

    until: str
    """The last version of which it was true."""
    source: str = ""
    without: tuple[str, ...] = ()
    """Entries that did not exist: `tools.Monitor`."""
    change: dict[str, Any] = NO_ENTRIES
    """Everything else in the section: tables that are merged over the newest."""


class Harness(Record):
    id: str
    title: str
    mcp: McpNaming
    reader: str
    """How it reads frontmatter: a name in `readers`."""
    semantics: str
    """How tool keys determine the tools: a name in `semantics`."""
    kinds: dict[str, Kind]
    tools: dict[str, NativeTool]
    write: dict[str, tuple[str, ...]]
    """Canonical tool to the names to write for it."""
    substitutes: dict[str, tuple[str, ...]] = NO_ENTRIES
    """The same for tools that it lacks: names of others that serve the purpose, and add no risk."""
    mcp_config: McpConfig | None = None
    """Where new MCP servers are defined; None: not known, or not in JSON."""
    discovers: tuple[Discovery, ...] = ()
    """The neighbour files that it reads; later ones take precedence."""
    version: str = ""
    """The newest version that the facts are about: dotted numbers. The program of a table without one has no versions."""
    edition: str = ""
    """Which program, if there are several, or which document."""
    oldest: str = ""
    """The oldest version that the facts cover, together with `was`; empty: the newest alone."""
    was: tuple[Was, ...] = ()
    """What was different in older versions."""
    pinned: str = ""
    """The version that was asked for; empty: the newest."""
    verified: date | None = None
    """When the facts were last verified with that version."""
    sources: tuple[str, ...] = ()
    names: dict[str, Name] = NO_ENTRIES
    models: ModelNames = ModelNames()
    foreign_names: dict[str, dict[str, tuple[str, ...]]] = NO_ENTRIES
    """Other harness to the names that this one understands in its files: name to native tools."""
    fence: Literal["line", "prefix", "anywhere"] = "line"
    """What closes the frontmatter: a line `---`, a line that starts with it, or the first `---` anywhere."""
    everything: tuple[str, ...] = ()
    """Entries that mean every tool."""
    ignore_case: bool = False
    matching: Literal["whole", "last-segment"] = "whole"
    """last-segment: the text before the last slash is ignored."""
    only_names: bool = False
    """Tools cannot be named directly, only through one of the `names` that grant them."""
    open_names: bool = False
    """An unknown name may be a tool that the file does not define: of an MCP server, an extension, a plugin."""
    agents: tuple[str, ...] = ()
    """Its built-in agents."""
    skills: tuple[str, ...] = ()
    """Its built-in skills."""
    custom: str = _BARE
    """How a custom tool is named."""
    reference: str = ""
    """The prefix of a tool's name where a prompt refers to the tool."""
    surprises: tuple[str, ...] = ()
    """Unexpected behaviour, for the docs page."""
    hooks: Hooks = Hooks()
    neutral: bool = False
    """It is not a program, but the names that this project uses itself; advice never refers to it."""
    standard: bool = False
    """It is a specification that programs follow more or less strictly."""
    unverified: str = ""
    """Which facts in this table have not been observed."""

    @property
    def shown_version(self) -> str:
        return f"{self.edition} {self.version}".strip()

    @property
    def full_id(self) -> str:
        """The id, with the version if one was asked for."""
        return f"{self.id}@{self.pinned}" if self.pinned else self.id

    @property
    def main_kind(self) -> str:
        """The kind of a file of this harness by default."""
        return "agent" if "agent" in self.kinds else next(iter(self.kinds))

    @cached_property
    def _exact_names(self) -> dict[str, Name]:
        """Names whose letter case always matters, even if the harness ignores it for others."""
        return {tool: Name(gives=(tool,)) for tool, facts in self.tools.items() if facts.spelled}

    @cached_property
    def _tool_names(self) -> dict[str, Name]:
        known = {self.fold(tool): Name(gives=(tool,)) for tool, facts in self.tools.items() if not facts.spelled}
        return {tool: self._inner(name) for tool, name in known.items()} if self.only_names else known

    def _inner(self, tool: Name) -> Name:
        """The same for a tool that can be named only through one of the `names`."""
        ways = (name for name, facts in self.names.items() if {*tool.gives} <= {*facts.gives})
        return Name(gives=tool.gives, status="inner", use=tuple(ways)[:1])

    @cached_property
    def _other_names(self) -> dict[str, Name]:
        return {self.fold(name): value for name, value in self.names.items()}

    @cached_property
    def whole_names(self) -> frozenset[str]:
        """The names in the table, in the letter case in which they are compared."""
        return frozenset((*self._exact_names, *self._tool_names, *self._other_names))

    @cached_property
    def default_tools(self) -> tuple[str, ...]:
        """The tools of an agent without tool keys."""
        return tuple(name for name, tool in self.tools.items() if tool.presence != "listed")

    @cached_property
    def default_set(self) -> frozenset[str]:
        return frozenset(self.default_tools)

    @cached_property
    def model_dependent_tools(self) -> dict[str, str]:
        """Tools that are granted only under a condition, with the condition."""
        return {name: tool.when for name, tool in self.tools.items() if tool.when}

    @cached_property
    def certain_tools(self) -> dict[str, str]:
        """Conditional tools that some files are granted for certain, with the condition on the file."""
        return {name: tool.certain for name, tool in self.tools.items() if tool.certain}

    @cached_property
    def falling_tools(self) -> dict[str, tuple[str, ...]]:
        """Tools that a denial of another tool denies."""
        return {name: tool.falls_with for name, tool in self.tools.items() if tool.falls_with}

    @cached_property
    def fixed_tools(self) -> tuple[str, ...]:
        """The tools that cannot be denied to an agent that lists its tools."""
        return tuple(name for name, tool in self.tools.items() if tool.presence == "always")

    @cached_property
    def unnamed_grants(self) -> frozenset[str]:
        """The canonical tools that every agent has although they cannot be named."""
        fixed = self.fixed_tools if self.only_names else ()
        return frozenset(grant for name in fixed for grant in self.tools[name].grants)

    def reads(self, kind: str) -> bool:
        """Does it load markdown of this kind?"""
        return kind in self.kinds and self.kinds[kind].file == "markdown"

    def fold(self, name: str) -> str:
        return name.lower() if self.ignore_case else name

    def lookup(self, name: str) -> Name | None:
        """The table's entry for a name in a file."""
        folded = self.fold(name)
        known = self._exact_names.get(name) or self._other_names.get(folded) or self._tool_names.get(folded)
        if known is None and self.matching == "last-segment" and name.find("/", 1) > 0:
            # A tool takes precedence over a name for several tools: `x/edit` is only `edit`.
            last = folded.rpartition("/")[2]
            found = self._tool_names.get(last) or self._other_names.get(last)
            known = found if found is not None and found.status != "inner" else None
        return known

    @cached_property
    def takes_custom(self) -> bool:
        """Can a file name a custom tool? Not if only the names in the table count, unless its form shows what it is."""
        keys = [key for kind in self.kinds.values() for key in kind.keys.values() if not key.presets]
        refuses = any(key.unknown == "refused" for key in keys)
        return bool(keys) and (self.custom != _BARE or not (self.only_names or refuses))

    def custom_name(self, name: str) -> str | None:
        """The custom tool that a name denotes, if the form of the name shows it."""
        if self.custom == _BARE:
            return None
        before, _, after = self.custom.partition("{name}")
        inner = name.removeprefix(before).removesuffix(after)
        return inner if inner and name == self.custom.format(name=inner) else None

    def natives(self, name: str) -> tuple[str, ...]:
        """The native tools that a name grants, including those that come with them."""
        return _natives_for(self, name)

    @cached_property
    def spelling(self) -> dict[str, str]:
        """Lower case to the correct spelling."""
        return {ascii_lower(name): name for name in [*self.names, *self.tools]}

    def canonical(self, name: str) -> tuple[str, ...] | None:
        """The canonical tools that a name stands for in this harness; None for an unknown name."""
        known = self.lookup(name)
        if known is None:
            return None
        return known.means or tuple(dict.fromkeys(tool for native in known.gives for tool in self.tools[native].grants))

    def granted(self, natives: Iterable[str]) -> dict[Tool, None]:
        """The canonical tools that native ones grant, each once, in their order; shared, so never changed."""
        return _granted_by(self, tuple(natives))

    def main_tools(self, name: str) -> tuple[str, ...]:
        """The canonical tools that people write a name for, without those that come along."""
        return _main_tools(self, name)


@lru_cache(maxsize=4096)
def _main_tools(harness: Harness, name: str) -> tuple[str, ...]:
    known = harness.lookup(name)
    if known is None or known.means:
        return harness.canonical(name) or ()
    main = (tool.name for native in known.gives for tool in harness.tools[native].main)
    return tuple(dict.fromkeys(tool for tool in main if tool not in known.along))


@lru_cache(maxsize=1024)
def _granted_by(harness: Harness, natives: tuple[str, ...]) -> dict[Tool, None]:
    return dict.fromkeys(tool for native in natives for tool in harness.tools[native].granted)


@lru_cache(maxsize=4096)
def _natives_for(harness: Harness, name: str) -> tuple[str, ...]:
    known = harness.lookup(name)
    if known is None:
        return ()
    return tuple(dict.fromkeys(each for tool in known.gives for each in (tool, *harness.tools[tool].brings)))
