"""A file that holds several agents under judgement, and each of them, as the rules see them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property
from typing import TYPE_CHECKING

from fsagent_lint.agent.lists.document import ListDocument, ListSource, MemberDocument
from fsagent_lint.agent.subject import NO_GOAL, Goal, Subject
from fsagent_lint.agent.tool_values import ToolValue
from fsagent_lint.effect.effect import Effect
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Field, Kind

if TYPE_CHECKING:
    from fsagent_lint.project.neighbours import ProjectNeighbours
    from fsagent_lint.rewrite.convert_tools import Conversion

# What is said about fences, bodies and names of files is not about these.
_NOT_FOR_THEM = frozenset(
    (
        *("invalid-frontmatter", "missing-frontmatter", "unclosed-frontmatter", "executable-frontmatter"),
        *("stray-agent-file", "name-mismatch", "unclear-harness", "invalid-python"),
    )
)


_NO_AGENT = Kind()


def read_list(
    path: str,
    data: bytes,
    harness: Harness,
    kind: str,
    servers: frozenset[str] = frozenset(),
    custom: frozenset[str] = frozenset(),
    goal: Goal = NO_GOAL,
    beside: ProjectNeighbours | None = None,
) -> ListSubject:
    document = ListDocument(ListSource(path, data), harness.kinds[kind])
    return ListSubject(document, harness, kind, servers, custom, goal, beside)


class ListSubject(Subject):
    """All of a file."""

    unfit_rules = _NOT_FOR_THEM

    def __init__(
        self,
        document: ListDocument,
        harness: Harness,
        kind_name: str,
        servers: frozenset[str],
        custom: frozenset[str],
        goal: Goal,
        beside: ProjectNeighbours | None,
    ) -> None:
        super().__init__(document, harness, kind_name, servers, custom, goal, beside)
        self.roster, self.flaws = document, document.flaws
        self.members = tuple(MemberSubject(self, each) for each in document.members)

    @property
    def parts(self) -> tuple[Subject, ...]:
        return (self, *self.members)

    @property
    def agents(self) -> tuple[Subject, ...]:
        return self.members

    @cached_property
    def kind(self) -> Kind:
        return _NO_AGENT

    @cached_property
    def effect(self) -> Effect:
        return Effect(False, "the file is no agent")

    @cached_property
    def conversion(self) -> Conversion | None:
        return None

    @cached_property
    def refused(self) -> tuple[Subject, str] | None:
        """What keeps the harness from loading the file, and so every agent in it; and where that is."""
        if self.roster.error is not None:
            return self, f"invalid YAML: {self.roster.error.problem}"
        if self.roster.source.problem is not None:
            return self, f"the file is {self.roster.source.problem}"
        if self.roster.flaws:
            return self, self.roster.flaws[0].problem
        if (again := next(self.roster.duplicates(), None)) is not None:
            return self, f"`{again.name}` is there twice"
        for member in self.members:
            if not member.own_effect.loads:
                return member, member.own_effect.error
        if (twin := next(self.twins(), None)) is not None:
            return self, f"two of its {self.kind_name}s are called `{twin.document.stem}`"
        return None

    def twins(self) -> Iterator[MemberSubject]:
        """The agents that have the name of an earlier one."""
        slug, seen = self.roster.kind.slot("slug"), set[str]()
        for member in self.members:
            name = member.document.text_of(slug)
            if name is not None and name in seen:
                yield member
            elif name is not None:
                seen.add(name)


class MemberSubject(Subject):
    """One agent of a roster."""

    unfit_rules = _NOT_FOR_THEM
    refusal = "it refuses the file, with every mode in it"

    def __init__(self, roster: ListSubject, document: MemberDocument) -> None:
        shared = (roster.servers, roster.custom, roster.goal, roster.beside)
        super().__init__(document, roster.harness, roster.kind_name, *shared)
        self.roster = roster

    @cached_property
    def kind(self) -> Kind:
        return _with_prompt(self.harness.kinds[self.kind_name])

    @cached_property
    def written(self) -> tuple[ToolValue, ...]:
        return self._own(super().written)

    @cached_property
    def misplaced(self) -> tuple[ToolValue, ...]:
        return self._own(super().misplaced)

    def _own(self, values: tuple[ToolValue, ...]) -> tuple[ToolValue, ...]:
        """What an alias repeats cannot be changed for one alone."""
        root = self.document.root
        if root is None or not root.marked:
            return values
        return tuple(
            value._replace(items=tuple(item._replace(exact=False) for item in value.items)) for value in values
        )

    @cached_property
    def own_effect(self) -> Effect:
        """As if the others were all right."""
        return super().effect

    @cached_property
    def effect(self) -> Effect:
        own = self.own_effect
        refused = self.roster.refused if own.loads else None
        if refused is None:
            return own
        culprit, problem = refused
        where = f"`{culprit.document.stem}`" if culprit is not self.roster else "the file"
        return Effect(False, f"{where} keeps every {self.kind_name} from loading: {problem}", data=own.data)

    def in_place(self, target: Harness) -> str:
        """The others of the file would stay what they are."""
        way = f"`fsagent-lint convert --to {target.id}` writes a file for each {self.kind_name}"
        return f"{target.title} does not read this file; {way}"


@cache
def _with_prompt(kind: Kind) -> Kind:
    """With the prompt among the fields, where it is."""
    prompt = Field(type=("string",), required=True, wrong="refused")
    return kind.replace(fields={**kind.fields, kind.body: prompt})
