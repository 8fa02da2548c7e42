"""A Python module, and each of its calls that makes an agent, as the rules see them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from fsagent_lint.agent.python.detect import MODULES, may_define_agents
from fsagent_lint.agent.python.source import PythonSource, parse_module, python_comments
from fsagent_lint.agent.subject import NO_AGENT, NO_CONTEXT, Context, Sort, Subject
from fsagent_lint.agent.tool_values import Misfit, ToolValue, read_tool_value
from fsagent_lint.agent.verdicts import KnownNames
from fsagent_lint.effect.effect import Effect
from fsagent_lint.effect.outcome import Refusal
from fsagent_lint.effect.semantics import SEMANTICS
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.nodes import Entry, ParseError, Scalar, Span
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.harnesses.mcp import parse_mcp, server_name
from fsagent_lint.harnesses.sdk import Sdk, SdkCall, get_sdk
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.harnesses.vocabulary import Meaning
from fsagent_lint.model.finding import Fix, Safety
from fsagent_lint.model.tool import Risk, Tool
from fsagent_lint.suggest import nearest

if TYPE_CHECKING:
    from fsagent_lint.agent.python.calls import Argument, Call, ModuleCalls
    from fsagent_lint.agent.python.outline import SdkNames

KIND = "python"

# What a tool can do, from least to most; an agent that may run commands may do the rest.
_HARM = (Risk.READ, Risk.WRITE, Risk.EXECUTE)
_ABILITIES = {Risk.READ: "read files", Risk.WRITE: "write files", Risk.EXECUTE: "run commands"}


class PythonDocument(Document):
    """The arguments of one call, treated as frontmatter."""

    def __init__(self, source: PythonSource, entries: list[Entry]) -> None:
        self.source, self.module, self.entries = source, source, entries
        self.error, self.root_is_not_map = None, False

    @cached_property
    def _comments(self) -> tuple[Span, ...]:
        return tuple(python_comments(self.module.text)) if self.module.fault is None else ()

    def is_text(self, offset: int) -> bool:
        before = bisect_right(self._comments, offset, key=lambda span: span.start)
        return before == 0 or offset >= self._comments[before - 1].end


def read_module(path: str, data: bytes, context: Context = NO_CONTEXT) -> ModuleSubject:
    return ModuleSubject(PythonSource(path, data), context)


class ModuleSubject(Subject):
    """The whole file. `fault` says why it cannot be read; then it has no calls."""

    sort = Sort.MODULE
    fault: ParseError | None = None

    def __init__(self, source: PythonSource, context: Context) -> None:
        self.sdk: Sdk = get_sdk()
        self.source = source
        found = self._find() if may_define_agents(source.data) else None
        document = PythonDocument(source, [])
        super().__init__(document, get_harness(self.sdk.harness), KIND, context, NO_AGENT)
        self.calls: tuple[CallSubject, ...] = ()
        if found is not None:
            self.calls = tuple(CallSubject(self, call, found) for call in found.calls)

    def _find(self) -> ModuleCalls | None:
        from fsagent_lint.agent.python.outline import outline

        try:
            mark = "\ufeff" if self.source.text.startswith("\ufeff") else ""
            text = outline(parse_module(self.source), self.source.text.removeprefix(mark), _sdk_names(self.sdk))
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

    @property
    def agents(self) -> tuple[Subject, ...]:
        return self.calls

    @cached_property
    def effect(self) -> Effect:
        return Effect(False, "a module is not an agent")


def _sdk_names(sdk: Sdk) -> SdkNames:
    """The names of the SDK that make a module worth reading."""
    from fsagent_lint.agent.python.outline import SdkNames

    calls = {
        name: (*call.keys, *call.wrong_keys, *([call.hooks] if call.hooks else []))
        for call in sdk.calls.values()
        for name in call.names
    }
    context = {each for call in sdk.calls.values() for each in (call.servers, call.agents)}
    agents = [call.agents for call in sdk.calls.values() if call.agents]
    return SdkNames(MODULES, calls, (sdk.tool, sdk.server, sdk.matcher), context, agents)


class CallSubject(Subject):
    """One call; `found` holds all calls of the module."""

    sort = Sort.CALL
    refusal = "the call fails"

    def __init__(self, module: ModuleSubject, call: Call, found: ModuleCalls) -> None:
        known = {*call.facts.keys, *call.facts.wrong_keys}
        entries = [each.entry for name, each in call.arguments.items() if name in known]
        document = PythonDocument(module.source, [entry for entry in entries if entry is not None])
        super().__init__(document, module.harness, KIND, module.context, call.facts.kind)
        self.module, self.call = module, call
        self.assigned, self.own_tools = found.assigned, found.tools

    @property
    def title(self) -> str:
        entries = self.document.entries
        line = f" in line {self.document.source.place(entries[0].span)[0]}" if entries else ""
        return f"{self.call.name}{line}"

    @property
    def facts(self) -> SdkCall:
        return self.call.facts

    @cached_property
    def values(self) -> tuple[ToolValue, ...]:
        return tuple(
            value
            for entry in self.document.entries
            if entry.name in self.facts.keys
            and (value := self._read_argument(entry, self.call.arguments[entry.name or ""])) is not None
        )

    def _read_argument(self, entry: Entry, argument: Argument) -> ToolValue | None:
        literal = argument.literal
        if literal is None or literal.shape == "map":
            return None
        found = read_tool_value(entry, self.document.source.text, self.kind.keys.get(entry.name or ""))
        items = [item for item in found.items if not (isinstance(item.node, Scalar) and item.node.style == "dynamic")]
        # Of two strings in parentheses, removing one leaves no tuple.
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
        return tuple(value for value in found if value is not None)

    def unread(self, key: str) -> str:
        return f"`{self.call.name}` has no argument `{key}`"

    @cached_property
    def matchers(self) -> tuple[tuple[str, Scalar], ...]:
        events = self.harness.hooks.matched
        return tuple((self.facts.hooks, node) for event, node in self.call.matchers if event in events)

    @cached_property
    def effect(self) -> Effect:
        """What the running agent is granted, as far as the call determines it."""
        data: dict[str, Value] = {}
        for value in self.values:
            key = self.facts.keys[value.key]
            # A denial of some uses leaves the tool itself granted.
            partly = key.role == "deny" and key.scopes == "honoured"
            if value.shape == "list":
                data[value.key] = [item.text for item in value.items if not (partly and item.scope)]
        outcome = SEMANTICS[self.harness.semantics](data, self.harness, self.kind, "")
        if isinstance(outcome, Refusal):
            return Effect(False, outcome.problem, outcome.key)
        return Effect(True, "", "", outcome.tools, outcome.ask, outcome.conditional, outcome.denied, outcome.open)

    @cached_property
    def known_servers(self) -> frozenset[str]:
        """Empty if not every server is visible in the code."""
        own = self.call.servers
        if own is None:
            return frozenset()
        return self.context.servers.union(own, self.found_servers(self.harness))

    @cached_property
    def names(self) -> KnownNames:
        """Not shared: here a name may be a tool that the program itself defines."""
        return KnownNames()

    def meaning(self, name: str) -> Meaning:
        server = name.removeprefix("mcp__")
        if self.facts.whole_servers and server != name and server and "__" not in server:
            return Meaning("mcp", (Tool.mcp(server),), self.harness.id, name)
        if name in self.own_tools:
            return Meaning("unknown", (Tool.custom(name),))
        found = super().meaning(name)
        if found.how == "mcp" and self._siblings(found.tools[0]):
            return found._replace(how="unknown")
        return found

    def _siblings(self, tool: Tool) -> frozenset[str]:
        """The other tools of a server that the program itself defines, if this is not one of its tools."""
        servers = {server_name(name, self.harness): tools for name, tools in (self.call.servers or {}).items()}
        known = servers.get(tool.server or "")
        return known if known and tool.name != "*" and tool.name not in known else frozenset()

    def suggest(self, name: str, *, sure: bool = False) -> str | None:
        """As usual, but a tool that the program itself defines needs the name of its server."""
        servers = self.call.servers or {}
        homes = [server for server, tools in servers.items() if tools is None or name in tools]
        if name in self.own_tools and len(homes) == 1:
            return self.harness.mcp.tool.format(server=server_name(homes[0], self.harness), tool=name)
        tool = parse_mcp(name, self.harness)
        if tool is not None and (siblings := self._siblings(tool)):
            form = self.harness.mcp.tool
            return nearest(name, [form.format(server=tool.server, tool=each) for each in sorted(siblings)])
        return super().suggest(name, sure=sure)

    def misfit(self, value: ToolValue) -> Misfit:
        """What happens with text or a tuple where a list is expected."""
        found = self.facts.keys[value.key].misfits[value.shape]
        edits = self._as_list(value)
        fix = Fix("Write a list", edits, Safety.SAFE, frozenset((value.key,))) if edits else None
        return Misfit(self.module.sdk.title, found.outcome, found.severity, fix)

    def _as_list(self, value: ToolValue) -> tuple[Edit, ...]:
        argument = self.call.arguments[value.key]
        literal, node = argument.literal, value.entry.value
        if literal is None or argument.is_constant:
            return ()
        if literal.brackets is not None:
            return (Edit(literal.brackets[0], "["), Edit(literal.brackets[1], "]"))
        if not isinstance(node, Scalar) or node.style not in ("'", '"'):
            return ()
        names = ", ".join(f"{node.style}{item.text}{node.style}" for item in value.items)
        return (Edit(node.span, f"[{names}]"),)

    @property
    def restricts(self) -> bool:
        """Does, or may, anything besides the approved tools decide what the agent can do?"""
        roles = ("allow", "deny")
        names = {key for key, facts in self.facts.keys.items() if facts.role in roles} | {*self.facts.deciders}
        return self.call.is_open or bool(names & {*self.call.arguments, *self.assigned}) or self._mode is None

    def is_whole(self, value: ToolValue) -> bool:
        """Is the whole value visible in the code?"""
        argument = self.call.arguments[value.key]
        literal = argument.literal
        return literal is not None and not literal.is_open and not argument.is_shared and value.shape == "list"

    def unasked(self, approved: Sequence[Risk | None]) -> str:
        """What the agent can do beyond its approved tools without asking, in words; empty for nothing."""
        free = [risk for risk in _HARM if risk in self.facts.free.get(self._mode or "", ())]
        # An author who approves a tool of a server, which may do anything, is aware of more than reading.
        levels = [_HARM.index(risk) if risk in _HARM else 0 for risk in approved]
        beyond = free[max(levels, default=-1) + 1 :]
        return _ABILITIES[beyond[-1]] if beyond else ""

    @property
    def _mode(self) -> str | None:
        """The mode that decides about tools that are not approved; None if it is unknown."""
        argument = self.call.arguments.get(self.facts.mode)
        if argument is None:
            return None if self.facts.mode in self.assigned else "default"
        value = argument.literal.node if argument.literal is not None else None
        return value.value if isinstance(value, Scalar) else None
