"""Converting nodes to plain values (text, number, boolean, null, list, map) by the rules of a YAML dialect."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from fsagent_lint._fast import pattern
from fsagent_lint.frontmatter.nodes import Entry, List, Node, ParseError, Scalar

Value = Any
Resolver = Callable[[str], Value]

_WORDS: dict[str, Value] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **{word: word[0] in "tT" for word in ("true", "True", "TRUE", "false", "False", "FALSE")},
}
"""What every dialect here takes for null or a boolean."""
_CORE_INT = pattern(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_CORE_FLOAT = pattern(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_YAML_1_1_INT = pattern(r"[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*(:[0-5]?[0-9])*)")
_YAML_1_1_FLOAT = pattern(
    r"[-+]?(([0-9][0-9_]*)(\.[0-9_]*)?([eE][-+]?[0-9]+)?|\.[0-9_]+([eE][-+]?[0-9]+)?"
    r"|[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*|\.(inf|Inf|INF))|\.(nan|NaN|NAN)"
)
_JS_YAML_4_INT = pattern(r"[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|0o[0-7_]+|[0-9][0-9_]*)")
_JS_YAML_4_FLOAT = pattern(
    r"[-+]?([0-9][0-9_]*)(\.[0-9_]*)?([eE][-+]?[0-9]+)?|\.[0-9_]+([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
_DATE = pattern(r"\d{4}-\d{1,2}-\d{1,2}([Tt \t][^\d\n]*+\d.*+)?")


class Date(str):
    """A timestamp: neither text nor a number for a harness that resolves it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Date({super().__repr__()})"


def core(text: str) -> Value:
    """YAML 1.2 core schema: `yes`, `on` and `2024-01-01` are text."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "0123456789+-.":
        if _CORE_INT.fullmatch(text):
            return _integer(text)
        if _CORE_FLOAT.fullmatch(text):
            return _float(text)
    return text


def js_yaml(text: str) -> Value:
    """js-yaml 3: YAML 1.1 numbers and dates, but `yes` and `on` are text."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "0123456789+-.":
        if _DATE.fullmatch(text):
            return Date(text)
        if not text.endswith("_"):
            if _YAML_1_1_INT.fullmatch(text):
                return int(text.replace("_", ""), 8) if re.fullmatch(r"[-+]?0[0-7_]+", text) else _integer(text)
            if _YAML_1_1_FLOAT.fullmatch(text):
                return _float(text)
    return text


def js_yaml_4(text: str) -> Value:
    """js-yaml 4: YAML 1.2 numbers, plus dates and `1_000`."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "0123456789+-.":
        if _DATE.fullmatch(text):
            return Date(text)
        if not text.endswith("_"):
            if _JS_YAML_4_INT.fullmatch(text):
                return _integer(text)
            if _JS_YAML_4_FLOAT.fullmatch(text):
                return _float(text)
    return text


def data_value(text: str) -> Value:
    """JSON and TOML, whose strings have quotes: what has none is a number, a word or a date."""
    value = core(text.replace("_", "") if text[0] in "0123456789+-" else text)
    if isinstance(value, str):
        return Date(text)
    # In JavaScript, `2.0` is the same as `2`.
    return int(value) if isinstance(value, float) and value.is_integer() else value


_SERDE_NUMBER = pattern(
    r"[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|0|[1-9][0-9]*|(?:(?:0|[1-9][0-9]*)\.[0-9]*|\.[0-9]+|(?:0|[1-9][0-9]*)(?=[eE]))"
    r"(?:[eE][-+]?[0-9]+)?)|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)


def serde(text: str) -> Value:
    """Rust's serde_yaml: core schema plus binary numbers; digits after a leading zero are text."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "0123456789+-." and _SERDE_NUMBER.fullmatch(text):
        return _float(text) if "." in text or re.search("[eE]", text.removeprefix("0x")) else _integer(text)
    return text


