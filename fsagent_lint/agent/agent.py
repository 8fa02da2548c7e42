"""An agent as a value: its identity, what its author intended, and what a harness does with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NoReturn, Protocol, cast

from fsagent_lint.agent.subject import Subject, effect_in
from fsagent_lint.effect.effect import Effect
from fsagent_lint.errors import UserError
from fsagent_lint.files.names import name_problem
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.dump import field_text
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.frontmatter.values import Value, core, evaluate_entries
from fsagent_lint.harnesses.tables import Tables, active_tables, find_harness, get_harness, in_force
from fsagent_lint.model.choices import Config, HarnessId, KindName, OutputType, Shape, ToolFormat
from fsagent_lint.model.converted import Converted, Exported
from fsagent_lint.model.policy import Action, Policy, PolicyRule
from fsagent_lint.model.tool import ScopedTool, Tool, ToolLike, resolve

if TYPE_CHECKING:
    from frontmatter import Post


CANONICAL = "canonical"


class Converter(Protocol):
    """What writes agents: the converter, which is built on this module."""

    def write(
        self,
        agent: Agent,
        to: HarnessId,
        tool_format: ToolFormat,
        enrich: Enrichers,
        *,
        unsafe: bool,
        plugins: bool,
        config: Config,
    ) -> Converted: ...

    def export(
        self,
        agent: Agent,
        output_type: OutputType,
        shape: Shape,
        enrich: Enrichers,
        *,
        plugins: bool,
        config: Config,
    ) -> Exported: ...


class Agent:
    """An agent; or a skill, command, prompt, chat mode or mode, if `load` has read one.

    Immutable, and equal to every agent that says the same. A broken file raises no error: whatever can be read of it is
    available.
    """

    converter: ClassVar[Converter]
    subject: Subject
    tables: Tables
    """Those that were in force when the agent was made: it is read by them."""

    def __init__(
        self,
        *,
        name: str,
        description: str,
        tools: Iterable[ToolLike] | None = None,
        disallowed_tools: Iterable[ToolLike] = (),
        prompt: str = "",
        model: str | None = None,
        fields: Mapping[str, Value] = MappingProxyType({}),
    ) -> None:
        """An agent in canonical words. Without `tools` it has every tool; what is disallowed is denied in any case.

        `fields`: any other fields, such as `{"mode": "subagent"}`. UserError for what is no name, tool or field.
        """
        allowed = None if tools is None else [*resolve(_several(tools))]
        denied = [*resolve(_several(disallowed_tools))]
        own = {"name": name, "description": description}
        if model is not None:
            own["model"] = model
        restrictions = {"tools": allowed, "disallowedTools": denied or None}
        given = own | {key: _entries(uses) for key, uses in restrictions.items() if uses is not None}
        kind = get_harness(CANONICAL).kinds["agent"]
        if reserved := {*own, *kind.keys, *kind.wrong_keys} & fields.keys():
            raise UserError(f"`{min(reserved)}` is not one of the other fields; an agent has an argument for it.")
        self._hold(_canonical_file(name, given | {**fields}, prompt))
        rules = (PolicyRule(tool, Action.ALLOW, scope) for tool, scope in allowed or ())
        denials = (PolicyRule(tool, Action.DENY, scope) for tool, scope in denied)
        policy = Policy(Action.ALLOW if allowed is None else Action.DENY, (*rules, *denials))
        if (self.name, self.frontmatter, self.policy) != (name, given | {**fields}, policy):
            raise UserError(f"The agent `{name}` has a name, a field or a tool that a file cannot express.")

    @classmethod
    def of(cls, subject: Subject) -> Agent:
        """The agent in a file."""
        agent = cls.__new__(cls)
        agent._hold(subject)
        return agent

    def _hold(self, subject: Subject) -> None:
        vars(self).update(subject=subject, tables=active_tables())

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"Agent.{name} cannot be set: an agent is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"Agent.{name} cannot be deleted: an agent is immutable")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Agent):
            return NotImplemented
        mine, its = (self.fields, self.policy.meaning), (other.fields, other.policy.meaning)
        return self._identity == other._identity and mine == its

    def __hash__(self) -> int:
        return hash(self._identity)

    def __copy__(self) -> Agent:
        return self

    def __deepcopy__(self, memo: object) -> Agent:
        return self

    @property
    def _identity(self) -> tuple[str | None, ...]:
        return self.harness, self.kind, self.name, self.description, self.prompt

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name!r} of {self.harness}>"

    @property
    def document(self) -> Document:
        """The frontmatter as it stands in the file, with the position of every value."""
        return self.subject.document

    @property
    def harness(self) -> HarnessId:
        """The harness that the agent is written for; `canonical` for one made in code."""
        return cast(HarnessId, self.subject.harness.id)

    @property
    def kind(self) -> KindName:
        return cast(KindName, self.subject.kind_name)

    @property
    def path(self) -> str:
        """As passed to `load`, or `agent.md` for text; for an agent made in code, where a folder of sources has it."""
        return self.document.source.path

    @property
    def name(self) -> str:
        """The name that the harness uses: from the field `name`, the file or its folder."""
        return self.subject.name

    @property
    def description(self) -> str | None:
        return None if self._frontmatter.get("description") is None else self.document.text_of("description")

    @property
    def model(self) -> str | None:
        """The model, in the words of the harness."""
        return self.document.text_of(self.subject.kind.slot("model")) if self.subject.kind.slot("model") else None

    @property
    def frontmatter(self) -> dict[str, Value]:
        """Every field as a plain value, by the rules of YAML 1.2: `yes` and `2024-01-01` are text."""
        return deepcopy(self._frontmatter)

    @cached_property
    def _frontmatter(self) -> dict[str, Value]:
        return evaluate_entries(self.document.entries, resolve_scalar)

    @property
    def fields(self) -> dict[str, Value]:
        """The frontmatter without the fields that `name`, `description` and `policy` already cover."""
        kind = self.subject.kind
        roles = {key: facts.role for keys in (kind.wrong_keys, kind.keys) for key, facts in keys.items()}
        covered = {key for key, role in roles.items() if role != "approve"}
        for key, value in (("name", self.name), ("description", self.description)):
            if value is not None and self.document.text_of(key) == value:
                covered.add(key)
        return {key: value for key, value in self.frontmatter.items() if key not in covered}

    @property
    def prompt(self) -> str:
        """The body as harnesses use it: without leading and trailing blank lines."""
        source = self.document.source
        body = source.data if source.problem == "missing" else source.data[source.body :]
        return body.decode("utf-8", "replace").removeprefix("\ufeff").strip()

    @property
    def policy(self) -> Policy:
        """The intended tools, in canonical names."""
        with in_force(self.tables):
            return self.subject.intent.policy

    @property
    def guess(self) -> str:
        """Why `policy` is only the most likely reading; empty if the file is clear."""
        with in_force(self.tables):
            return self.subject.intent.guess

    def effect(self, harness: HarnessId | None = None) -> Effect:
        """What its own harness does with the file, or what another harness would do if the file lay in its folder."""
        with in_force(self.tables):
            if harness is None or (harness == self.harness and self.subject.kind.under):
                return self.subject.effect
            other = find_harness(harness)
            if not other.reads(self.kind):
                raise UserError(f"{other.title} has no {self.kind}s.")
            return effect_in(self.subject, other)

    def write(
        self,
        to: HarnessId,
        *,
        tool_format: ToolFormat = "auto",
        enrich: Enrichers = (),
        unsafe: bool = False,
        plugins: bool = False,
        config: Config = None,
    ) -> Converted:
        """The file for a harness, in memory: its path, its text, and what could not be expressed there.

        If it cannot be written, `error` of the result gives the reason. `unsafe`: write even if the effect is wider than
        the intent. `enrich`: what changes the tools, after the enrichers of the config: functions, or names of installed enrichers. `plugins` allows installed packages
        to run; `config`: a config file to use instead of the nearest one, or `NO_CONFIG`.
        """
        return self.converter.write(self, to, tool_format, enrich, unsafe=unsafe, plugins=plugins, config=config)

    def export(
        self,
        output_type: OutputType,
        *,
        shape: Shape = "canonical",
        enrich: Enrichers = (),
        plugins: bool = False,
        config: Config = None,
    ) -> Exported:
        """The agent for another program, with what could not be expressed; UserError for a file that cannot be read.

        `shape`: canonical, as in opencode.json, or as `claude --agents` expects; `enrich`: what changes the tools for
        that harness, after the enrichers of the config.
        """
        return self.converter.export(self, output_type, shape, enrich, plugins=plugins, config=config)

    def to_json(self) -> str:
        """The whole content, with tools in canonical names."""
        return self.export("json").text

    def to_yaml(self) -> str:
        """The whole content, with tools in canonical names."""
        return self.export("yaml").text

    def to_markdown(self) -> str:
        """A canonical file."""
        return self.export("md").text

    def to_post(self) -> Post:
        """The agent as a python-frontmatter `Post`: the frontmatter as metadata, the prompt as content."""
        from frontmatter import Post

        post = Post(self.prompt)
        # Not as keyword arguments: a file may have a field `content` or `handler`.
        post.metadata.update(self.frontmatter)
        return post


Enricher = Callable[[HarnessId, Agent, Policy], Policy]
"""Changes the tools of an agent when it is written for a harness."""
Enrichers = Enricher | str | Iterable[Enricher | str]
"""One or several; text is the name of an enricher of an installed package."""


def _several(tools: object) -> Iterable[ToolLike]:
    """UserError for a single tool, which would be taken for the letters of its name."""
    if isinstance(tools, (str, Tool, ScopedTool)) or not isinstance(tools, Iterable):
        raise UserError(f"The tools of an agent are a list; got {tools!r}.")
    return tools


def _entries(uses: Iterable[tuple[Tool, str | None]]) -> list[str]:
    return [str(tool if scope is None else tool(scope)) for tool, scope in uses]


def _canonical_file(name: str, fields: Mapping[str, Value], prompt: str) -> Subject:
    """The file in which an agent made in code would lie in a folder of sources."""
    if problem := name_problem(name):
        raise UserError(f"The name `{name}` {problem}.")
    lines = [field_text(key, value, "\n") for key, value in fields.items()]
    text = "\n".join(("---", *lines, "---", prompt.strip(), ""))
    harness = get_harness(CANONICAL)
    path = harness.kinds["agent"].path.format(name=name)
    return Subject(Document(Source(path, text.encode("utf-8", "surrogatepass"))), harness, "agent")


def resolve_scalar(text: str) -> Value:
    """A plain scalar by YAML 1.2, with the exact number; infinity and NaN stay text, as JSON lacks them."""
    value = core(text)
    if isinstance(value, float):
        return value if value - value == 0 else text
    if not isinstance(value, int) or isinstance(value, bool):
        return value
    try:
        return int(text, {"0x": 16, "0o": 8}.get(text[:2], 10))
    except ValueError:  # more digits than Python converts
        return text
