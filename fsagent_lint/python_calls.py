"""The calls in a Python module that make agents, found by what their names are imported as."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import libcst as cst
from libcst.helpers import get_full_name_for_node
from libcst.metadata import (
    Assignment,
    ByteSpanPositionProvider,
    GlobalScope,
    MetadataWrapper,
    QualifiedNameSource,
    Scope,
    ScopeProvider,
)

from fsagent_lint.named import NamedTuple
from fsagent_lint.nodes import Entry, List, Map, Scalar
from fsagent_lint.python_files import MODULES
from fsagent_lint.python_nodes import Literal, Locate, read_literal, read_string
from fsagent_lint.python_source import LimitError
from fsagent_lint.sdk import Sdk, SdkCall
from fsagent_lint.source import Span


class Argument(NamedTuple):
    key: Scalar
    literal: Literal | None
    """What was written, or what the constant is that was named; None for what only running the program would tell."""
    is_shared: bool = False
    """It belongs to a constant that the module uses for other things too, so it must stay as it is."""
    is_constant: bool = False

    @property
    def entry(self) -> Entry | None:
        return Entry(self.key, self.literal.node) if self.literal is not None else None


@dataclasses.dataclass(frozen=True)
class Call:
    facts: SdkCall
    span: Span
    """The name that is called."""
    arguments: dict[str, Argument]
    is_open: bool
    """There may be more arguments, from a `**`."""
    parent: Call | None
    """The options that this agent is written into."""

    @property
    def servers(self) -> frozenset[str] | None:
        """The MCP servers that the agent sees; None where that cannot be told."""
        own = self._own_servers()
        if self.facts.agents:
            return own
        above = self.parent.servers if self.parent is not None else None
        if above is None or self.facts.servers not in self.arguments:
            return above
        return above | own if own is not None else None

    def _own_servers(self) -> frozenset[str] | None:
        argument = self.arguments.get(self.facts.servers)
        literal = argument.literal if argument is not None else None
        if literal is None or literal.is_open:
            return None
        if isinstance(literal.node, Map):
            return frozenset(entry.name for entry in literal.node.entries if entry.name is not None)
        items = literal.node.items if isinstance(literal.node, List) else []
        return frozenset(item.value for item in items if isinstance(item, Scalar))


class Found(NamedTuple):
    calls: list[Call]
    strings: list[Span]
    """Strings that speak of this program: no comment begins in them."""
    assigned: frozenset[str]
    """Attributes that are set, and arguments that are replaced, after an object was made."""
    tools: frozenset[str]
    """Tools that the module itself defines, for MCP servers of its own."""


def find_calls(text: str, sdk: Sdk) -> Found:
    """What a module calls; ParseError where it cannot be read."""
    shift = 1 if text.startswith("\ufeff") else 0
    code = text[shift:]
    try:
        module = cst.parse_module(code)
        if module.code != code:
            raise LimitError("LibCST does not give the module back as it is", 0)
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        spans = wrapper.resolve(ByteSpanPositionProvider)
        scopes = wrapper.resolve(ScopeProvider)
        data = b"" if code.isascii() else code.encode("utf-8")

        def locate(node: cst.CSTNode) -> Span:
            start, end = spans[node].start, spans[node].start + spans[node].length
            if data:
                length = len(data[start:end].decode("utf-8"))
                start = len(data[:start].decode("utf-8"))
                end = start + length
            return Span(start + shift, end + shift)

        visitor = _Visitor(sdk, scopes)
        module.visit(visitor)
    except cst.ParserSyntaxError as error:  # Python can read it
        raise LimitError(f"LibCST cannot read it, {error.message}", 0) from None
    except RecursionError:
        raise LimitError("the module is nested too deeply", 0) from None
    reader = _Reader(visitor, locate, _constants(module))
    return Found(reader.read(), [locate(node) for node in visitor.strings], frozenset(visitor.assigned), reader.tools())


def _constants(module: cst.Module) -> dict[cst.CSTNode, cst.BaseExpression]:
    """The targets of plain assignments on the top level, with their values."""
    found: dict[cst.CSTNode, cst.BaseExpression] = {}
    for line in module.body:
        for statement in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(statement, cst.Assign) and len(statement.targets) == 1:
                found[statement.targets[0].target] = statement.value
            elif isinstance(statement, cst.AnnAssign) and statement.value is not None:
                found[statement.target] = statement.value
    return found


class _Raw(NamedTuple):
    node: cst.Call
    facts: SdkCall
    parent: int | None
    """The number of the options that it is written into."""


class _Visitor(cst.CSTVisitor):
    """Collects; what a constant is used for shows only at the end."""

    def __init__(self, sdk: Sdk, scopes: Mapping[cst.CSTNode, Scope | None]) -> None:
        super().__init__()
        self.sdk, self.scopes = sdk, scopes
        self.calls: list[_Raw] = []
        self.tools: list[cst.BaseExpression] = []
        """What is given as the name of a tool."""
        self.strings: list[cst.CSTNode] = []
        self.assigned: set[str] = set()
        self.handed: set[cst.CSTNode] = set()
        """Names that stand as arguments of these calls."""
        self._within: list[int | None] = [None]
        self._has_star = False

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:  # noqa: N802
        if isinstance(node.names, cst.ImportStar) and node.module is not None:
            name = get_full_name_for_node(node.module) or ""
            self._has_star = self._has_star or name.partition(".")[0] in MODULES

    def visit_SimpleString(self, node: cst.SimpleString) -> None:  # noqa: N802
        if "fsagent:" in node.value:
            self.strings.append(node)

    def visit_FormattedString(self, node: cst.FormattedString) -> None:  # noqa: N802
        self.strings.append(node)

    def visit_AssignTarget(self, node: cst.AssignTarget) -> None:  # noqa: N802
        if isinstance(node.target, cst.Attribute):
            self.assigned.add(node.target.attr.value)

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802
        name = self._imported(node.func)
        facts = self.sdk.by_name.get(name)
        if name == self.sdk.tool:
            self.tools += [each.value for each in node.args[:1] if not each.star]
        if facts is None:
            self._within.append(self._within[-1])
            if get_full_name_for_node(node.func) in ("replace", "dataclasses.replace"):
                self.assigned |= {each.keyword.value for each in node.args if each.keyword is not None}
            return
        self.calls.append(_Raw(node, facts, self._within[-1]))
        self._within.append(len(self.calls) - 1 if facts.agents else self._within[-1])
        self.handed |= {each.value for each in node.args if isinstance(each.value, cst.Name)}

    def leave_Call(self, original_node: cst.Call) -> None:  # noqa: ARG002, N802
        self._within.pop()

    def _imported(self, node: cst.BaseExpression) -> str:
        """What the SDK calls the thing that is called; empty if it is none of its."""
        scope = self.scopes.get(node)
        if scope is None or not isinstance(node, (cst.Name, cst.Attribute)):
            return ""
        names = scope.get_qualified_names_for(node)
        for each in names:
            package, _, name = each.name.rpartition(".")
            if each.source is QualifiedNameSource.IMPORT and package.partition(".")[0] in MODULES:
                return name
        return node.value if self._has_star and not names and isinstance(node, cst.Name) else ""


class _Reader:
    """Turns what was collected into values."""

    def __init__(self, visitor: _Visitor, locate: Locate, constants: dict[cst.CSTNode, cst.BaseExpression]) -> None:
        self.visitor, self.locate, self.constants = visitor, locate, constants

    def read(self) -> list[Call]:
        calls: list[Call] = []
        for node, facts, number in self.visitor.calls:
            arguments: dict[str, Argument] = {}
            is_open = False
            for at, each in enumerate(node.args):
                name = each.keyword.value if each.keyword is not None else ""
                is_open = is_open or bool(each.star)
                if not name and not is_open and at < len(facts.order):
                    name = facts.order[at]
                if name:
                    arguments[name] = self._argument(name, each)
            parent = calls[number] if number is not None else None
            calls.append(Call(facts, self.locate(node.func), arguments, is_open, parent))
        return calls

    def tools(self) -> frozenset[str]:
        names = (read_string(value, self.locate) for value in self.visitor.tools)
        return frozenset(name.value for name in names if name is not None)

    def _argument(self, name: str, node: cst.Arg) -> Argument:
        value, is_shared, is_constant = node.value, False, False
        span = self.locate(node.keyword if node.keyword is not None else value)
        if isinstance(value, cst.Name) and (constant := self._constant(value)) is not None:
            assignment, value = constant
            is_shared = not all(access.node in self.visitor.handed for access in assignment.references)
            is_constant = True
        return Argument(Scalar(*span, name, ""), read_literal(value, self.locate), is_shared, is_constant)

    def _constant(self, name: cst.Name) -> tuple[Assignment, cst.BaseExpression] | None:
        """The one assignment of a constant on the top level, and its value."""
        scope = self.visitor.scopes.get(name)
        found = list(scope[name.value]) if scope is not None else []
        if len(found) != 1 or not isinstance(found[0], Assignment) or not isinstance(found[0].scope, GlobalScope):
            return None
        value = self.constants.get(found[0].node)
        return (found[0], value) if value is not None else None
