"""Literals of a Python module as nodes with spans, so that the rules see them as they see frontmatter."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from fsagent_lint.named import NamedTuple
from fsagent_lint.nodes import Entry, List, Map, Node, Scalar
from fsagent_lint.source import Span

Locate = Callable[[cst.CSTNode], Span]


class Literal(NamedTuple):
    """`shape`: list, tuple, csv (text) or map; `is_open`: parts of it are not literal."""

    node: Node
    shape: str
    is_open: bool = False
    brackets: tuple[Span, Span] | None = None
    """The parentheses of a tuple."""


def read_literal(value: cst.BaseExpression, locate: Locate) -> Literal | None:
    """A list, tuple or dict display or a string; None for what only running the program would tell."""
    if isinstance(value, (cst.SimpleString, cst.ConcatenatedString)):
        text = read_string(value, locate)
        return Literal(text, "csv") if text is not None else None
    if isinstance(value, (cst.List, cst.Tuple)):
        return _read_list(value, locate)
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
    # Whatever would have to be escaped is not written anew.
    plain = simple and not any(char in text for char in "'\"\\") and text.isprintable()
    style = value.quote if isinstance(value, cst.SimpleString) and plain else "raw"
    return Scalar(*span, text, style, marked=not plain)


def _read_list(value: cst.List | cst.Tuple, locate: Locate) -> Literal:
    items: list[Node] = []
    is_open = False
    for element in value.elements:
        text = read_string(element.value, locate) if isinstance(element, cst.Element) else None
        is_open = is_open or text is None
        # What is not literal keeps its place, and is nobody's name.
        items.append(text or Scalar(*locate(element.value), "", "dynamic", marked=True))
    span, brackets = locate(value), None
    if isinstance(value, cst.Tuple) and value.lpar and value.rpar:
        start, end = locate(value.lpar[-1]).start, locate(value.rpar[0]).end
        span, brackets = Span(start, end), (Span(start, start + 1), Span(end - 1, end))
    shape = "list" if isinstance(value, cst.List) else "tuple"
    return Literal(List(*span, items, flow=True), shape, is_open, brackets)


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
