"""A second, independent, comment-aware reader of frontmatter (ruamel.yaml), to verify edits."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fsagent_lint._fast import pattern
from fsagent_lint.frontmatter.lines import unify_newlines
from fsagent_lint.frontmatter.parse import MAX_ALIASED

PlainValue = tuple[Any, ...]
Entries = list[tuple[Any, PlainValue]]


# ruamel.yaml rejects a tab after a value, after a colon or before a comment, where YAML allows one.
_BLANKS = pattern(r"(?<=\S)[ \t]+")


@lru_cache(maxsize=2)
def read_entries(text: str) -> Entries | None:
    """The keys of frontmatter with their values, composed but never constructed; None if it is not a valid mapping."""
    text = unify_newlines(text)
    entries = _load(text)
    return _load(_without_tabs(text)) if entries is None and "\t" in text else entries


def _without_tabs(text: str) -> str:
    """The text with tabs replaced by spaces, except for leading tabs of a line."""
    return _BLANKS.sub(lambda match: " " * len(match[0]), text)


def _load(text: str) -> Entries | None:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError
    from ruamel.yaml.nodes import MappingNode, ScalarNode

    try:
        root = YAML(typ="safe", pure=True).compose(text)
        if root is None:
            return []
        if not isinstance(root, MappingNode):
            return None
        value = _Values(len(text) + MAX_ALIASED).of
        return [(key.value if isinstance(key, ScalarNode) else value(key), value(node)) for key, node in root.value]
    except (YAMLError, ValueError, RecursionError):  # an invalid character, a thousand nested `[`
        return None


class _Values:
    """The values of nodes. A value that aliases repeat is made again each time, but not without end."""

    def __init__(self, most: int) -> None:
        self.left = most

    def of(self, node: Any) -> PlainValue:
        self.left -= 1
        if self.left < 0:
            raise ValueError("aliases expand to too many values")
        if isinstance(node, tuple):  # an entry of a mapping
            return tuple(map(self.of, node))
        if isinstance(node.value, str):
            return node.tag, node.value
        return node.tag, *map(self.of, node.value)


def comments_of(text: str) -> list[str]:
    """Every comment that the second reader finds, in order."""
    text = unify_newlines(text)
    found = _comments(text)
    return _comments(_without_tabs(text)) if not found and "\t" in text else found


def _comments(text: str) -> list[str]:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    found: list[str] = []
    try:
        for token in YAML().scan(text):
            for group in getattr(token, "_comment", None) or ():
                for comment in group if isinstance(group, list) else [group]:
                    if comment is not None:
                        found += [line.strip() for line in comment.value.split("\n") if line.strip()]
    except (YAMLError, ValueError, TypeError, AttributeError):
        return []
    return found
