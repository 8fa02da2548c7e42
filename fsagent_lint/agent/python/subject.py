"""A Python module, and each of its calls that makes an agent, as the rules see them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from fsagent_lint.agent.python.detect import MODULES, may_define_agents
from fsagent_lint.agent.python.source import PythonSource, parse_module, python_comments
from fsagent_lint.agent.subject import NO_CONTEXT, Context, Sort, Subject
from fsagent_lint.agent.tool_values import Misfit, ToolValue, read_tool_value
from fsagent_lint.agent.verdicts import NameFacts
from fsagent_lint.effect.effect import Effect
from fsagent_lint.effect.outcome import Refusal
from fsagent_lint.effect.semantics import SEMANTICS
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.nodes import Entry, ParseError, Scalar, Span
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.harnesses.kind import Key, Kind
from fsagent_lint.harnesses.mcp import parse_mcp, server_name
from fsagent_lint.harnesses.sdk import Sdk, SdkCall, get_sdk
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.harnesses.vocabulary import Meaning
from fsagent_lint.model.finding import Fix, Safety
from fsagent_lint.model.tool import Custom, Mcp, Risk, Tool
from fsagent_lint.suggest import nearest

if TYPE_CHECKING:
    from fsagent_lint.agent.python.calls import Argument, Call, Found
    from fsagent_lint.agent.python.outline import Lookout

KIND = "python"
_NO_AGENT = Kind()

# What a tool can do, from little to much; who may run commands may do the rest.
_HARM = (Risk.READ, Risk.WRITE, Risk.EXECUTE)
_ABILITIES = {Risk.READ: "read files", Risk.WRITE: "write files", Risk.EXECUTE: "run commands"}


class PythonDocument(Document):
    """The arguments of one call in the place of frontmatter."""

    def __init__(self, source: PythonSource, entries: list[Entry]) -> None:
        self.source, self.module, self.entries = source, source, entries
        self.error, self.odd_root = None, False

    @cached_property
    def _comments(self) -> tuple[Span, ...]:
        return tuple(python_comments(self.module.text)) if self.module.fault is None else ()

    def is_text(self, offset: int) -> bool:
        return not any(span.start <= offset < span.end for span in self._comments)


def read_module(path: str, data: bytes, context: Context = NO_CONTEXT) -> ModuleSubject:
    return ModuleSubject(PythonSource(path, data), context)


class ModuleSubject(Subject):
    """All of a file. `fault` is why it cannot be read; then it has no calls."""

    sort = Sort.MODULE
    fault: ParseError | None = None

    def __init__(self, source: PythonSource, context: Context) -> None:
        self.sdk: Sdk = get_sdk()
        self.source = source
        found = self._find() if may_define_agents(source.data) else None
        document = PythonDocument(source, [])
        super().__init__(document, get_harness(self.sdk.harness), KIND, context)
        self.calls: tuple[CallSubject, ...] = ()
        if found is not None:
            self.calls = tuple(CallSubject(self, call, found) for call in found.calls)

    def _find(self) -> Found | None:
        from fsagent_lint.agent.python.outline import outline

        try:
            mark = "\ufeff" if self.source.text.startswith("\ufeff") else ""
            text = outline(parse_module(self.source), self.source.text.removeprefix(mark), _lookout(self.sdk))
            if not text:
                return None
            from fsagent_lint.agent.python.calls import find_calls

            return find_calls(text, self.sdk, len(mark))
        except ParseError as error:
            self.fault = error
            return None

    @property
    def parts(self) -> tuple[Subject, ...]:
        return (self, *self.calls)

    @cached_property
    def kind(self) -> Kind:
        return _NO_AGENT

    @cached_property
    def effect(self) -> Effect:
        return Effect(False, "a module is not an agent")


def _lookout(sdk: Sdk) -> Lookout:
    """What makes a module worth reading."""
    from fsagent_lint.agent.python.outline import Lookout

    calls = {
        name: (*call.keys, *call.wrong_keys, *([call.hooks] if call.hooks else []))
        for call in sdk.calls.values()
        for name in call.names
    }
    context = {each for call in sdk.calls.values() for each in (call.servers, call.agents)}
    return Lookout(MODULES, calls, (sdk.tool, sdk.server, sdk.matcher), context)


class CallSubject(Subject):
    """One call; `found` is what else there is in the module."""

    sort = Sort.CALL
    refusal = "the call fails"

    def __init__(self, module: ModuleSubject, call: Call, found: Found) -> None:
        known = {*call.facts.keys, *call.facts.wrong_keys}
        entries = [each.entry for name, each in call.arguments.items() if name in known]
        document = PythonDocument(module.source, [entry for entry in entries if entry is not None])
        super().__init__(document, module.harness, KIND, module.context)
        self.module, self.call = module, call
        self.assigned, self.own_tools = found.assigned, found.tools

    @property
    def facts(self) -> SdkCall:
        return self.call.facts

    @cached_property
    def kind(self) -> Kind:
        return self.facts.kind

    @cached_property
    def values(self) -> tuple[ToolValue, ...]:
        return tuple(
            written
            for entry in self.document.entries
            if entry.name in self.facts.keys
            and (written := self._read_argument(entry, self.call.arguments[entry.name or ""])) is not None
        )

    def _read_argument(self, entry: Entry, argument: Argument) -> ToolValue | None:
        literal = argument.literal
        if literal is None or literal.shape == "map":
            return None
        found = read_tool_value(entry, self.document.source.text, self.kind.keys.get(entry.name or ""))
        items = [item for item in found.items if not (isinstance(item.node, Scalar) and item.node.style == "dynamic")]
        # Of two strings in parentheses, taking one out leaves no tuple.
        if argument.is_shared or literal.is_fixed or literal.shape in ("tuple", "set"):
            items = [item._replace(exact=False) for item in items]
        return ToolValue(entry, literal.shape, tuple(items))

    @cached_property
    def misplaced(self) -> tuple[ToolValue, ...]:
        found = (
            self._read_argument(entry, self.call.arguments[entry.name or ""])
            for entry in self.document.entries
            if entry.name in self.facts.wrong_keys
        )
        return tuple(written for written in found if written is not None)

    def unread(self, key: str) -> str:
        return f"`{self.call.name}` has no argument `{key}`"

    @cached_property
    def matchers(self) -> tuple[tuple[str, Scalar], ...]:
        fields = (field for kind in self.harness.kinds.values() for field in kind.fields.values())
        events = {event for field in fields for event in field.matchers}
        return tuple((self.facts.hooks, node) for event, node in self.call.matchers if event in events)

    @cached_property
    def effect(self) -> Effect:
        """What the running agent has, as far as the call says."""
        data: dict[str, Value] = {}
        for written in self.values:
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
        return self.context.servers.union(
            own, self.neighbours.servers(self.harness) if self.neighbours is not None else ()
        )

    def known_names(self, key: Key) -> dict[str, NameFacts]:  # noqa: ARG002
        """Nothing: here a name may be a tool that the program makes itself."""
        return {}

    def meaning(self, name: str) -> Meaning:
        server = name.removeprefix("mcp__")
        if self.facts.whole_servers and server != name and server and "__" not in server:
            return Meaning("mcp", (Mcp(server),), self.harness.id, name)
        if name in self.own_tools:
            return Meaning("unknown", (Custom(name),))
        found = super().meaning(name)
        if found.how == "mcp" and self._siblings(found.tools[0]):
            return found._replace(how="unknown")
        return found

    def _siblings(self, tool: Tool) -> frozenset[str]:
        """The tools of a server that the program makes itself, if this is none of them."""
        servers = {server_name(name, self.harness): tools for name, tools in (self.call.servers or {}).items()}
        known = servers.get(tool.server or "")
        return known if known and tool.name != "*" and tool.name not in known else frozenset()

    def suggest(self, name: str, *, sure: bool = False) -> str | None:
        """A tool of the program's own goes by its server's name too."""
        servers = self.call.servers or {}
        homes = [server for server, tools in servers.items() if tools is None or name in tools]
        if name in self.own_tools and len(homes) == 1:
            return self.harness.mcp.tool.format(server=server_name(homes[0], self.harness), tool=name)
        tool = parse_mcp(name, self.harness)
        if tool is not None and (siblings := self._siblings(tool)):
            form = self.harness.mcp.tool
            return nearest(name, [form.format(server=tool.server, tool=each) for each in sorted(siblings)])
        return super().suggest(name, sure=sure)

    def misfit(self, written: ToolValue) -> Misfit:
        """What becomes of text or a tuple where a list is due."""
        found = self.facts.keys[written.key].misfits[written.shape]
        edits = self._as_list(written)
        fix = Fix("Write a list", edits, Safety.SAFE, frozenset((written.key,))) if edits else None
        return Misfit(self.module.sdk.title, found.outcome, found.severity, fix)

    def _as_list(self, written: ToolValue) -> tuple[Edit, ...]:
        argument = self.call.arguments[written.key]
        literal, value = argument.literal, written.entry.value
        if literal is None or argument.is_constant:
            return ()
        if literal.brackets is not None:
            return (Edit(literal.brackets[0], "["), Edit(literal.brackets[1], "]"))
        if not isinstance(value, Scalar) or value.style not in ("'", '"'):
            return ()
        names = ", ".join(f"{value.style}{item.text}{value.style}" for item in written.items)
        return (Edit(value.span, f"[{names}]"),)

    @property
    def restricts(self) -> bool:
        """Does something beside the approved tools say, or may it say, what the agent can do?"""
        roles = ("allow", "deny")
        names = {key for key, facts in self.facts.keys.items() if facts.role in roles} | {*self.facts.deciders}
        return self.call.is_open or bool(names & {*self.call.arguments, *self.assigned}) or self._mode is None

    def is_whole(self, written: ToolValue) -> bool:
        """Is all of a value there to be seen?"""
        argument = self.call.arguments[written.key]
        literal = argument.literal
        return literal is not None and not literal.is_open and not argument.is_shared and written.shape == "list"

    def unasked(self, approved: Sequence[Risk | None]) -> str:
        """What the agent can do though no approved tool can, in words; empty for nothing."""
        free = [risk for risk in _HARM if risk in self.facts.free.get(self._mode or "", ())]
        # Who approves a tool of a server's, which may do anything, knows of more than reading.
        levels = [_HARM.index(risk) if risk in _HARM else 0 for risk in approved]
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
