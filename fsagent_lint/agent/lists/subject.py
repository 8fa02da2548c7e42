"""A file that holds a list of agents, and each of them, as the rules see them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property

from fsagent_lint.agent.lists.document import ListDocument, ListSource, MemberDocument
from fsagent_lint.agent.subject import NO_AGENT, NO_CONTEXT, Context, Sort, Subject
from fsagent_lint.agent.tool_values import ToolValue
from fsagent_lint.effect.effect import Effect
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Field, Kind


def read_list(path: str, data: bytes, harness: Harness, kind: str, context: Context = NO_CONTEXT) -> ListSubject:
    return ListSubject(ListDocument(ListSource(path, data), harness.kinds[kind]), harness, kind, context)


class ListSubject(Subject):
    """The whole file."""

    sort = Sort.LIST

    def __init__(self, document: ListDocument, harness: Harness, kind_name: str, context: Context) -> None:
        super().__init__(document, harness, kind_name, context, NO_AGENT)
        self.list_document = document
        self.members = tuple(MemberSubject(self, each) for each in document.members)

    @property
    def parts(self) -> tuple[Subject, ...]:
        return (self, *self.members)

    @property
    def agents(self) -> tuple[Subject, ...]:
        return self.members

    @cached_property
    def effect(self) -> Effect:
        return Effect(False, "the file is not an agent")

    @cached_property
    def refused(self) -> tuple[Subject, str] | None:
        """Where the problem is that keeps the harness from loading the file and every agent in it, and what it is."""
        if self.list_document.error is not None:
            return self, f"invalid YAML: {self.list_document.error.problem}"
        if self.list_document.source.problem is not None:
            return self, f"the file is {self.list_document.source.problem}"
        if self.list_document.flaws:
            return self, self.list_document.flaws[0].problem
        if (again := next(self.list_document.duplicates(), None)) is not None:
            return self, f"`{again.name}` occurs twice"
        for member in self.members:
            if not member.own_effect.loads:
                return member, member.own_effect.error
        if (duplicate := next(self.twins(), None)) is not None:
            return self, f"two of its {self.kind_name}s are named `{duplicate.document.stem}`"
        return None

    def twins(self) -> Iterator[MemberSubject]:
        """The agents that have the same name as an earlier one."""
        slug, seen = self.list_document.kind.slot("slug"), set[str]()
        for member in self.members:
            name = member.document.text_of(slug)
            if name is not None and name in seen:
                yield member
            elif name is not None:
                seen.add(name)


class MemberSubject(Subject):
    """One agent of a list."""

    sort = Sort.MEMBER
    refusal = "it refuses the file, with every mode in it"

    def __init__(self, whole: ListSubject, document: MemberDocument) -> None:
        kind = _with_prompt(whole.harness.kinds[whole.kind_name])
        super().__init__(document, whole.harness, whole.kind_name, whole.context, kind)
        self.whole = whole

    @cached_property
    def values(self) -> tuple[ToolValue, ...]:
        return self._lock_aliased(super().values)

    @cached_property
    def misplaced(self) -> tuple[ToolValue, ...]:
        return self._lock_aliased(super().misplaced)

    def _lock_aliased(self, values: tuple[ToolValue, ...]) -> tuple[ToolValue, ...]:
        """Mark what an alias repeats as not editable: it cannot be changed for one agent alone."""
        root = self.document.root
        if root is None or not root.marked:
            return values
        return tuple(
            value._replace(items=tuple(item._replace(exact=False) for item in value.items)) for value in values
        )

    @cached_property
    def own_effect(self) -> Effect:
        """The effect if all other agents of the list were valid."""
        return super().effect

    @cached_property
    def effect(self) -> Effect:
        own = self.own_effect
        refused = self.whole.refused if own.loads else None
        if refused is None:
            return own
        culprit, problem = refused
        where = f"`{culprit.document.stem}`" if culprit is not self.whole else "the file"
        return Effect(False, f"{where} keeps every {self.kind_name} from loading: {problem}", data=own.data)


@cache
def _with_prompt(kind: Kind) -> Kind:
    """The kind with the prompt as a field, which it is in a list."""
    prompt = Field(type=("string",), required=True, wrong="refused")
    return kind.replace(fields={**kind.fields, kind.body: prompt})
