"""Harness tables: what each harness calls its tools, where it looks for files, and what it does with a key."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import date
from functools import cache, lru_cache
from typing import Any, Literal

from fsagent_lint.lazy import cached_property
from fsagent_lint.record import NO_ENTRIES, Record
from fsagent_lint.strict import DataError, load


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


class Key(Record):
    """A frontmatter key that speaks of tools."""

    role: Literal["allow", "deny", "switch", "permission", "approve"]
    """approve: the named tools run without asking; nothing is restricted."""
    syntax: str
    """How the harness reads the value: a function of `syntax`."""
    forms: tuple[str, ...]
    """The tool formats that it accepts; the first is the one to write."""
    also: tuple[str, ...] = ()
    """Names that this key understands beside those of the table."""
    gates: dict[str, str] = NO_ENTRIES
    """Names that this key turns into another gate before looking at them."""
    scopes: Literal["honoured", "ignored", "dropped"] = "honoured"
    """What becomes of `Tool(scope)`: it counts, it is read as `Tool`, or the entry is lost."""
    prefixes: bool = False
    """A scope without a star stands for all that begins with it."""
    scoped: tuple[str, ...] = ()
    """Names whose scope counts all the same."""
    literal: tuple[str, ...] = ()
    """Endings of a scope that mean a pattern elsewhere, and here only what they say."""
    everything: bool = True
    """Does an entry that means every tool mean so here?"""
    flat: tuple[str, ...] = ()
    """Names whose value must be an action: patterns below them are refused."""
    blanks: bool = False
    """Names in a string may also be separated by blanks."""
    presets: dict[str, tuple[str, ...]] = NO_ENTRIES
    """Values that stand for several names: `true`, or a category."""
    nothing: str = ""
    """The name to write for no tools at all, where an empty list means something else."""
    nulls: Literal["refused", "ignored"] = "refused"
    """What an action leads to that is not there: `bash:` with nothing behind it, or the key itself."""
    unknown: Literal["dropped", "refused"] = "dropped"
    """What an entry leads to that names no tool: it is passed over, or keeps the file from loading."""
    instead: str = ""
    """The key to prefer, where this one is deprecated."""
    required: bool = False
    """Without it the file is refused."""
    twice: Literal["fine", "refused"] = "fine"
    """What an entry leads to that is there already."""
    option: str = ""
    """An entry may be `[name, {option: scope}]`, and the scope is a regular expression: this is the option's name."""


class WrongKey(Record):
    """A key that looks as if it spoke of tools, and that this harness does not read."""

    role: Literal["allow", "deny", "permission", "approve"]
    use: str = ""
    """The key that does what was meant, where there is one."""


class Field(Record):
    """Any other frontmatter key."""

    type: tuple[str, ...] = ("any",)
    """string, boolean, number, integer, list, map, null or any."""
    values: tuple[str, ...] = ()
    pattern: str = ""
    max_length: int = 0
    """How many characters the harness takes; 0: no limit known."""
    is_identity: bool = False
    """It has to be the name of the file or folder."""
    required: bool = False
    may_be_empty: bool = False
    """Required, but empty text will do."""
    wrong: Literal["refused", "ignored"] = "ignored"
    """What happens to a file whose value does not fit."""
    instead: str = ""
    """What to write instead of a deprecated field."""
    check: str = ""
    """What else must hold: a function of `checks`."""
    limits: str = ""
    """It takes something away in words of its own, which are not translated: a function of `checks` says what."""
    adds: tuple[str, ...] = ()
    """Native tools that come with a legal value, however few the file names."""
    undelegated: tuple[str, ...] = ()
    """Native tools that `true` takes from an agent that another one delegates to."""
    private: bool | None = None
    """The value with which only a person can ask for the agent or skill, and no other agent."""
    meaning: str = ""
    """The slot of the neutral agent that this field fills."""
    by_risk: dict[str, tuple[str, ...]] = NO_ENTRIES
    """Values with the risks that they are enough for: of those that cover an agent's tools, the first is written."""
    agents: Literal["", "each", "agent"] = ""
    """It names other agents: in each of its values, or under a key of that name in each."""
    skills: bool = False
    """Its values are names of skills."""
    matchers: tuple[str, ...] = ()
    """It holds hooks; those of these events wait for tools of a name."""
    note: str = ""

    @cached_property
    def takes_any_text(self) -> bool:
        """Is there no text that would not do?"""
        narrows = self.values or self.pattern or self.max_length or self.check or self.required
        return not narrows and not {"any", "string"}.isdisjoint(self.type)


