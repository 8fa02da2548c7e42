"""YAML that readers disagree about: such a file is reported, and not changed."""

from __future__ import annotations

from collections.abc import Iterable

from fsagent_lint._fast import pattern
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.nodes import Entry, List, Map, Node, Scalar

_TAG = pattern(r"(?:&[^\s,\[\]{}]+\s+)?(![^\s,\[\]{}]*)")
_PLAIN_TAGS = ("!", "!!str", "!!seq", "!!map")


def is_ambiguous(document: Document) -> bool:
    """Does it hold a key twice, a key that is no text, a tag that asks for more than text, or a merge of no map?"""
    return any(True for _ in document.duplicates()) or _has_doubts(document.entries, document.source.text)


def _has_doubts(entries: Iterable[Entry], text: str) -> bool:
    for entry in entries:
        if not isinstance(entry.key, Scalar) or _is_doubtful(entry.key, text) or _is_doubtful(entry.value, text):
            return True
        if entry.name == "<<" and entry.key.plain and not _is_mergeable(entry.value):
            return True
    return False


def _is_doubtful(node: Node, text: str) -> bool:
    tag = _TAG.match(text, node.start) if node.marked else None
    if tag is not None and tag[1] not in _PLAIN_TAGS:
        return True
    if isinstance(node, List):
        return any(_is_doubtful(item, text) for item in node.items)
    return isinstance(node, Map) and _has_doubts(node.entries, text)


def _is_mergeable(node: Node) -> bool:
    return all(isinstance(each, Map) for each in (node.items if isinstance(node, List) else [node]))
