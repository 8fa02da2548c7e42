"""js-yaml, where it differs from libyaml: tabs, duplicate keys, tags and merges. Version 3 is the lenient one."""

from __future__ import annotations

import re
from collections.abc import Callable

from fsagent_lint._fast import pattern
from fsagent_lint.frontmatter.nodes import List, Map, Node, ParseError, Scalar
from fsagent_lint.frontmatter.parse import duplicates, is_undented, parse
from fsagent_lint.frontmatter.values import Value, evaluate, js_yaml, js_yaml_4

# js-yaml reads `description: 'Don't do this: please'` as two entries: `description` and `t do this`.
_SECOND_ENTRY = pattern(
    r"""^([\w-]+: *(?:'(?:[^'\n]|'')*'|"(?:[^"\\\n]|\\.)*"|\[[^\]\n]*\]|\{[^}\n]*\}))[ \t]*([^\s'"#:,][^\n:]*: [^\n]*)$""",
    re.MULTILINE,
)
_TAB_INDENT = pattern(r"^( *)\t[ \t]*(?=[^\s#])", re.MULTILINE)
_TAB_ITEM = pattern(r"^ *\t[ \t]*- ", re.MULTILINE)
_CONTROL = pattern(r"[\x00-\x08\x0b-\x1f\x7f]")
# What libyaml rejects but js-yaml accepts, and an equivalent that libyaml accepts.
_Leniency = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]
_CONTROL_IN_COMMENT: _Leniency = (pattern(r"#[^\n]*"), lambda comment: _CONTROL.sub(" ", comment[0]))
_LENIENT: tuple[_Leniency, ...] = (
    (pattern(r"^ *+\t[ \t]*+$", re.MULTILINE), ""),
    (pattern(r"(?<=[\s\[,])([&*][\w-]*)[^\s\w,\[\]{}-]([^\s,\[\]{}]*)"), r"\1_\2"),
    (pattern(r"(?<=[\[,])( *)(?=,)"), r"\1~"),
    _CONTROL_IN_COMMENT,
    (_SECOND_ENTRY, r"\1\n\2"),
)
_TAGS = frozenset(
    ["str", "seq", "map", "null", "bool", "int", "float", "timestamp", "merge", "binary", "omap", "pairs", "set"]
)
_TAG = pattern(r"(?:^|(?<=[\s\[{,:-]))!(!?)([^\s,\[\]{}]*)")


def load_js_yaml(text: str, parsed: tuple[Node, str] | None = None, *, version: int = 3) -> Value:
    """The value of a YAML text; raises ParseError where js-yaml throws.

    `parsed`: libyaml's root node for the same text, and the text that its spans refer to.
    """
    # Line breaks for libyaml, but ordinary characters for js-yaml.
    plain = re.sub("[\x85\u2028\u2029]", "\u2423", text)
    parsed = parsed if plain == text else None
    text = plain if plain.endswith("\n") else plain + "\n"
    try:
        root = _parse_checked(text, version) if parsed is None else _check_root(*parsed, version)
    except ParseError:
        lenient = _untab(text) if version == 3 else text
        for pattern, replacement in _LENIENT if version == 3 else (_CONTROL_IN_COMMENT,):
            lenient = pattern.sub(replacement, lenient)
        if lenient == text:
            raise
        root = _parse_checked(lenient, version)
    return None if root is None else evaluate(root, js_yaml if version == 3 else js_yaml_4, tags=True)


def _parse_checked(text: str, version: int) -> Node | None:
    root = parse(text)
    return None if root is None else _check_root(root, text, version)


def _check_root(root: Node, text: str, version: int) -> Node:
    _check_node(root, text, version)
    if duplicate := next(duplicates(root), None):
        raise ParseError("duplicated mapping key", duplicate[1].start)
    return root


def _untab(text: str) -> str:
    """A tab does not count as indentation; a list indented by a tab ends after its first item."""
    if len(_TAB_ITEM.findall(text)) > 1:
        return text
    return _TAB_INDENT.sub(r"\1", text)


def _check_node(node: Node, text: str, version: int) -> None:
    """Raise ParseError for what libyaml accepts but js-yaml does not."""
    if version == 3 and is_undented(node, text):
        raise ParseError("a continued value must be indented", node.start)
    if node.marked and (tag := _TAG.match(text, node.start)) and tag[2] and (not tag[1] or tag[2] not in _TAGS):
        raise ParseError(f"unknown tag {tag[0]}", node.start)
    if isinstance(node, List):
        for item in node.items:
            _check_node(item, text, version)
    elif isinstance(node, Map):
        for entry in node.entries:
            if entry.name == "<<" and isinstance(entry.value, Scalar):
                raise ParseError("cannot merge what is not a map", entry.start)
            _check_node(entry.value, text, version)