class Place(Record):
    """Where files of a sort lie, and who reads them."""

    globs: tuple[str, ...] = ()
    identity: Literal["name", "file", "folder"] = "file"
    """What the harness knows the agent by."""
    shared_with: tuple[str, ...] = ()
    """Harnesses that these files are written for as well: their names are no mistakes here."""
    read_by: tuple[str, ...] = ()
    """Harnesses that load these files too, though they are not written for them."""


class Kind(Place):
    """A sort of file: where it lies and what its keys mean."""

    path: str = ""
    """Where a new file of this kind goes, with {name}."""
    file: Literal["markdown", "toml", "yaml"] = "markdown"
    """What such a file is. toml: it is written, and never read. yaml: it holds a list of agents."""
    under: str = ""
    """The key of that list."""
    body: str = ""
    """The field that the prompt becomes where it is no body."""
    body_also: tuple[str, ...] = ()
    """Fields whose text follows that of the prompt."""
    reader: str = ""
    """How it reads such files, where not as its others: a function of `reader`."""
    implies: dict[str, str] = NO_ENTRIES
    """What a file of this kind is without saying so: slot of the neutral agent to value."""
    keys: dict[str, Key] = NO_ENTRIES
    wrong_keys: dict[str, WrongKey] = NO_ENTRIES
    fields: dict[str, Field] = NO_ENTRIES
    unknown_fields: Literal["ignored", "forwarded", "forbidden", "refused"] = "ignored"
    """A field that is none of these. forwarded: it is sent to the model's provider. forbidden: it is against the
    standard, and ignored. refused: it keeps the file from loading."""
    frontmatter: Literal["required", "optional"] = "required"
    max_body: int = 0
    """How many characters of prompt the harness takes; 0: no limit known."""
    max_body_note: str = ""
    """Whose limit that is, where the harness is more than one program."""
    min_body: int = 0
    """How many characters of prompt the harness asks for."""
    placeholder: str = ""
    """A pattern of what it replaces in the prompt, with the name as its group; an agent with an unknown one fails."""
    placeholders: tuple[str, ...] = ()
    """The names that it knows."""

    @cached_property
    def roles(self) -> frozenset[str]:
        """What its keys are for."""
        return frozenset(key.role for key in self.keys.values())

    @property
    def has_switches(self) -> bool:
        """Can tools be switched one by one?"""
        return not self.roles.isdisjoint(("switch", "permission"))

    @cached_property
    def required(self) -> dict[str, Field]:
        """The fields that have to be there."""
        return {name: field for name, field in self.fields.items() if field.required}

    @cached_property
    def known_fields(self) -> frozenset[str]:
        """Every key that the table says something about, and YAML itself."""
        return frozenset((*self.fields, *self.keys, *self.wrong_keys, "<<"))

    @cached_property
    def special_fields(self) -> frozenset[str]:
        """Those that are deprecated, hold hooks, bring tools or name agents or skills."""
        return frozenset(
            name
            for name, field in self.fields.items()
            if field.instead or field.matchers or field.adds or field.agents or field.skills
        )

    @cached_property
    def agent_fields(self) -> dict[str, Field]:
        """Those that name other agents."""
        return {name: field for name, field in self.fields.items() if field.agents}

    @cached_property
    def skill_fields(self) -> dict[str, Field]:
        """Those that name skills."""
        return {name: field for name, field in self.fields.items() if field.skills}

    def slot(self, meaning: str) -> str:
        """The field that fills a slot of the neutral agent; empty where none does."""
        return next((name for name, field in self.fields.items() if field.meaning == meaning and not field.instead), "")

    @cached_property
    def required_key(self) -> str:
        """The key for tools that such a file must have, if there is one."""
        return next((name for name, key in self.keys.items() if key.required), "")

    @cached_property
    def decisive(self) -> dict[str, Field]:
        """The fields that decide whether a file is loaded at all."""
        return {
            name: field
            for name, field in self.fields.items()
            if field.wrong == "refused" or field.meaning == "disabled"
        }


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


