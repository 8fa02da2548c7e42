"""Harness tables: what each harness calls its tools and what it does with their names."""

from __future__ import annotations

from datetime import date
from functools import cached_property, lru_cache
from typing import Literal

from fsagent_lint._fast import NO_ENTRIES, Record
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.model.tool import Tool


class NativeTool(Record):
    """A tool as the running agent sees it."""

    grants: tuple[str, ...] = ()
    """The canonical tools that it amounts to."""
    gate: str = ""
    """The permission key that switches it, where that is not its own name."""
    presence: Literal["default", "listed", "always", "conditional"] = "default"
    """default: there unless taken away. listed: only when named. always: cannot be taken away."""
    condition: str = ""
    """What a conditional tool waits for."""
    unless: tuple[str, ...] = ()
    """Not there when one of these is."""
    brings: tuple[str, ...] = ()
    """Tools that come with it when it is named."""
    when: str = ""
    """There only under a condition that the file decides: a function of `conditions`."""
    spelled: Literal["", "exactly"] = ""
    """Case counts for this one, where it does not for others."""
    delegated: Literal["", "never", "named", "listed"] = ""
    """In an agent that another one delegates to, it is never there, only where the file itself names it, or (listed)
    also where the file lists no tools at all."""

    @cached_property
    def granted(self) -> tuple[Tool, ...]:
        return tuple(Tool(name) for name in self.grants)


class Name(Record):
    """A name that people write, beside the tools' own."""

    gives: tuple[str, ...] = ()
    """The native tools that it brings."""
    status: Literal["current", "renamed", "removed", "withheld", "inner"] = "current"
    """renamed: still understood. removed: dropped without a word. withheld: a tool, but one that no agent of this kind
    is given. inner: a tool that comes with another name, and that cannot be named itself."""
    use: tuple[str, ...] = ()
    """What to write instead."""
    means: tuple[str, ...] = ()
    """The canonical tools it stood for, where nothing native is left."""
    note: str = ""


class McpNaming(Record):
    """How an MCP tool is written."""

    tool: str
    """With {server} and {tool}."""
    server: str
    """Every tool of a server, with {server}."""
    also: tuple[str, ...] = ()
    """Other ways to write every tool of a server."""
    whole: Literal["anywhere", "denied"] = "anywhere"
    """Where a server as a whole can be named. denied: where tools are denied, and not where they are allowed."""
    patterns: Literal["anywhere", "denied", "nowhere"] = "anywhere"
    """Where a star may stand for a part of a name. denied: where tools are denied, and not where they are allowed."""
    every: str = ""
    """Every tool of every server."""
    every_denies: bool = False
    """That is understood only where tools are denied."""
    native: str = ""
    """What the running agent calls the tool, where that is not how it is written."""
    native_other: str = ""
    """What odd characters turn into there."""
    valid_server: str = ""
    """A pattern of what may stand for {server}, where that is not just anything."""
    valid_tool: str = ""
    """The same for {tool}."""
    other: str = ""
    """What characters outside A-Z, a-z, 0-9, _ and - turn into; empty: they stay."""
    lower: bool = False
    builtin: tuple[str, ...] = ()
    """Servers that are there without any config."""
    outside: tuple[str, ...] = ()
    """Globs of names that no file in a repository defines: of extensions, plugins, accounts."""


class Discovery(Record):
    """A file beside agents that says what else there is."""

    file: str
    """Relative to every folder from the agent's up to the project's; the name may have `*`."""
    what: Literal[
        "servers",
        "plugin-servers",
        "custom-tools",
        "agents",
        "skills",
        "opencode-config",
        "kilo-config",
        "claude-settings",
    ]
    """How to read it: a function of `discover`."""
    key: str = ""
    """Where in it the names are."""
    bare: bool = False
    """Without the key, the whole file is what the key would hold."""


