"""One file as the rules see it: its intent and its effect, each computed once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.copies import Copies
from fsagent_lint.agent.intent import Intent, intent
from fsagent_lint.agent.tool_values import ToolValue, read_tool_value
from fsagent_lint.agent.verdicts import ClassifiedItem, KnownNames, classify_items, known_names
from fsagent_lint.effect import presets
from fsagent_lint.effect.effect import Effect, effect
from fsagent_lint.effect.surroundings import NO_SURROUNDINGS, KnownTools, Neighbours, Plugin, Surroundings
from fsagent_lint.files.globs import Glob
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.nodes import List, Map, Node, Scalar
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.mcp import has_ambiguous_names, server_name
from fsagent_lint.harnesses.tables import active_tables, get_harness
from fsagent_lint.harnesses.vocabulary import Meaning, identify, known_custom, main_tools, suggest
from fsagent_lint.model.policy import Action, Policy
from fsagent_lint.model.tool import ACCEPT_NONE, Tool
from fsagent_lint.suggest import ascii_lower

_MAX_GUESSES = 100_000
"""How many pairs of names are compared to find typos."""
_KIND_WORDS = {"chatmode": "chat mode"}


class Sort(StrEnum):
    """What a subject is, so that a rule can declare which subjects it checks."""

    MARKDOWN = "a markdown file"
    DATA = "a data file that holds agents: JSON, YAML or TOML"
    MEMBER = "one agent of a data file"
    MODULE = "a Python module"
    CALL = "a call that makes an agent"
    UNCLEAR = "a file that may be any harness's"


OF_ONE_HARNESS = (Sort.MEMBER, Sort.CALL)
"""Agents in a list or in a call: no other harness reads them."""


class Goal(NamedTuple):
    """What the user wants the file to become: a file for another harness, or one in another tool format."""

    target: Harness | None = None
    forms: Mapping[str, str] = MappingProxyType({})
    """Harness to the tool format of its files; `*`: of every harness."""
    accept: frozenset[str] = ACCEPT_NONE
    """Tools and risks that the agent may be granted beyond the intent."""
    enrichers: tuple[Callable[..., Policy], ...] = ()
    """What changes the tools of an agent that is written for the target: `agent/enrich.py` runs them."""

    def form(self, harness: Harness) -> str:
        """The tool format for the files of a harness."""
        return self.forms.get(harness.id) or self.forms.get("*") or "auto"


NO_GOAL = Goal()


class Context(NamedTuple):
    """What is known besides the file itself: from the config, the project and the command line."""

    servers: frozenset[str] = frozenset()
    """MCP servers that the config names."""
    neighbours: Neighbours | None = None
    """What other files of the project define; they are read only on demand."""
    registry: KnownTools | None = None
    """Which MCP servers and custom tools there are, likewise."""
    goal: Goal = NO_GOAL
    copies: Copies | None = None
    """The generated copies that the config asks for."""
    assumed: bool = False
    """The harness is a guess from the file's content: the file lies in no folder of a harness."""
    unsure: bool = False
    """The content fits another harness nearly as well."""
    surrounded: bool = True
    """Does the project's config of agents apply? Not to a file as another harness would read it."""


NO_CONTEXT = Context()


NO_AGENT = Kind()
"""Of a file that holds agents, and is none itself."""


