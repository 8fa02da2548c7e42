"""YAML that readers interpret differently: such a file is reported, but not changed."""

from __future__ import annotations

from collections.abc import Iterable

from fsagent_lint._fast import pattern
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.nodes import Entry, List, Map, Node, Scalar

_TAG = pattern(r"(?:&[^\s,\[\]{}]+\s+)?(![^\s,\[\]{}]*)")
_PLAIN_TAGS = ("!", "!!str", "!!seq", "!!map")


def needs_repair(document: Document) -> bool:
    """Is the frontmatter broken or ambiguous? Until that is repaired, no other change of it can be proven."""
    return document.error is not None or document.source.problem is not None or _is_ambiguous(document)


def _is_ambiguous(document: Document) -> bool:
    """Does it have a duplicate key, a non-scalar key, a tag that changes a type, or a merge of a non-map?"""
    return any(True for _ in document.duplicates()) or _any_ambiguous(document.entries, document.source.text)


def _any_ambiguous(entries: Iterable[Entry], text: str) -> bool:
    for entry in entries:
        if (
            not isinstance(entry.key, Scalar)
            or _is_ambiguous_node(entry.key, text)
            or _is_ambiguous_node(entry.value, text)
        ):
            return True
        if entry.name == "<<" and entry.key.plain and not _is_mergeable(entry.value):
            return True
    return False


def _is_ambiguous_node(node: Node, text: str) -> bool:
    tag = _TAG.match(text, node.start) if node.marked else None
    if tag is not None and tag[1] not in _PLAIN_TAGS:
        return True
    if isinstance(node, List):
        return any(_is_ambiguous_node(item, text) for item in node.items)
    return isinstance(node, Map) and _any_ambiguous(node.entries, text)


def _is_mergeable(node: Node) -> bool:
    return all(isinstance(each, Map) for each in (node.items if isinstance(node, List) else [node]))