class Outline(Record):
    """What is asked of every harness at once, so that a whole table is loaded only for files that are its own."""

    id: str
    title: str
    mcp: McpNaming
    kinds: Mapping[str, Place]
    discovers: tuple[Discovery, ...] = ()
    """The files beside agents that it reads, the later ones with the last word."""

    @property
    def main_kind(self) -> str:
        """What a file of this harness is, unless something says otherwise."""
        return "agent" if "agent" in self.kinds else next(iter(self.kinds))


class Harness(Outline):
    reader: str
    """How it reads frontmatter: a function of `reader`."""
    semantics: str
    """How keys become tools: a function of `semantics`."""
    kinds: dict[str, Kind]
    tools: dict[str, NativeTool]
    write: dict[str, tuple[str, ...]]
    """Canonical tool to the names to write for it."""
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


def parse_table(data: object, where: str) -> Harness:
    """A table from its data, with what the types cannot say checked too."""
    harness = load(Harness, data, where)
    for name, value in harness.names.items():
        for native in value.gives:
            if native not in harness.tools:
                raise DataError(f"{where}.names.{name}: gives {native!r}, which is not one of the tools")
    for canonical, names in harness.write.items():
        for name in names:
            if harness.lookup(name) is None:
                raise DataError(f"{where}.write.{canonical}: {name!r} is neither a tool nor a name")
    return harness


FOLDER = os.path.join(os.path.dirname(__file__), "harnesses")


# Where a file could be anyone's, the first of these has it.
_FIRST = ("claude-code", "opencode", "copilot", "vscode")


class Tables:
    """Tables beside the built-in ones, or in their place: of the config, and of installed packages."""

    def __init__(self, own: dict[str, Harness] = NO_ENTRIES) -> None:
        self.own = own


_BUILT_IN_ALONE = Tables()
_IN_FORCE = ContextVar("tables", default=_BUILT_IN_ALONE)


def use_tables(own: dict[str, Harness]) -> None:
    """Put tables in force, until others are; each thread has its own."""
    _IN_FORCE.set(Tables(own) if own else _BUILT_IN_ALONE)


def tables_in_force() -> Tables:
    return _IN_FORCE.get()


def harness_ids() -> tuple[str, ...]:
    """The harnesses that there is a table for."""
    ids, own = builtin_ids(), tables_in_force().own
    return (*ids, *(id for id in own if id not in ids)) if own else ids


def get_harness(id: str) -> Harness:
    return tables_in_force().own.get(id) or builtin_harness(id)


@cache
def builtin_ids() -> tuple[str, ...]:
    """A file in `harnesses` is a harness."""
    ids = sorted(name.removesuffix(".toml") for name in os.listdir(FOLDER) if name.endswith(".toml"))
    return (*_FIRST, *(id for id in ids if id not in _FIRST))


@cache
def builtin_harness(id: str) -> Harness:
    """A table, from its compiled form where that is current: to parse TOML takes twenty times as long."""
    from importlib import import_module

    try:
        compiled = import_module(f"fsagent_lint.compiled.{module_name(id)}")
    except ImportError:
        return read_table(id, table_source(id))
    harness: Harness = compiled.HARNESS
    return harness if table_checksum(id) == compiled.SOURCE else read_table(id, table_source(id))


def table_source(id: str) -> bytes:
    with open(os.path.join(FOLDER, f"{id}.toml"), "rb") as file:
        return file.read()


def table_checksum(id: str) -> int:
    from binascii import crc32

    return crc32(table_source(id))


def builtin_table(id: str) -> dict[str, Any]:
    """The data of a table, for others to build on."""
    import tomllib

    return tomllib.loads(table_source(id).decode("utf-8"))


def module_name(id: str) -> str:
    return id.replace("-", "_")


def read_table(id: str, data: bytes) -> Harness:
    import tomllib

    return parse_table(tomllib.loads(data.decode("utf-8")), f"{id}.toml")