class Subject:
    """What a rule checks."""

    sort = Sort.MARKDOWN
    refusal = "it refuses the file"
    """How messages describe that the harness refuses such a file."""

    def __init__(
        self,
        document: Document,
        harness: Harness,
        kind_name: str,
        context: Context = NO_CONTEXT,
        kind: Kind | None = None,
    ) -> None:
        self.document, self.harness, self.kind_name, self.context = document, harness, kind_name, context
        self.neighbours, self.goal = context.neighbours, context.goal
        self.kind = kind or self._kind()
        self._guessed: set[str] = set()

    def _kind(self) -> Kind:
        kind = self.harness.kinds[self.kind_name]
        return kind.in_plugins if kind.ignored_in_plugins and self.plugin is not None else kind

    @cached_property
    def plugin(self) -> Plugin | None:
        """The plugin that the file belongs to."""
        return self.neighbours.plugin(self.harness) if self.neighbours is not None else None

    @property
    def is_guess(self) -> bool:
        """Is the harness a guess from the content alone? A name such as `x.agent.md` is more than that."""
        name = ascii_lower(self.document.source.path.replace("\\", "/").rpartition("/")[2])
        return self.context.assumed and not any(Glob(ascii_lower(each)).name(name) for each in self.kind.names)

    @property
    def is_passed_on(self) -> bool:
        """Do the other readers of the harness's folder read the file? Whether they read plugins is not known."""
        return not self.is_guess and self.plugin is None

    def like(self, harness: Harness, kind_name: str = "", document: Document | None = None) -> Subject:
        """The same file, or a new version of it, as a harness reads it; another harness knows the same servers."""
        context = self.context._replace(goal=NO_GOAL)
        if harness is not self.harness:
            context = context._replace(servers=self.known_servers, surrounded=False)
        kind = self.kind if harness is self.harness and kind_name in ("", self.kind_name) else None
        return Subject(document or self.document, harness, kind_name or self.kind_name, context, kind)

    @property
    def form(self) -> str:
        """The tool format that the user wants for this file."""
        return self.goal.form(self.goal.target or self.harness)

    @property
    def parts(self) -> tuple[Subject, ...]:
        """The subjects that the rules check: a module or a list has several, any other file is one."""
        return (self,)

    @property
    def title(self) -> str:
        """What tells an agent from the others in its file; empty for a file that is one agent."""
        return self.document.stem if self.kind.under else ""

    @property
    def store(self) -> str:
        """A file with several agents of which this is one; empty for other files."""
        return ""

    @property
    def takes_last(self) -> bool:
        """Is it known that the last of two equal keys counts, whatever else is wrong?"""
        return False

    @property
    def refuses(self) -> str:
        """A clause for a file that the harness does not load: its name, and what it does."""
        return f"{self.harness.title}{self.refusal.removeprefix('it')}"

    @property
    def skips_file(self) -> str:
        """The same about a markdown file that is not loaded; a standard is no program, and not all follow it strictly."""
        readers = f"{self.harness.title} does" if not self.harness.standard else "strict harnesses do"
        return f"{readers} not load the file"

    @property
    def amends(self) -> bool:
        """Does it only change agents that are defined elsewhere? Then what it names is not all that they have."""
        return False

    @property
    def agents(self) -> tuple[Subject, ...]:
        """The parts that are agents."""
        return self.parts

    def unread(self, key: str) -> str:
        """How messages describe a key that the harness does not read."""
        return f"{self.harness.title} does not read `{key}` in {self.a_kind}"

    @property
    def a_kind(self) -> str:
        """The kind with its article."""
        return f"{'an' if self.kind_name == 'agent' else 'a'} {_KIND_WORDS.get(self.kind_name, self.kind_name)}"

    @cached_property
    def shared_harnesses(self) -> tuple[Harness, ...]:
        """The other harnesses that the file is written for."""
        return tuple(get_harness(id) for id in self.kind.shared_with)

    @cached_property
    def effect(self) -> Effect:
        return effect(self.document, self.harness, self.kind, surroundings=self.surroundings())

    def surroundings(self) -> Surroundings:
        """What the project's config grants and denies. What it breaks is not a finding about this file."""
        if not self.context.surrounded:
            return NO_SURROUNDINGS
        found = self.surroundings_in(self.harness)
        return found._replace(refused="", others=()) if found is not NO_SURROUNDINGS else found

    def surroundings_in(self, harness: Harness) -> Surroundings:
        """What the project's config adds to the agent in some harness."""
        if self.neighbours is None or self.kind_name not in ("agent", "mode"):
            return NO_SURROUNDINGS
        return self.neighbours.surroundings(harness, self.document.text_of("name") or self.document.stem)

    @cached_property
    def granted(self) -> frozenset[Tool]:
        """The canonical tools that the running agent is granted."""
        return frozenset(self.harness.granted(self.effect.natives))

    @cached_property
    def values(self) -> tuple[ToolValue, ...]:
        """The values of the tool keys that the harness reads, in the file's order."""
        return self._read_all(self.kind.keys)

    @cached_property
    def misplaced(self) -> tuple[ToolValue, ...]:
        """The values of keys that look like tool keys but have no effect here."""
        return self._read_all(self.kind.wrong_keys)

    @cached_property
    def intent(self) -> Intent:
        own = [(self.kind.keys[value.key].role, value) for value in self.values if not _is_unrestricted_preset(value)]
        roles = {role for role, _ in own}
        for value in self.misplaced:
            role = self.kind.wrong_keys[value.key].role
            if role != "approve" and role not in roles:
                own.append((role, value))
        if not own and (missing := self.kind.required_key):
            return Intent(Policy(Action.DENY), f"`{missing}` is missing")
        found = intent([pair for pair in own if pair[0] != "approve"], lambda name: self.meaning(name).tools)
        if self.kind.required_key and found.policy.default is Action.ALLOW and not _names_everything(own):
            # If agents have only the tools that are named, a denial does not allow all the others.
            return Intent(Policy(Action.DENY, found.policy.rules), f"`{own[0][1].key}` denies some tools")
        return found

    @cached_property
    def known_servers(self) -> frozenset[str]:
        """MCP servers that the config, the project or the file itself defines."""
        own = [self.document.get(key) for key in ("mcpServers", "mcp-servers")]
        found = self.context.servers.union(*(_server_names(entry.value) for entry in own if entry is not None))
        return found.union(*(self.found_servers(harness) for harness in (self.harness, *self.shared_harnesses)))

    def found_servers(self, harness: Harness) -> Mapping[str, str]:
        """The MCP servers that a harness finds in the project, each with the file that defines it."""
        return self.context.registry.servers(harness) if self.context.registry is not None else {}

    @cached_property
    def known_custom(self) -> Mapping[str, Tool]:
        """Custom tools that the config, an installed package or the project defines, by their names in this harness."""
        registry = self.context.registry
        return registry.custom(self.harness) if registry is not None else known_custom(self.harness)

    @cached_property
    def known_agents(self) -> frozenset[str]:
        """The agents that the project defines for this harness or for others that the file is written for."""
        if self.neighbours is None:
            return frozenset()
        return frozenset[str]().union(
            *(self.neighbours.agents(each) for each in (self.harness, *self.shared_harnesses))
        )

    @cached_property
    def known_skills(self) -> frozenset[str]:
        """The skills that the project defines, likewise."""
        if self.neighbours is None:
            return frozenset()
        return frozenset[str]().union(
            *(self.neighbours.skills(each) for each in (self.harness, *self.shared_harnesses))
        )

    def suggest(self, name: str, *, sure: bool = False) -> str | None:
        """The name in the harness or the project that a typo most likely stands for."""
        if name in self._whole_servers:
            return self._whole_servers[name]
        if native := next((native for native, tool in self.known_custom.items() if tool.name == name), ""):
            return native
        more = self._project_names
        if name not in self._guessed and len(self._guessed) * (100 + len(more)) >= _MAX_GUESSES:
            return None
        self._guessed.add(name)
        return suggest(name, self.harness, sure=sure, more=more)

    @cached_property
    def _whole_servers(self) -> dict[str, str]:
        """Known servers, each with the name for all of its tools."""
        form = self.harness.mcp.server
        return {server: form.format(server=server_name(server, self.harness)) for server in self.known_servers}

    @cached_property
    def _project_names(self) -> tuple[str, ...]:
        return (*sorted(self.known_custom), *sorted(self._whole_servers.values()))

    @property
    def name(self) -> str:
        """The name that the harness uses: from the field `name`, the file or its folder."""
        own = self.document.text_of("name") if self.kind.identity == "name" else None
        return own or self.file_identity

    @property
    def file_identity(self) -> str:
        """The name of the file, or of its folder."""
        if self.kind.identity != "folder":
            return self.document.stem
        return self.document.source.path.replace("\\", "/").rpartition("/")[0].rpartition("/")[2]

    def meaning(self, name: str) -> Meaning:
        """What a tool name stands for in this file."""
        known = self.names.meanings
        if name in known:
            return known[name]
        if (meaning := self._meaning_in_tables(name)) is not None:
            self.names.keep(known, name, meaning)
            return meaning
        # Only now is it worth reading the project: `db_query` is a tool of the server `db`, if there is one.
        if (custom := self.known_custom.get(name)) is not None:
            return Meaning("custom", (custom,), self.harness.id, name)
        return identify(name, self.harness, self.known_servers)

    def _meaning_in_tables(self, name: str) -> Meaning | None:
        """What it stands for in every project; None if that depends on the project."""
        own = identify(name, self.harness, self.context.servers)
        if own.how == "own":
            return own
        for other in self.shared_harnesses:
            if other.lookup(name) is not None:
                return identify(name, other, self.context.servers)
        for other in self.shared_harnesses if own.how in ("unknown", "foreign") else ():
            is_similar = ascii_lower(name) in other.spelling
            if is_similar and (shared := identify(name, other, self.context.servers)).how == "case":
                return shared
        if own.how == "mcp" and has_ambiguous_names(self.harness):
            return None  # `a_b_*` are tools of the server `a`, if there is one
        return own if own.how not in ("unknown", "foreign", "case") else None

    def main_tools(self, name: str) -> tuple[Tool, ...]:
        """The canonical tools that a name is written for, without those that only come along."""
        return main_tools(self.meaning(name))

    @cached_property
    def items(self) -> tuple[ClassifiedItem, ...]:
        """Every tool entry of the keys that the harness reads, with a verdict."""
        return tuple(classify_items(self)) if self.values else ()

    @cached_property
    def names(self) -> KnownNames:
        """Cached facts about names; the same for every file of the harness."""
        return known_names(self.harness, self.shared_harnesses, self.context.servers, active_tables())

    def _read_all(self, keys: Mapping[str, object]) -> tuple[ToolValue, ...]:
        names = self.document.by_name
        if names.keys().isdisjoint(keys):
            return ()
        # The last of several equal keys counts, if such a file loads at all.
        text, found = self.document.source.text, []
        for entry in self.document.entries:
            name = entry.name
            if name is not None and name in keys and names[name] is entry:
                found.append(read_tool_value(entry, text, self.kind.keys.get(name)))
        return tuple(found)


