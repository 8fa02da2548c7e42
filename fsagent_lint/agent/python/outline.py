"""The relevant part of a Python module: the rest is blanked, so that LibCST has little to read.

LibCST needs seconds to resolve names where Python's own parser needs milliseconds. So Python's parser goes first and
finds the statements that are related to the calls of an SDK. Blanked text keeps its length: no offset changes.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from itertools import accumulate

from fsagent_lint._fast import pattern
from fsagent_lint.frontmatter.nodes import Span

_LINE_END = pattern(rb"\r\n|\n|\r")
_NOT_LINE_END = pattern(r"[^\r\n]")
_LONE_RETURN = pattern(r"\r(?!\n)")
_CONTINUATION = bytes(range(0x80, 0xC0))
"""The bytes that do not begin a character in UTF-8."""
_BLOCK = 1024
_PARTS = (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.BinOp, ast.Starred, ast.Attribute)


class SdkNames:
    """What to look for: the SDK's modules, its calls with their arguments about tools, and its other names.

    `context`: arguments that affect how such a call is checked; `agents`: those that hold agents.
    """

    def __init__(
        self,
        modules: Collection[str],
        calls: Mapping[str, Collection[str]],
        others: Collection[str] = (),
        context: Collection[str] = (),
        agents: Collection[str] = (),
    ) -> None:
        self.modules, self.calls = modules, calls
        self.names = {*calls, *others}
        self.arguments = {argument for each in calls.values() for argument in each}
        self.read = self.arguments.union(context)
        self.agents = frozenset(agents)


def outline(tree: ast.Module, text: str, sdk: SdkNames) -> str:
    """The text with everything blanked that is unrelated to the relevant calls; empty if there are no such calls."""
    relevant = _Relevant(tree, sdk)
    if not relevant.nodes:
        return ""
    lines = _Lines(text)
    parts, at = [], 0
    for span in _blanks(tree, relevant, lines):
        parts += [text[at : span.start], _blank(text[span.start : span.end])]
        at = span.end
    # LibCST does not support a lone CR as a line ending, as on old Macs.
    return _LONE_RETURN.sub("\n", "".join([*parts, text[at:]]))


def _blank(statement: str) -> str:
    """A string with the same line breaks: a single node, however long it is."""
    if len(statement) < 6:  # too short for the quotes, and to contain a line break
        return "0".ljust(len(statement))
    return f'"""{_NOT_LINE_END.sub(" ", statement[3:-3])}"""'


class _Relevant:
    """The relevant calls, and the names that lead to the values of their arguments."""

    def __init__(self, tree: ast.Module, sdk: SdkNames) -> None:
        self.sdk = sdk
        self.imported: dict[str, str] = {}
        """Name in this module to its name in the SDK; empty for a module."""
        every = list(ast.walk(tree))
        for node in every:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self._import(node)
        found = [node for node in every if self._matters(node)]
        self.nodes = {id(node) for node in found}
        self.names = {name for node in found for name in self._argument_names(node)} if found else set()
        bindings: dict[str, list[ast.expr]] = {}
        for node in every if found else ():
            for name, value in _binding(node):
                bindings.setdefault(name, []).append(value)
        rest = list(self.names)
        while rest:
            more = {each for value in bindings.get(rest.pop(), ()) for each in self._visible_names(value)}
            rest += more - self.names
            self.names |= more
        self.names -= self.imported.keys()

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            module = alias.name if isinstance(node, ast.Import) else node.module or ""
            if module.partition(".")[0] not in self.sdk.modules:
                continue
            if isinstance(node, ast.Import):
                self.imported[alias.asname or alias.name.partition(".")[0]] = ""
            elif alias.name == "*":
                self.imported |= {name: name for name in self.sdk.names}
            else:
                self.imported[alias.asname or alias.name] = alias.name

    def _sdk_name(self, node: ast.Call) -> str:
        if isinstance(node.func, ast.Attribute):
            return node.func.attr
        return self.imported.get(node.func.id, "") if isinstance(node.func, ast.Name) else ""

    def _matters(self, node: ast.AST) -> bool:
        """Is it a call with relevant arguments, or a later change of one?"""
        arguments = self.sdk.arguments
        if isinstance(node, ast.Call):
            passed = {each.arg for each in node.keywords}
            wanted = self.sdk.calls.get(self._sdk_name(node))
            if wanted is not None:
                return bool(node.args) or None in passed or not passed.isdisjoint({*wanted, *self.sdk.agents})
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            if isinstance(owner, ast.Attribute) and owner.attr in arguments:
                return True
            return bool(node.args) and not passed.isdisjoint(arguments)
        return any(isinstance(each, ast.Attribute) and each.attr in arguments for each in _targets(node))

    def _argument_names(self, node: ast.AST) -> Iterator[str]:
        """Names in the arguments of a call, or in both sides of a change."""
        if isinstance(node, ast.Call):
            read = [each.value for each in node.keywords if each.arg is None or each.arg in self.sdk.read]
            for value in (*node.args, *read, node.func):
                yield from self._visible_names(value)
        elif isinstance(node, (ast.Assign, ast.AugAssign)):
            for value in (*_targets(node), node.value):
                yield from self._visible_names(value)

    def _visible_names(self, value: ast.AST) -> Iterator[str]:
        """Names in a value that is visible in the code."""
        if isinstance(value, ast.Name):
            yield value.id
        elif isinstance(value, ast.Call):
            if self._sdk_name(value) in self.sdk.names or getattr(value.func, "id", "") == "dict":
                for each in (*value.args, *(keyword.value for keyword in value.keywords)):
                    yield from self._visible_names(each)
        elif isinstance(value, _PARTS):
            for child in ast.iter_child_nodes(value):
                yield from self._visible_names(child)

    def __contains__(self, statement: ast.stmt) -> bool:
        """Is a statement related to the relevant calls?"""
        for node in ast.walk(statement):
            if id(node) in self.nodes:
                return True
            if isinstance(node, ast.Name):
                if node.id in self.names or (node.id in self.imported and not isinstance(node.ctx, ast.Load)):
                    return True
            elif isinstance(node, ast.alias):
                if node.name == "*" or self._is_known(node.asname or node.name.partition(".")[0]):
                    return True
            elif isinstance(node, (ast.Global, ast.Nonlocal)):
                if any(map(self._is_known, node.names)):
                    return True
            # A function, class, parameter or pattern; the keyword of an argument binds no name.
            elif not isinstance(node, ast.keyword) and self._is_known(_bound(node)):
                return True
        return False

    def _is_known(self, name: str) -> bool:
        return name in self.names or name in self.imported


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AugAssign) else []


def _bound(node: ast.AST) -> str:
    return getattr(node, "name", None) or getattr(node, "arg", None) or getattr(node, "rest", None) or ""


def _binding(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The name and the value of a plain assignment."""
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(target, ast.Name) and node.value is not None:
        yield target.id, node.value


