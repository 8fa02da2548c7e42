"""One file under judgement: its document, its harness, and what was meant and what happens, worked out once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from fsagent_lint._fast import NamedTuple, pattern
from fsagent_lint.agent.intent import Intent, intent
from fsagent_lint.agent.tool_values import ToolValue, read_tool_value
from fsagent_lint.agent.traits import Trait, find_traits
from fsagent_lint.agent.verdicts import ClassifiedItem, Facts, classify_items, known_names
from fsagent_lint.effect import presets
from fsagent_lint.effect.effect import Effect, effect
from fsagent_lint.effect.field_checks import LIMITS
from fsagent_lint.effect.surroundings import NOTHING_AROUND, Surroundings
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.nodes import List, Map, Node, Scalar
from fsagent_lint.frontmatter.source import Span
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Key, Kind
from fsagent_lint.harnesses.mcp import server_name
from fsagent_lint.harnesses.tables import get_harness, tables_in_force
from fsagent_lint.harnesses.vocabulary import Meaning, identify, suggest
from fsagent_lint.model.finding import Consequence, Fix
from fsagent_lint.model.policy import Action, Policy
from fsagent_lint.model.tool import NOTHING_MORE, Tool

if TYPE_CHECKING:
    from fsagent_lint.agent.lists.document import Flaw
    from fsagent_lint.project.neighbours import ProjectNeighbours
    from fsagent_lint.rewrite.convert_tools import Conversion

_MAX_GUESSES = 100_000
"""How many pairs of names are compared in search of typos."""
# What a harness takes for the closing fence, where it does not ask for a line of its own.
_CUTS = {"prefix": "\n---", "anywhere": "---"}
_KEY_LINE = pattern(rb"[\r\n]([A-Za-z][\w-]*)[ \t]*:(?=[ \t\r\n])")
_MAX_LOST = 4096
"""How far below the frontmatter a part of it is looked for."""
_KIND_WORDS = {"chatmode": "chat mode"}


class Goal(NamedTuple):
    """What the user wants the file to become: written for another harness, or in a certain tool format."""

    target: Harness | None = None
    form: str = "auto"
    accept: frozenset[str] = NOTHING_MORE
    """Tools and risks that the agent may get beyond what was meant."""


NO_GOAL = Goal()


class Misfit(NamedTuple):
    """What becomes of a value whose shape does not fit: who asks for another, what happens, how bad that is."""

    title: str
    outcome: str
    consequence: Consequence
    fix: Fix | None


class Subject:
    """What a rule looks at. `servers` are the MCP servers, `custom` the tools, that the config names.

    `beside` knows what the project's other files define, and looks only when it is asked.
    """

    rules: frozenset[str] | None = None
    """The names of the rules that are about such a file; None: all of them."""
    unfit_rules: frozenset[str] = frozenset()
    """The names of rules that are not about such a file."""
    refusal = "it refuses the file"
    """What comes of a key that the harness does not take."""
    flaws: Sequence[Flaw] | None = None
    """What is wrong with a file as a list of agents; None for a file that is none."""
    has_fixed_keys = False
    """Values can be changed, but no keys."""

    def __init__(
        self,
        document: Document,
        harness: Harness,
        kind_name: str,
        servers: frozenset[str] = frozenset(),
        custom: frozenset[str] = frozenset(),
        goal: Goal = NO_GOAL,
        beside: ProjectNeighbours | None = None,
    ) -> None:
        self.document, self.harness, self.kind_name = document, harness, kind_name
        self.servers, self.custom = servers, custom
        self.beside = beside
        self.goal = goal
        self._guessed: set[str] = set()
        self.alone = False
        """Judged by its own text, whatever else the project says about it."""

    def like(self, harness: Harness, kind_name: str = "", document: Document | None = None) -> Subject:
        """The same file, or a new version of it, as a harness reads it: another one knows the same servers."""
        servers = self.servers if harness is self.harness else self.known_servers
        other = Subject(
            document or self.document, harness, kind_name or self.kind_name, servers, self.custom, beside=self.beside
        )
        other.alone = self.alone or harness is not self.harness
        return other

    is_unclear = False
    """Can nobody tell whose file it is?"""

    @cached_property
    def kind(self) -> Kind:
        return self.harness.kinds[self.kind_name]

    @property
    def parts(self) -> tuple[Subject, ...]:
        """What the rules look at: a module has several agents, any other file is one."""
        return (self,)

    @cached_property
    def traits(self) -> frozenset[str]:
        """What the file has that some rules are about."""
        return find_traits(self)

    @property
    def agents(self) -> tuple[Subject, ...]:
        """Those of the parts that are agents."""
        return self.parts

    def twins(self) -> Iterator[Subject]:
        """Of several agents in one file, those that have the name of an earlier one."""
        return iter(())

    def unread(self, key: str) -> str:
        """The words for a key that the harness does not read."""
        return f"{self.harness.title} does not read `{key}` in {self.a_kind}"

    @cached_property
    def matchers(self) -> tuple[tuple[str, Scalar], ...]:
        """What hooks wait for where those are tools, each with the key that holds the hooks."""
        return tuple(
            (key, entry.value)
            for key, field in self.kind.fields.items()
            if field.matchers and (hooks := self.document.get(key)) is not None and isinstance(hooks.value, Map)
            for event in hooks.value.entries
            if event.name in field.matchers and isinstance(event.value, List)
            for group in event.value.items
            if isinstance(group, Map)
            for entry in group.entries
            if entry.name == "matcher" and isinstance(entry.value, Scalar)
        )

    def misfit(self, written: ToolValue) -> Misfit | None:  # noqa: ARG002
        """What becomes of a value of the wrong shape, where that is not for the effect to say."""
        return None

    @property
    def a_kind(self) -> str:
        """The kind with its article."""
        return f"{'an' if self.kind_name == 'agent' else 'a'} {_KIND_WORDS.get(self.kind_name, self.kind_name)}"

    @cached_property
    def sharers(self) -> tuple[Harness, ...]:
        """The other harnesses that the file is written for as well."""
        return tuple(get_harness(id) for id in self.kind.shared_with)

    @cached_property
    def effect(self) -> Effect:
        return effect(self.document, self.harness, self.kind, around=self.around)

    @cached_property
    def around(self) -> Surroundings:
        """What the project's own config adds and takes away. What it breaks is no finding about this file."""
        if self.alone or self.beside is None or self.kind_name not in ("agent", "mode"):
            return NOTHING_AROUND
        found = self.beside.surroundings(self.harness, self.document.text_of("name") or self.document.stem)
        return found._replace(refused="", others=()) if found != NOTHING_AROUND else NOTHING_AROUND

    @cached_property
    def granted(self) -> frozenset[Tool]:
        """The canonical tools that the running agent has."""
        given = (*self.effect.tools, *self.effect.ask, *self.effect.conditional)
        return frozenset(tool for native in given for tool in self.harness.tools[native].granted)

    @cached_property
    def written(self) -> tuple[ToolValue, ...]:
        """The values of the tool keys that the harness reads, in the file's order."""
        return self._read_all(self.kind.keys)

    @cached_property
    def misplaced(self) -> tuple[ToolValue, ...]:
        """The values of keys that look like tool keys but mean nothing here."""
        return self._read_all(self.kind.wrong_keys)

    @cached_property
    def intent(self) -> Intent:
        own = [(self.kind.keys[value.key].role, value) for value in self.written if not _says_nothing(value)]
        roles = {role for role, _ in own}
        for value in self.misplaced:
            role = self.kind.wrong_keys[value.key].role
            if role != "approve" and role not in roles:
                own.append((role, value))
        if not own and (missing := self.kind.required_key):
            return Intent(Policy(Action.DENY), f"`{missing}` is missing")
        found = intent([pair for pair in own if pair[0] != "approve"], lambda name: self.meaning(name).tools)
        if self.kind.required_key and found.policy.default is Action.ALLOW and not _names_everything(own):
            # Where no agent has a tool that is not named, a denial does not speak of all the others.
            return Intent(Policy(Action.DENY, found.policy.rules), f"`{own[0][1].key}` denies some tools")
        return found

    @cached_property
    def known_servers(self) -> frozenset[str]:
        """MCP servers that the project or the file itself defines."""
        own = [self.document.get(key) for key in ("mcpServers", "mcp-servers")]
        found = self.servers.union(*(_server_names(entry.value) for entry in own if entry is not None))
        if self.beside is None:
            return found
        return found.union(*(self.beside.servers(harness) for harness in (self.harness, *self.sharers)))

    @cached_property
    def known_custom(self) -> frozenset[str]:
        """Custom tools that the config names or the project defines, as they are written here."""
        found = self.custom if self.beside is None else self.custom.union(self.beside.custom_tools(self.harness))
        return frozenset(self.harness.custom.format(name=name) for name in found)

    @cached_property
    def known_agents(self) -> frozenset[str]:
        """The agents that the project defines for this harness or for those that share its files."""
        if self.beside is None:
            return frozenset()
        return frozenset[str]().union(*(self.beside.agents(each) for each in (self.harness, *self.sharers)))

    @cached_property
    def known_skills(self) -> frozenset[str]:
        """The same for skills."""
        if self.beside is None:
            return frozenset()
        return frozenset[str]().union(*(self.beside.skills(each) for each in (self.harness, *self.sharers)))

    def suggest(self, name: str, *, sure: bool = False) -> str | None:
        """The name that a typo most likely stands for, of the harness or of the project."""
        if name in self._whole_servers:
            return self._whole_servers[name]
        if (custom := self.harness.custom.format(name=name)) in self.known_custom:
            return custom
        more = self._project_names
        if name not in self._guessed and len(self._guessed) * (100 + len(more)) >= _MAX_GUESSES:
            return None
        self._guessed.add(name)
        return suggest(name, self.harness, sure=sure, more=more)

    @cached_property
    def _whole_servers(self) -> dict[str, str]:
        """Known servers, and what names all tools of each."""
        form = self.harness.mcp.server
        return {server: form.format(server=server_name(server, self.harness)) for server in self.known_servers}

    @cached_property
    def _project_names(self) -> tuple[str, ...]:
        return (*sorted(self.known_custom), *sorted(self._whole_servers.values()))

    @cached_property
    def cut(self) -> int | None:
        """Where the harness ends the frontmatter, if that is before its author does."""
        source = self.document.source
        fence = _CUTS.get(self.harness.fence)
        if fence is None or source.yaml.start == 0:
            return None
        found = source.text.find(fence, source.yaml.start - 1, source.yaml.end - 1)
        return found + len(fence) - 3 if found >= 0 else None

    @cached_property
    def lost_key(self) -> Span | None:
        """A tool key in the prompt that another `---` follows: its author took it for part of the frontmatter."""
        source = self.document.source
        fence = source.data.find(b"\n---", source.body + 1, source.body + _MAX_LOST)
        if fence < 0 or source.problem is not None or self.written or self.misplaced:
            return None
        for found in _KEY_LINE.finditer(source.data, source.body, fence):
            if found[1].decode() in self.kind.keys and b"```" not in source.data[source.body : found.start()]:
                start = len(source.text) + len(source.data[source.body : found.start(1)].decode("utf-8", "replace"))
                return Span(start, start + len(found[1]))
        return None

    @property
    def is_readme(self) -> bool:
        """A file that describes the others, by its name."""
        return self.document.stem.upper() in (
            "README",
            "INDEX",
            "_INDEX",
            "CONTRIBUTING",
            "CHANGELOG",
            "AGENTS",
            "CLAUDE",
        )

    @property
    def file_identity(self) -> str:
        """What the file or its folder is called."""
        if self.kind.identity != "folder":
            return self.document.stem
        return self.document.source.path.replace("\\", "/").rpartition("/")[0].rpartition("/")[2]

    @cached_property
    def conversion(self) -> Conversion | None:
        """How the file would be written to reach the goal, if there is one."""
        values = (*self.written, *self.misplaced)
        if self.goal.form == "auto" and (
            self.goal.target is None
            # Whoever names the harness that the file has anyway wants its names mended, wherever that can be done.
            or (self.goal.target is self.harness and all(item.exact for value in values for item in value.items))
        ):
            return None
        from fsagent_lint.rewrite.convert_tools import NO_CONVERSION, convert_tools

        target = self.goal.target or self.harness
        if target is not self.harness and (problem := self.in_place(target)):
            return NO_CONVERSION._replace(error=problem)
        for name in self.kind.fields if target is not self.harness and "*" not in self.goal.accept else ():
            if lost := self.limit(name):
                return NO_CONVERSION._replace(
                    error=f"`{name}` denies some of {lost}, which {target.title} cannot be told; nothing is written"
                )
        return convert_tools(self, target, self.goal.form, accept=self.goal.accept)

    def in_place(self, target: Harness) -> str:  # noqa: ARG002
        """Why the file cannot become another harness' where it lies; empty where it can."""
        return ""

    def limit(self, name: str) -> str:
        """What a field takes away that no other harness can be told to."""
        field = self.kind.fields.get(name)
        return LIMITS[field.limits]((self.effect.data or {}).get(name)) if field is not None and field.limits else ""

    def tools_span(self, tool: Tool) -> Span:
        """Where a canonical tool is named; else the first tool key, else the opening fence."""
        if tool in self._places:
            return self._places[tool]
        key = min(
            (value.entry.key for value in (*self.written, *self.misplaced)), key=lambda key: key.start, default=None
        )
        return Span(key.start, key.end) if key is not None else self.document.opening_fence

    @cached_property
    def _places(self) -> dict[Tool, Span]:
        """Every canonical tool that is named, with the first place."""
        places: dict[Tool, Span] = {}
        for value in sorted((*self.written, *self.misplaced), key=lambda value: value.entry.start):
            for item in value.items:
                for tool in self.meaning(item.name).tools:
                    places.setdefault(tool, item.span)
        return places

    def meaning(self, name: str) -> Meaning:
        """What a tool name stands for in this file."""
        own = identify(name, self.harness, self.servers)
        if own.how != "own":
            for other in self.sharers:
                if other.lookup(name) is not None:
                    return identify(name, other, self.servers)
        if own.how in ("unknown", "foreign", "case"):
            # Only now is it worth looking at the project: `db_query` is a tool of the server `db`, if there is one.
            return identify(name, self.harness, self.known_servers)
        return own

    @cached_property
    def entries(self) -> tuple[ClassifiedItem, ...]:
        """Every tool entry of the keys that the harness reads, with a verdict."""
        return tuple(classify_items(self)) if self.written else ()

    def known_names(self, key: Key) -> dict[str, Facts]:
        """What is known already of names under a key; the same for every file of the harness."""
        return known_names(self.harness, key, self.servers, tables_in_force())

    def _read_all(self, keys: Mapping[str, object]) -> tuple[ToolValue, ...]:
        names = self.document.by_name
        if names.keys().isdisjoint(keys):
            return ()
        # The last of several equal keys is the one that counts, where such a file loads at all.
        text, found = self.document.source.text, []
        for entry in self.document.entries:
            name = entry.name
            if name is not None and name in keys and names[name] is entry:
                found.append(read_tool_value(entry, text, self.kind.keys.get(name)))
        return tuple(found)