class Harness(Record):
    id: str
    title: str
    mcp: McpNaming
    reader: str
    """How it reads frontmatter: a function of `reader`."""
    semantics: str
    """How keys become tools: a function of `semantics`."""
    kinds: dict[str, Kind]
    tools: dict[str, NativeTool]
    write: dict[str, tuple[str, ...]]
    """Canonical tool to the names to write for it."""
    discovers: tuple[Discovery, ...] = ()
    """The files beside agents that it reads, the later ones with the last word."""
    version: str = ""
    verified: date | None = None
    """When the facts were last seen to be true of that version."""
    sources: tuple[str, ...] = ()
    names: dict[str, Name] = NO_ENTRIES
    models: dict[str, str] = NO_ENTRIES
    """Model family (opus, sonnet, haiku) to what it is called here."""
    foreign_names: dict[str, dict[str, tuple[str, ...]]] = NO_ENTRIES
    """For files of another harness that this one reads with a vocabulary of its own: name to native tools."""
    fence: Literal["line", "prefix", "anywhere"] = "line"
    """What closes the frontmatter: a line `---`, a line that begins so, or the first `---` anywhere."""
    everything: tuple[str, ...] = ()
    """Entries that mean every tool."""
    ignore_case: bool = False
    matching: Literal["whole", "last-segment"] = "whole"
    """last-segment: what stands before the last slash does not matter."""
    only_names: bool = False
    """A tool cannot be named itself, only by one of the names that bring it."""
    open_names: bool = False
    """An unknown name may be a tool that nobody can see from the file: of an MCP server, an extension, a plugin."""
    agents: tuple[str, ...] = ()
    """Its built-in agents."""
    skills: tuple[str, ...] = ()
    """Its built-in skills."""
    custom: str = "{name}"
    """How a tool of the project's own is written."""
    reference: str = ""
    """What stands before a tool's name where a prompt speaks of it."""
    surprises: tuple[str, ...] = ()
    """What people do not expect, for the docs page."""
    unverified: str = ""
    """What in this table nobody has seen the harness do."""

    @property
    def main_kind(self) -> str:
        """What a file of this harness is, unless something says otherwise."""
        return "agent" if "agent" in self.kinds else next(iter(self.kinds))

    @cached_property
    def _exact(self) -> dict[str, Name]:
        """Names that must be spelled as they are, whatever the harness does about the others."""
        return {tool: Name(gives=(tool,)) for tool, facts in self.tools.items() if facts.spelled}

    @cached_property
    def _tools(self) -> dict[str, Name]:
        known = {self.fold(tool): Name(gives=(tool,)) for tool, facts in self.tools.items() if not facts.spelled}
        return {tool: self._inner(name) for tool, name in known.items()} if self.only_names else known

    def _inner(self, tool: Name) -> Name:
        """The same of a tool that only comes with a name."""
        ways = (name for name, facts in self.names.items() if {*tool.gives} <= {*facts.gives})
        return Name(gives=tool.gives, status="inner", use=tuple(ways)[:1])

    @cached_property
    def _names(self) -> dict[str, Name]:
        return {self.fold(name): value for name, value in self.names.items()}

    @cached_property
    def default_tools(self) -> tuple[str, ...]:
        """What an agent has that says nothing about tools."""
        return tuple(name for name, tool in self.tools.items() if tool.presence != "listed")

    @cached_property
    def default_set(self) -> frozenset[str]:
        return frozenset(self.default_tools)

    @cached_property
    def uncertain_tools(self) -> dict[str, str]:
        """Tools that are there only under a condition, with the condition."""
        return {name: tool.when for name, tool in self.tools.items() if tool.when}

    @cached_property
    def fixed_tools(self) -> tuple[str, ...]:
        """What nothing takes away from an agent that names its tools."""
        return tuple(name for name, tool in self.tools.items() if tool.presence == "always")

    @cached_property
    def unnamed_grants(self) -> frozenset[str]:
        """The canonical tools that every agent has, though they cannot be named."""
        fixed = self.fixed_tools if self.only_names else ()
        return frozenset(grant for name in fixed for grant in self.tools[name].grants)

    def reads(self, kind: str) -> bool:
        """Does it load markdown of this kind?"""
        return kind in self.kinds and self.kinds[kind].file == "markdown"

    def fold(self, name: str) -> str:
        return name.lower() if self.ignore_case else name

    def lookup(self, name: str) -> Name | None:
        """What the table says about a name as it is written."""
        folded = self.fold(name)
        known = self._exact.get(name) or self._names.get(folded) or self._tools.get(folded)
        if known is None and self.matching == "last-segment" and name.find("/", 1) > 0:
            # A tool goes before a name that stands for several: `x/edit` is `edit` alone.
            last = folded.rpartition("/")[2]
            known = self._tools.get(last) or self._names.get(last)
        return known

    def custom_name(self, name: str) -> str | None:
        """The project's own tool that a name is, where the form of a name tells."""
        before, _, after = self.custom.partition("{name}")
        inner = name.removeprefix(before).removesuffix(after)
        return inner if (before or after) and inner and name == self.custom.format(name=inner) else None

    def natives(self, name: str) -> tuple[str, ...]:
        """The native tools that a written name brings, companions included."""
        return _natives(self, name)

    @cached_property
    def spelling(self) -> dict[str, str]:
        """Lower case to the right spelling."""
        return {ascii_lower(name): name for name in [*self.names, *self.tools]}

    def canonical(self, name: str) -> tuple[str, ...] | None:
        """The canonical tools that a written name stands for here; None for a name it does not know."""
        known = self.lookup(name)
        if known is None:
            return None
        return known.means or tuple(dict.fromkeys(tool for native in known.gives for tool in self.tools[native].grants))


@lru_cache(maxsize=4096)
def _natives(harness: Harness, name: str) -> tuple[str, ...]:
    known = harness.lookup(name)
    if known is None:
        return ()
    return tuple(dict.fromkeys(each for tool in known.gives for each in (tool, *harness.tools[tool].brings)))


_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def ascii_lower(text: str) -> str:
    """Lower case for A to Z alone: `str.lower` would turn a Kelvin sign into `k`."""
    return text.translate(_LOWER)
