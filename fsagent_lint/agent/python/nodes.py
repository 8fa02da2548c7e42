"""Literals of a Python module as nodes with spans, so that the rules see them as they see frontmatter."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from fsagent_lint._fast import NamedTuple
from fsagent_lint.frontmatter.nodes import Entry, List, Map, Node, Scalar, Span

Locate = Callable[[cst.CSTNode], Span]


class Literal(NamedTuple):
    """`shape`: list, tuple, set, csv (text) or map; `is_open`: parts of it are not literals."""

    node: Node
    shape: str
    is_open: bool = False
    is_fixed: bool = False
    """Its entries cannot be changed one by one."""
    brackets: tuple[Span, Span] | None = None
    """The parentheses of a tuple, the braces of a set."""


def read_literal(value: cst.BaseExpression, locate: Locate, *, single: bool = False) -> Literal | None:
    """A display or a string; None if only running the program would show it. `single`: a string is one entry."""
    if isinstance(value, (cst.SimpleString, cst.ConcatenatedString)):
        text = read_string(value, locate)
        if text is not None and single:
            return Literal(List(*locate(value), [text], flow=True), "list", is_open=True, is_fixed=True)
        return Literal(text, "csv") if text is not None else None
    if isinstance(value, (cst.List, cst.Tuple, cst.Set)):
        return _read_list(value, locate)
    if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Add):
        return _read_sum(value, locate)
    if isinstance(value, cst.Dict):
        return _read_dict(value, locate)
    return None


def read_string(value: cst.BaseExpression, locate: Locate) -> Scalar | None:
    if not isinstance(value, (cst.SimpleString, cst.ConcatenatedString)):
        return None
    text = value.evaluated_value
    if not isinstance(text, str) or any("\ud800" <= char <= "\udfff" for char in text):
        return None
    span = locate(value)
    simple = isinstance(value, cst.SimpleString) and not value.prefix and len(value.quote) == 1
    # A string that needs escapes is never rewritten.
    plain = simple and not any(char in text for char in "'\"\\") and text.isprintable()
    style = value.quote if isinstance(value, cst.SimpleString) and plain else "raw"
    return Scalar(*span, text, style, marked=not plain)


def _read_sum(value: cst.BinaryOperation, locate: Locate) -> Literal | None:
    """`[…] + OTHER`: the entries of the lists that are literals."""
    parts = [read_literal(side, locate) for side in (value.left, value.right)]
    lists = [part for part in parts if part is not None and part.shape == "list"]
    items = [item for part in lists if isinstance(part.node, List) for item in part.node.items]
    is_open = len(lists) < len(parts) or any(part.is_open for part in lists)
    return Literal(List(*locate(value), items, flow=True), "list", is_open, is_fixed=True) if lists else None


def _read_list(value: cst.List | cst.Tuple | cst.Set, locate: Locate) -> Literal:
    items: list[Node] = []
    is_open = False
    for element in value.elements:
        text = read_string(element.value, locate) if isinstance(element, cst.Element) else None
        is_open = is_open or text is None
        # An element that is not a literal keeps its place, without a name.
        items.append(text or Scalar(locate(element).start, locate(element.value).end, "", "dynamic", marked=True))
    span, brackets = locate(value), None
    if isinstance(value, cst.Tuple) and value.lpar and value.rpar:
        start, end = locate(value.lpar[-1]).start, locate(value.rpar[0]).end
        span, brackets = Span(start, end), (Span(start, start + 1), Span(end - 1, end))
    elif isinstance(value, cst.Set):
        brackets = Span(span.start, span.start + 1), Span(span.end - 1, span.end)
    shape = "list" if isinstance(value, cst.List) else "tuple" if isinstance(value, cst.Tuple) else "set"
    return Literal(List(*span, items, flow=True), shape, is_open, brackets=brackets)


def _read_dict(value: cst.Dict, locate: Locate) -> Literal:
    entries: list[Entry] = []
    is_open = False
    for element in value.elements:
        key = read_string(element.key, locate) if isinstance(element, cst.DictElement) else None
        if key is None:
            is_open = True
        else:
            entries.append(Entry(key, Scalar(*locate(element.value), "", "dynamic", marked=True)))
    return Literal(Map(*locate(value), entries, flow=True), "map", is_open)