def _names_everything(values: Sequence[tuple[str, ToolValue]]) -> bool:
    return any(item.name == "*" for _, value in values for item in value.items)


def _says_nothing(value: ToolValue) -> bool:
    """A set of all tools leaves it to other keys to take some away."""
    return value.shape == presets.FORM and [item.name for item in value.items] == ["*"]


def _server_names(node: Node) -> frozenset[str]:
    """From a list of names or of one-entry maps, or from a map."""
    if isinstance(node, Map):
        return frozenset(entry.name for entry in node.entries if entry.name is not None)
    if isinstance(node, List):
        names = [item.value for item in node.items if isinstance(item, Scalar)]
        return frozenset(names).union(*(_server_names(item) for item in node.items if isinstance(item, Map)))
    return frozenset()


class UnclearSubject(Subject):
    """Nothing is said about it but that; the canonical names are nobody's, and so give nobody's verdict."""

    is_unclear = True
    rules = frozenset(("unclear-harness", "unused-ignore"))

    def __init__(self, document: Document) -> None:
        super().__init__(document, get_harness("canonical"), "agent", goal=Goal())

    traits = frozenset((Trait.UNCLEAR,))

    @cached_property
    def effect(self) -> Effect:
        return Effect(False, "nobody knows whose agent it is")