def effect_in(subject: Subject, harness: Harness, owner: str = "") -> Effect:
    """What a harness does with a file that lies in its folder, or in the owner's, including the file's neighbours."""
    if subject.sort in OF_ONE_HARNESS:
        return subject.effect
    kind = harness.kinds[subject.kind_name]
    return effect(subject.document, harness, kind, owner, subject.surroundings_in(harness))


def _names_everything(values: Sequence[tuple[str, ToolValue]]) -> bool:
    return any(item.name == "*" for _, value in values for item in value.items)


def _is_unrestricted_preset(value: ToolValue) -> bool:
    """A preset of all tools: only other keys restrict anything."""
    return value.shape == presets.FORM and [item.name for item in value.items] == ["*"]


def _server_names(node: Node) -> frozenset[str]:
    """Server names from a list of names or of one-entry maps, or from a map."""
    if isinstance(node, Map):
        return frozenset(entry.name for entry in node.entries if entry.name is not None)
    if isinstance(node, List):
        names = [item.value for item in node.items if isinstance(item, Scalar)]
        return frozenset(names).union(*(_server_names(item) for item in node.items if isinstance(item, Map)))
    return frozenset()


class UnclearSubject(Subject):
    """A file in a folder that several harnesses read: only that is reported.

    It is read in canonical names, which belong to no harness.
    """

    sort = Sort.UNCLEAR

    def __init__(self, document: Document) -> None:
        super().__init__(document, get_harness("canonical"), "agent")

    @cached_property
    def effect(self) -> Effect:
        return Effect(False, "its harness is not known")
