"""A Python module under judgement, and each of its calls that makes an agent, as the rules see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fsagent_lint.document import Document
from fsagent_lint.effect import Effect
from fsagent_lint.findings import Edit, Fix, Safety
from fsagent_lint.harness import Kind, get_harness
from fsagent_lint.lazy import cached_property
from fsagent_lint.mcp import server_name
from fsagent_lint.nodes import Entry, ParseError, Scalar
from fsagent_lint.python_files import may_define_agents
from fsagent_lint.python_source import PythonSource, calls_with
from fsagent_lint.sdk import Sdk, SdkCall, get_sdk
from fsagent_lint.semantics import SEMANTICS, Refusal
from fsagent_lint.source import Span
from fsagent_lint.subject import NO_GOAL, Goal, Misfit, Subject
from fsagent_lint.tool import Custom, Mcp, Risk
from fsagent_lint.values import Value
from fsagent_lint.vocabulary import Meaning
from fsagent_lint.written import Written, read_written

if TYPE_CHECKING:
    from fsagent_lint.discover import Beside
    from fsagent_lint.python_calls import Argument, Call, Found

KIND = "python"

# What a tool can do, from little to much; who may run commands may do the rest.
_HARM = (Risk.READ, Risk.WRITE, Risk.EXECUTE)
_ABILITIES = {Risk.READ: "read files", Risk.WRITE: "write files", Risk.EXECUTE: "run commands"}


class PythonDocument(Document):
    """The arguments of one call in the place of frontmatter; `strings` are where no comment begins."""

    def __init__(self, source: PythonSource, entries: list[Entry], strings: Sequence[Span] = ()) -> None:
        self.source, self.entries, self.strings = source, entries, strings
        self.error, self.odd_root = None, False

    def is_text(self, offset: int) -> bool:
        return any(span.start <= offset < span.end for span in self.strings)


def read_module(
    path: str,
    data: bytes,
    servers: frozenset[str] = frozenset(),
    custom: frozenset[str] = frozenset(),
    goal: Goal = NO_GOAL,
    beside: Beside | None = None,
) -> ModuleSubject:
    return ModuleSubject(PythonSource(path, data), servers, custom, goal, beside)


class ModuleSubject(Subject):
    """All of a file. `fault` is why it cannot be read; then it has no calls."""

    fault: ParseError | None = None

    def __init__(
        self,
        source: PythonSource,
        servers: frozenset[str],
        custom: frozenset[str],
        goal: Goal,
        beside: Beside | None,
    ) -> None:
        self.sdk: Sdk = get_sdk()
        self.source, self.rules = source, frozenset(self.sdk.rules)
        found = self._find() if may_define_agents(source.data) else None
        document = PythonDocument(source, [], found.strings if found is not None else ())
        super().__init__(document, get_harness(self.sdk.harness), KIND, servers, custom, goal, beside)
        self.calls: tuple[CallSubject, ...] = ()
        if found is not None:
            self.calls = tuple(CallSubject(self, call, found) for call in found.calls)

    def _find(self) -> Found | None:
        calls = self.sdk.calls.values()
        keywords = {key for call in calls for key in call.keys}
        positions = min(len(call.order) for call in calls if call.order)
        try:
            if not calls_with(self.source, keywords, positions):
                return None
            from fsagent_lint.python_calls import find_calls

            return find_calls(self.source.text, self.sdk)
        except ParseError as error:
            self.fault = error
            return None

    @property
    def parts(self) -> tuple[Subject, ...]:
        return (self, *self.calls)

    @cached_property
    def kind(self) -> Kind:
        return Kind()

    @cached_property
    def effect(self) -> Effect:
        return Effect(False, "a module is no agent")


class CallSubject(Subject):
    """One call; `found` is what else there is in the module."""

    def __init__(self, module: ModuleSubject, call: Call, found: Found) -> None:
        entries = [each.entry for name, each in call.arguments.items() if name in call.facts.keys]
        document = PythonDocument(module.source, [entry for entry in entries if entry is not None])
        super().__init__(document, module.harness, KIND, module.servers, module.custom, module.goal, module.beside)
        self.module, self.call = module, call
        self.assigned, self.own_tools = found.assigned, found.tools

    @property
    def facts(self) -> SdkCall:
        return self.call.facts

    @cached_property
    def kind(self) -> Kind:
        return self.facts.kind

    @cached_property
    def written(self) -> tuple[Written, ...]:
        return tuple(
            written
            for entry in self.document.entries
            if (written := self._read_argument(entry, self.call.arguments[entry.name or ""])) is not None
        )

    def _read_argument(self, entry: Entry, argument: Argument) -> Written | None:
        literal = argument.literal
        if literal is None or literal.shape == "map":
            return None
        found = read_written(entry, self.document.source.text, self.kind.keys[entry.name or ""])
        items = [item for item in found.items if not (isinstance(item.node, Scalar) and item.node.style == "dynamic")]
        # Of two strings in parentheses, taking one out leaves no tuple.
        if argument.is_shared or literal.shape == "tuple":
            items = [item._replace(exact=False) for item in items]
        return Written(entry, literal.shape, tuple(items))

    @cached_property
    def effect(self) -> Effect:
        """What the running agent has, as far as the call says."""
        data: dict[str, Value] = {}
        for written in self.written:
            key = self.facts.keys[written.key]
            # A denial of some uses leaves the tool there.
            partly = key.role == "deny" and key.scopes == "honoured"
            if written.shape == "list":
                data[written.key] = [item.text for item in written.items if not (partly and item.scope)]
        given = SEMANTICS[self.harness.semantics](data, self.harness, self.kind, "")
        if isinstance(given, Refusal):
            return Effect(False, given.problem, given.key)
        return Effect(True, "", "", given.tools, given.ask, given.conditional, given.denied, given.open)

    @cached_property
    def known_servers(self) -> frozenset[str]:
        """None at all where not every server can be seen."""
        own = self.call.servers
        if own is None:
            return frozenset()
        return own.union(self.servers, self.beside.servers(self.harness) if self.beside is not None else ())

    def meaning(self, name: str) -> Meaning:
        server = name.removeprefix("mcp__")
        if self.facts.whole_servers and server != name and server and "__" not in server:
            return Meaning("mcp", (Mcp(server),), self.harness.id, name)
        if name in self.own_tools:
            return Meaning("unknown", (Custom(name),))
        return super().meaning(name)

    def suggest(self, name: str, *, sure: bool = False) -> str | None:
        """A tool of the program's own goes by its server's name too."""
        servers = self.call.servers or ()
        if name in self.own_tools and len(servers) == 1:
            (server,) = servers
            return self.harness.mcp.tool.format(server=server_name(server, self.harness), tool=name)
        return super().suggest(name, sure=sure)

    def misfit(self, written: Written) -> Misfit | None:
        """What becomes of text or a tuple where a list is due."""
        found = self.facts.keys[written.key].misfits[written.shape]
        edits = self._as_list(written)
        fix = Fix("Write a list", edits, Safety.SAFE, frozenset((written.key,))) if edits else None
        return Misfit(self.module.sdk.title, found.outcome, found.severity, fix)

    def _as_list(self, written: Written) -> tuple[Edit, ...]:
        argument = self.call.arguments[written.key]
        literal, value = argument.literal, written.entry.value
        if literal is None or argument.is_constant:
            return ()
        if literal.brackets is not None:
            return (Edit(literal.brackets[0], "["), Edit(literal.brackets[1], "]"))
        if not isinstance(value, Scalar) or value.style not in ("'", '"'):
            return ()
        names = ", ".join(f"{value.style}{item.text}{value.style}" for item in written.items)
        return (Edit(Span(value.start, value.end), f"[{names}]"),)

    @property
    def restricts(self) -> bool:
        """Does something beside the approved tools say, or may it say, what the agent can do?"""
        roles = ("allow", "deny")
        names = {key for key, facts in self.facts.keys.items() if facts.role in roles} | {*self.facts.deciders}
        return self.call.is_open or bool(names & {*self.call.arguments, *self.assigned}) or self._mode is None

    def is_whole(self, written: Written) -> bool:
        """Is all of a value there to be seen?"""
        argument = self.call.arguments[written.key]
        literal = argument.literal
        return literal is not None and not literal.is_open and not argument.is_shared and written.shape == "list"

    def unasked(self, approved: Sequence[Risk | None]) -> str:
        """What the agent can do though no approved tool can, in words; empty for nothing."""
        free = [risk for risk in _HARM if risk in self.facts.free.get(self._mode or "", ())]
        levels = [_HARM.index(risk) for risk in approved if risk is not None and risk in _HARM]
        beyond = free[max(levels, default=-1) + 1 :]
        return _ABILITIES[beyond[-1]] if beyond else ""

    @property
    def _mode(self) -> str | None:
        """The mode that decides about tools which are not approved; None where that cannot be told."""
        argument = self.call.arguments.get(self.facts.mode)
        if argument is None:
            return None if self.facts.mode in self.assigned else "default"
        value = argument.literal.node if argument.literal is not None else None
        return value.value if isinstance(value, Scalar) else None