def _length(data: bytes) -> int:
    """How many characters begin in a piece of UTF-8."""
    return len(data.translate(None, _CONTINUATION))


class _Lines:
    """Converts the lines and columns of Python's parser, which counts columns in bytes, to offsets."""

    def __init__(self, text: str) -> None:
        self.text, self.data = text, text.encode("utf-8")
        self.starts = [0, *(match.end() for match in _LINE_END.finditer(self.data))]
        blocks = (_length(self.data[at : at + _BLOCK]) for at in range(0, len(self.data), _BLOCK))
        self.before_block = [0, *accumulate(blocks)]

    def offset(self, line: int, column: int) -> int:
        at = self.starts[line - 1] + column
        block = at // _BLOCK
        return self.before_block[block] + _length(self.data[block * _BLOCK : at])

    def span(self, node: ast.stmt) -> Span:
        start = self.offset(node.lineno, node.col_offset)
        decorators = getattr(node, "decorator_list", [])
        if decorators:
            first = self.offset(decorators[0].lineno, decorators[0].col_offset)
            start = self.text.rindex("@", 0, first)
        return Span(start, self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0))


def _blanks(node: ast.AST, relevant: _Relevant, lines: _Lines) -> Iterator[Span]:
    """The statements that can be blanked, in order; adjacent ones are merged."""
    for block in _blocks(node):
        blank: Span | None = None
        for statement in block:
            span = lines.span(statement)
            if statement in relevant or lines.text.startswith("elif", span.start):
                if blank is not None:
                    yield blank
                blank = None
                yield from _blanks(statement, relevant, lines)
            else:
                blank = Span(blank.start if blank is not None else span.start, span.end)
        if blank is not None:
            yield blank


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for field in ("body", "handlers", "cases", "orelse", "finalbody"):
        for inner in value if isinstance(value := getattr(node, field, []), list) else []:
            if not isinstance(inner, ast.stmt):
                yield from _blocks(inner)
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            yield value