def _integer(text: str) -> int:
    """Decimal, `0x1f`, `0o17`, `0b11`, and the YAML 1.1 forms `017`, `1_000`, `1:30`. Huge ones are truncated."""
    sign, digits = (-1 if text.startswith("-") else 1), text.lstrip("+-").replace("_", "").lower()[:64]
    for prefix, base in (("0x", 16), ("0o", 8), ("0b", 2)):
        if digits.startswith(prefix):
            return sign * int(digits[2:] or "0", base)
    if ":" in digits:
        value = 0
        for part in digits.split(":"):
            value = value * 60 + int(part)
        return sign * value
    return sign * int(digits or "0")


def _float(text: str) -> float:
    try:
        return float(text.replace("_", ""))
    except ValueError:
        return float("nan")


def evaluate(node: Node, resolve: Resolver, *, tags: bool = False, merge: bool = True) -> Value:
    """A node's value. Shared nodes stay shared, so an alias bomb costs no more than its text.

    `tags`: apply tags such as `!!int`, with a ParseError for text that does not fit; otherwise only `!!str` applies.
    """
    return _Evaluator(resolve, tags, merge).value(node)


def evaluate_entries(
    entries: list[Entry], resolve: Resolver, *, tags: bool = False, merge: bool = True
) -> dict[str, Value]:
    return _Evaluator(resolve, tags, merge).mapping(entries)


class _Evaluator:
    def __init__(self, resolve: Resolver, tags: bool, merge: bool) -> None:
        self.resolve, self.tags, self.merge = resolve, tags, merge
        self.shared: dict[int, Value] = {}

    def value(self, node: Node) -> Value:
        if not node.marked:
            return self._value(node)
        if id(node) not in self.shared:
            self.shared[id(node)] = self._value(node)
        return self.shared[id(node)]

    def _value(self, node: Node) -> Value:
        if isinstance(node, Scalar):
            if node.tag:
                return self._tagged(node)
            return self.resolve(node.value) if node.style == "" else node.value
        if isinstance(node, List):
            return [self.value(item) for item in node.items]
        return self.mapping(node.entries)

    def _tagged(self, node: Scalar) -> Value:
        plain = self.resolve(node.value) if node.style == "" else node.value
        if node.tag == "!!str" or (self.tags and node.tag == "!"):
            return node.value
        if not self.tags or node.tag not in _TAG_TYPES:
            return plain
        value = self.resolve(node.value)
        if type_name(value) not in _TAG_TYPES[node.tag]:
            raise ParseError(f"{node.value!r} is not a {node.tag}", node.start)
        return value

    def mapping(self, entries: list[Entry]) -> dict[str, Value]:
        """The last of several equal keys wins; `<<` adds only missing keys."""
        result: dict[str, Value] = {}
        merged: dict[str, Value] = {}
        for entry in entries:
            if entry.name is None:
                continue
            if self.merge and entry.name == "<<" and isinstance(entry.key, Scalar) and entry.key.plain:
                for source in self._merge_sources(entry.value):
                    for key, each in source.items():
                        merged.setdefault(key, each)
                continue
            value = entry.value
            # A repeated key keeps its position, as in a JavaScript object.
            if isinstance(value, Scalar) and not value.marked:
                result[entry.name] = self.resolve(value.value) if value.style == "" else value.value
            else:
                result[entry.name] = self.value(value)
        return {**merged, **result} if merged else result

    def _merge_sources(self, node: Node) -> list[dict[str, Value]]:
        value = self.value(node)
        sources = value if isinstance(value, list) else [value]
        return [source for source in sources if isinstance(source, dict)]


_TAG_TYPES = {"!!null": ("null",), "!!bool": ("boolean",), "!!int": ("integer",), "!!float": ("number", "integer")}


def type_name(value: Value) -> str:
    """string, boolean, number, integer, list, map, null or date."""
    if type(value) is str:
        return "string"
    if value is None:
        return "null"
    for kind, name in ((bool, "boolean"), (Date, "date"), (str, "string"), (int, "integer"), (float, "number")):
        if isinstance(value, kind):
            return name
    return "list" if isinstance(value, list) else "map"


def show_value(value: Value) -> str:
    """A value as shown in a message."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, str):
        return f"`{value}`" if value else "empty text"
    return {"list": "a list", "map": "a map"}.get(type_name(value), f"`{value}`")
