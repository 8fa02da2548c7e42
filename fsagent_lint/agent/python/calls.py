"""The calls in a Python module that make agents, found by the imports that their names resolve to."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import libcst as cst
from libcst.helpers import get_full_name_for_node
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper, ScopeProvider

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.python.detect import MODULES
from fsagent_lint.agent.python.names import Bindings
from fsagent_lint.agent.python.nodes import Literal, Locate, read_literal, read_string
from fsagent_lint.agent.python.source import LimitError
from fsagent_lint.frontmatter.nodes import Entry, List, Map, Scalar, Span
from fsagent_lint.harnesses.sdk import Sdk, SdkCall

Servers = dict[str, frozenset[str] | None]
"""The MCP servers that an agent sees, with their tools; None if the tools are unknown."""


class Argument(NamedTuple):
    key: Scalar
    literal: Literal | None
    """The literal, or the value of the constant that is named; None if only running the program would show it."""
    is_shared: bool = False
    """It belongs to a constant that the module also uses for something else, so it must not change."""
    is_constant: bool = False

    @property
    def entry(self) -> Entry | None:
        return Entry(self.key, self.literal.node) if self.literal is not None else None


@dataclasses.dataclass(frozen=True)
class Call:
    """A call, or a later change of the object that a call made."""

    facts: SdkCall
    name: str
    arguments: dict[str, Argument]
    is_open: bool
    """There may be more arguments, from a `**` or from the call whose object is changed."""
    parent: Call | None
    """The options that contain this agent, or the call whose object is changed."""
    own_servers: Servers | None = None
    matchers: tuple[tuple[str, Scalar], ...] = ()
    """The matchers of hooks, with their events."""
    misfits: tuple[tuple[str, Span], ...] = ()
    """Agents in a form that the SDK does not take: a `list` of them, or an `agent` that is a dict."""

    @property
    def servers(self) -> Servers | None:
        """None if they are unknown."""
        above = self.parent.servers if self.parent is not None else None
        if self.facts.agents and (self.parent is None or self.own_servers is not None):
            return self.own_servers
        if above is None or self.facts.servers not in self.arguments:
            return above
        return above | self.own_servers if self.own_servers is not None else None


class ModuleCalls(NamedTuple):
    calls: list[Call]
    assigned: frozenset[str]
    """Attributes that are set, and arguments that are replaced, after an object is made."""
    tools: frozenset[str]
    """Tools that the module itself defines, for MCP servers of its own."""


def find_calls(code: str, sdk: Sdk, shift: int = 0) -> ModuleCalls:
    """The calls of a module, with every offset moved by `shift`; ParseError if the module cannot be read."""
    try:
        module = cst.parse_module(code)
        if module.code != code:
            raise LimitError("LibCST does not reproduce the module exactly", 0)
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        spans = wrapper.resolve(ByteSpanPositionProvider)
        names = Bindings(wrapper.resolve(ScopeProvider))
        data = b"" if code.isascii() else code.encode("utf-8")

        def locate(node: cst.CSTNode) -> Span:
            start, end = spans[node].start, spans[node].start + spans[node].length
            if data:
                length = len(data[start:end].decode("utf-8"))
                start = len(data[:start].decode("utf-8"))
                end = start + length
            return Span(start + shift, end + shift)

        visitor = _Visitor(sdk, names)
        module.visit(visitor)
    except cst.ParserSyntaxError as error:  # Python itself could parse it
        raise LimitError(f"LibCST cannot parse it ({error.message})", 0) from None
    except RecursionError:
        raise LimitError("the module is nested too deeply", 0) from None
    reader = _Reader(visitor, locate)
    return ModuleCalls(reader.calls(), frozenset(visitor.assigned), frozenset(reader.tools()))


class _RawCall(NamedTuple):
    facts: SdkCall
    name: str
    arguments: tuple[tuple[cst.CSTNode | None, str, cst.BaseExpression], ...]
    """For each argument: where its name stands, the name or the stars, and the value."""
    parent: int | None
    """The index of the options that contain it."""
    node: cst.CSTNode


class _Visitor(cst.CSTVisitor):
    """Collects calls and changes; what a constant is used for is known only at the end."""

    def __init__(self, sdk: Sdk, names: Bindings) -> None:
        super().__init__()
        self.sdk, self.names = sdk, names
        self.raw: list[_RawCall] = []
        self.changes: list[tuple[cst.BaseExpression, str, cst.CSTNode, cst.BaseExpression]] = []
        """Variable, argument, where it is named, and the new value or a call that adds to the old one."""
        self.tools: list[cst.BaseExpression] = []
        """What is passed as the name of a tool."""
        self.assigned: set[str] = set()
        self.passed_names: set[cst.CSTNode] = set()
        """Names that are passed as arguments to these calls."""
        self._within: list[int | None] = [None]

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:  # noqa: N802
        if isinstance(node.names, cst.ImportStar) and node.module is not None:
            name = get_full_name_for_node(node.module) or ""
            self.names.has_star = self.names.has_star or name.partition(".")[0] in MODULES

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:  # noqa: N802
        self.names.decorators[node] = tuple(each.decorator for each in node.decorators)

    def visit_Param(self, node: cst.Param) -> None:  # noqa: N802
        if node.annotation is not None:
            self.names.annotations[node] = node.annotation.annotation

    def visit_Assign(self, node: cst.Assign) -> None:  # noqa: N802
        target = node.targets[0].target
        if len(node.targets) == 1:
            self.names.values[target] = node.value
        for each in node.targets:
            self._change(each.target, node.value)

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:  # noqa: N802
        self.names.annotations[node.target] = node.annotation.annotation
        if node.value is not None:
            self.names.values[node.target] = node.value

    def visit_AugAssign(self, node: cst.AugAssign) -> None:  # noqa: N802
        self._change(node.target, node.value)

    def _change(self, target: cst.BaseExpression, value: cst.BaseExpression) -> None:
        if isinstance(target, cst.Attribute):
            self.assigned.add(target.attr.value)
            self.changes.append((target.value, target.attr.value, target.attr, value))

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802
        name = self.names.imported(node.func)
        facts = self.sdk.by_name.get(name)
        if name == self.sdk.tool:
            self.tools += [each.value for each in node.args[:1] if not each.star]
        if facts is None:
            self._within.append(self._within[-1])
            self._visit_change(node)
            return
        arguments = tuple(_arguments(node, facts.order))
        self.raw.append(_RawCall(facts, name, arguments, self._within[-1], node.func))
        self._within.append(len(self.raw) - 1 if facts.agents else self._within[-1])
        self.passed_names |= {each.value for each in node.args if isinstance(each.value, cst.Name)}

    def leave_Call(self, original_node: cst.Call) -> None:  # noqa: ARG002, N802
        self._within.pop()

    def _visit_change(self, node: cst.Call) -> None:
        """`replace(options, tools=[…])`, `options.tools.append(…)`."""
        func = node.func
        if get_full_name_for_node(func) in ("replace", "dataclasses.replace", "copy.replace") and node.args:
            for each in node.args[1:]:
                if each.keyword is not None:
                    self.assigned.add(each.keyword.value)
                    self.changes.append((node.args[0].value, each.keyword.value, each.keyword, each.value))
        elif isinstance(func, cst.Attribute) and isinstance(func.value, cst.Attribute) and len(node.args) == 1:
            if func.attr.value in ("append", "extend"):
                self.assigned.add(func.value.attr.value)
                self.changes.append((func.value.value, func.value.attr.value, func.value.attr, node.args[0].value))


def _arguments(node: cst.Call, order: tuple[str, ...]) -> Iterator[tuple[cst.CSTNode | None, str, cst.BaseExpression]]:
    is_open = False
    for at, each in enumerate(node.args):
        is_open = is_open or bool(each.star)
        if each.star:
            yield None, each.star, each.value
        elif each.keyword is not None:
            yield each.keyword, each.keyword.value, each.value
        elif not is_open and at < len(order):
            yield None, order[at], each.value


class _Reader:
    """Turns the collected nodes into values."""

    def __init__(self, visitor: _Visitor, locate: Locate) -> None:
        self.visitor, self.names, self.locate, self.sdk = visitor, visitor.names, locate, visitor.sdk

    def calls(self) -> list[Call]:
        found: list[Call] = []
        made: dict[cst.CSTNode, Call] = {}
        for raw in self.visitor.raw:
            arguments, is_open = self._read(raw.arguments)
            parent = found[raw.parent] if isinstance(raw.parent, int) else None
            by_name = {name: value for _, name, value in raw.arguments}
            servers = self._servers(by_name.get(raw.facts.servers))
            matchers = tuple(self._matchers(by_name.get(raw.facts.hooks)))
            misfits = tuple(self._misfits(by_name.get(raw.facts.agents)))
            found.append(Call(raw.facts, raw.name, arguments, is_open, parent, servers, matchers, misfits))
            made[raw.node] = found[-1]
        return [*found, *self._changed(made)]

    def _changed(self, made: dict[cst.CSTNode, Call]) -> Iterator[Call]:
        for variable, key, place, value in self.visitor.changes:
            name = self.names.class_of(variable)
            facts = self.sdk.by_name.get(name)
            if facts is not None and key in facts.keys:
                call = self.names.value(variable)
                parent = made.get(call.func) if isinstance(call, cst.Call) else None
                yield Call(facts, name, {key: self._argument(key, place, value, single=True)}, True, parent)

    def _read(
        self, raw: tuple[tuple[cst.CSTNode | None, str, cst.BaseExpression], ...]
    ) -> tuple[dict[str, Argument], bool]:
        arguments: dict[str, Argument] = {}
        is_open = False
        for place, name, value in raw:
            if name == "**":
                inner = self.names.value(value)
                is_open = True
                for key, at, each in self._pairs(inner):
                    arguments[key] = self._argument(key, at, each)
            elif name == "*":
                is_open = True
            else:
                arguments[name] = self._argument(name, place, value)
        return arguments, is_open

    def _pairs(self, node: cst.BaseExpression) -> Iterator[tuple[str, cst.CSTNode, cst.BaseExpression]]:
        """The entries of a dict display or a `dict()` call."""
        if isinstance(node, cst.Dict):
            for element in node.elements:
                key = read_string(element.key, self.locate) if isinstance(element, cst.DictElement) else None
                if key is not None and isinstance(element, cst.DictElement):
                    yield key.value, element.key, element.value
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "dict":
            yield from ((arg.keyword.value, arg.keyword, arg.value) for arg in node.args if arg.keyword is not None)

    def _argument(
        self, name: str, place: cst.CSTNode | None, node: cst.BaseExpression, *, single: bool = False
    ) -> Argument:
        span = self.locate(place if place is not None else node)
        value, is_shared, is_constant = node, False, False
        assignment = self.names.assignment(node)
        found = self.names.values.get(assignment.node) if assignment is not None else None
        if assignment is not None and found is not None:
            value, is_constant = found, True
            is_shared = not all(access.node in self.visitor.passed_names for access in assignment.references)
        return Argument(
            Scalar(*span, name, ""), read_literal(value, self.locate, single=single), is_shared, is_constant
        )

    def tools(self) -> Iterator[str]:
        names = (read_string(value, self.locate) for value in self.visitor.tools)
        return (name.value for name in names if name is not None)

    def _servers(self, node: cst.BaseExpression | None) -> Servers | None:
        """The keys of a dict, or the entries of a list."""
        value = self.names.value(node) if node is not None else None
        literal = read_literal(value, self.locate) if value is not None else None
        if literal is None or literal.is_open or value is None:
            return None
        if isinstance(literal.node, Map):
            return {key: self._tools_of(each) for key, _, each in self._pairs(value)}
        items = literal.node.items if isinstance(literal.node, List) else []
        return {item.value: None for item in items if isinstance(item, Scalar)}

    def _tools_of(self, node: cst.BaseExpression) -> frozenset[str] | None:
        """The tools of a server that the module defines itself; None if not every tool is visible in the code."""
        call = self.names.value(node)
        if not isinstance(call, cst.Call) or self.names.imported(call.func) != self.sdk.server:
            return None
        arguments = {name: value for _, name, value in _arguments(call, self.sdk.server_order)}
        tools = self.names.value(arguments["tools"]) if "tools" in arguments else None
        if not isinstance(tools, cst.List) or "*" in arguments or "**" in arguments:
            return None
        found = [self._tool_name(element.value) for element in tools.elements if isinstance(element, cst.Element)]
        known = frozenset(name for name in found if name is not None)
        return known if len(found) == len(tools.elements) and None not in found else None

    def _tool_name(self, node: cst.BaseExpression) -> str | None:
        assignment = self.names.assignment(node)
        for each in self.names.decorators.get(assignment.node, ()) if assignment is not None else ():
            if isinstance(each, cst.Call) and self.names.imported(each.func) == self.sdk.tool:
                arguments = {name: value for _, name, value in _arguments(each, ("name",))}
                text = read_string(arguments["name"], self.locate) if "name" in arguments else None
                return text.value if text is not None else None
        return None

    def _misfits(self, node: cst.BaseExpression | None) -> Iterator[tuple[str, Span]]:
        value = self.names.value(node) if node is not None else None
        if (isinstance(value, (cst.List, cst.Tuple, cst.Set)) and value.elements) or isinstance(
            value, (cst.ListComp, cst.SetComp)
        ):
            yield "list", self.locate(value)
        elif value is not None:
            for _, _, each in self._pairs(value):
                agent = self.names.value(each)
                if isinstance(agent, cst.Dict):
                    yield "agent", self.locate(agent)

    def _matchers(self, node: cst.BaseExpression | None) -> Iterator[tuple[str, Scalar]]:
        for event, _, groups in self._pairs(self.names.value(node)) if node is not None else ():
            for element in groups.elements if isinstance(groups, cst.List) else ():
                call = element.value
                if isinstance(call, cst.Call) and self.names.imported(call.func) == self.sdk.matcher:
                    arguments = {name: value for _, name, value in _arguments(call, ("matcher",))}
                    text = read_string(arguments["matcher"], self.locate) if "matcher" in arguments else None
                    if text is not None:
                        yield event, text
