"""A data file that holds agents, as the rules see it: the whole file, and each of its agents."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property

from fsagent_lint.agent.data.document import TITLES, DataDocument, DataSource, MemberDocument
from fsagent_lint.agent.intent import Intent
from fsagent_lint.agent.subject import NO_AGENT, NO_CONTEXT, Context, Sort, Subject
from fsagent_lint.agent.tool_values import ToolValue
from fsagent_lint.effect.effect import Effect, effect
from fsagent_lint.effect.surroundings import NO_SURROUNDINGS, Surroundings
from fsagent_lint.files.paths import absolute, to_posix
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Field, Kind
from fsagent_lint.model.policy import Action, Policy


def read_data(path: str, data: bytes, harness: Harness, kind_name: str, context: Context = NO_CONTEXT) -> DataSubject:
    kind = harness.kinds[kind_name].of_file(path)
    return DataSubject(DataDocument(DataSource(path, data), kind), harness, kind_name, context)


class DataSubject(Subject):
    """The whole file. Its own keys, if its table gives it any, hold for all agents."""

    sort = Sort.DATA

    def __init__(self, document: DataDocument, harness: Harness, kind_name: str, context: Context) -> None:
        self.layout = document.kind
        super().__init__(document, harness, kind_name, context, self.layout if self.layout.holds else NO_AGENT)
        self.data_document = document
        self.refusal = self.layout.refusal or self.refusal
        self.members = tuple(MemberSubject(self, each) for each in document.members)

    @property
    def parts(self) -> tuple[Subject, ...]:
        return (self, *self.members)

    @property
    def agents(self) -> tuple[Subject, ...]:
        return self.members

    @property
    def amends(self) -> bool:
        return True

    @property
    def takes_last(self) -> bool:
        return self.layout.file in ("json", "jsonc")

    @property
    def a_kind(self) -> str:
        return "its config" if self.layout.holds else super().a_kind

    @cached_property
    def intent(self) -> Intent:
        return amended(super().intent)

    @cached_property
    def own_effect(self) -> Effect:
        """The effect of its own keys if all agents were valid."""
        if not self.layout.holds:
            return Effect(False, "the file is not an agent")
        return effect(self.document, self.harness, self.kind, surroundings=self.surroundings())

    @cached_property
    def effect(self) -> Effect:
        refused = self.refused if self.own_effect.loads else None
        return self.own_effect if refused is None else Effect(False, refused[1], data=self.own_effect.data)

    @cached_property
    def refused(self) -> tuple[Subject, str] | None:
        """Where the problem is that keeps the harness from loading the file and every agent in it, and what it is."""
        document = self.data_document
        if document.error is not None:
            return self, f"invalid {TITLES[self.layout.file]}: {document.error.problem}"
        if document.source.problem is not None:
            return self, f"the file is {document.source.problem}"
        if document.flaws:
            return self, document.flaws[0].problem
        if self.layout.holds and not self.own_effect.loads:
            return self, self.own_effect.error
        if self.layout.under and (again := next(document.duplicates(), None)) is not None:
            return self, f"`{again.name}` occurs twice"
        for member in self.members if not self.layout.alone else ():
            own = member.own_effect
            if not own.loads and not member.is_switched_off:
                return member, own.error
        if (duplicate := next(self.twins(), None)) is not None:
            return self, f"two of its {self.kind_name}s are named `{duplicate.document.stem}`"
        return None

    def twins(self) -> Iterator[MemberSubject]:
        """The agents of a list that have the same name as an earlier one."""
        slug, seen = self.layout.slot("slug"), set[str]()
        for member in self.members if self.layout.under else ():
            name = member.document.text_of(slug)
            if name is not None and name in seen:
                yield member
            elif name is not None:
                seen.add(name)


class MemberSubject(Subject):
    """One agent of a data file."""

    sort = Sort.MEMBER
    document: MemberDocument

    def __init__(self, whole: DataSubject, document: MemberDocument) -> None:
        form = whole.layout
        kind_name = form.holds.get(document.section, whole.kind_name)
        kind = whole.harness.kinds[kind_name].in_format(form.file) if form.holds else form
        kind = _with_prompt(kind)
        document.form = kind
        super().__init__(document, whole.harness, kind_name, whole.context, kind)
        self.whole = whole
        if document.section:
            self.refusal = form.refusal or f"it refuses the file, with every {kind_name} in it"
        else:
            self.refusal = kind.refusal or self.refusal

    @property
    def takes_last(self) -> bool:
        return self.whole.takes_last

    @property
    def store(self) -> str:
        """Of a list by its name: each program that has such a file reads its own. Maps are merged with other files."""
        path = self.document.source.path.replace("\\", "/")
        return (
            f"{path}#{self.document.section}"
            if self.whole.layout.holds
            else path.rpartition("/")[2]
            if self.kind.under
            else ""
        )

    @property
    def title(self) -> str:
        return self.document.stem if self.document.section else ""

    @property
    def file_identity(self) -> str:
        return self.document.stem

    @property
    def amends(self) -> bool:
        """Is the agent built in, or does a file of its own define it as well?"""
        if not self.whole.layout.holds:
            return False
        name = self.document.stem
        return name in self.harness.agents or self._is_defined_elsewhere(name)

    def _is_defined_elsewhere(self, name: str) -> bool:
        """Does another file define an agent of this name?"""
        if self.neighbours is None:
            return False
        file = self.neighbours.agents(self.harness).get(name, "")
        return bool(file) and not to_posix(absolute(self.document.source.path)).endswith(f"/{file}")

    @cached_property
    def intent(self) -> Intent:
        return amended(super().intent) if self.amends else super().intent

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

    def surroundings(self) -> Surroundings:
        """What other files say about the agent; its own file says some of that, too, in the place of the agent itself."""
        found = super().surroundings()
        own = self._own_layer()
        if found is NO_SURROUNDINGS or own is None:
            return found
        for name in ("under", "over"):
            layers = getattr(found, name)
            at = next((number for number, layer in enumerate(layers) if layer == own), -1)
            if at >= 0:
                before, after = layers[:at], layers[at + 1 :]
                if name == "under":
                    return found._replace(under=before, over=(*after, *found.over))
                return found._replace(under=(*found.under, *before), over=after)
        return found

    def _own_layer(self) -> dict[str, object] | None:
        from fsagent_lint.effect.readers import READERS

        return READERS["data"](self.document).data if self.whole.layout.holds else None

    @cached_property
    def own_effect(self) -> Effect:
        """The effect if all other agents of the file were valid."""
        return effect(self.document, self.harness, self.kind, surroundings=self.surroundings())

    @property
    def is_switched_off(self) -> bool:
        """Does it not load because it says so?"""
        return self.own_effect.key != "" and self.own_effect.key == self.kind.slot("disabled")

    @cached_property
    def effect(self) -> Effect:
        own = self.own_effect
        refused = self.whole.refused if own.loads else None
        if refused is None:
            return own
        culprit, problem = refused
        where = f"`{culprit.document.stem}`" if culprit is not self.whole else "the file"
        return Effect(False, f"{where} keeps every {self.kind_name} from loading: {problem}", data=own.data)


def amended(found: Intent) -> Intent:
    """A map of nothing but `true` that changes other agents is no list of all that they have."""
    policy = found.policy
    return Intent(Policy(Action.ALLOW, policy.rules)) if found.guess and policy.default is Action.DENY else found


@cache
def _with_prompt(kind: Kind) -> Kind:
    """The kind with the prompt as a field, which it is in data."""
    if not kind.body or kind.body in kind.fields:
        return kind
    check = "" if kind.under else "not-blank"
    prompt = Field(type=("string",), required=True, wrong="refused", check=check)
    return kind.replace(fields={**kind.fields, kind.body: prompt})
