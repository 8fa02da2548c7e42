"""Parsing YAML text to nodes with exact spans; no Python objects are constructed from it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

from fsagent_lint._fast import NamedTuple, pattern
from fsagent_lint.frontmatter.nodes import Entry, List, Map, Node, ParseError, Scalar
from fsagent_lint.frontmatter.parse_simple import read_simple

MAX_DEPTH = 48
# Each nesting level takes at least one character, and libyaml's composer survives this many levels.
_SAFE_LENGTH = 8_000
MAX_ALIASED = 10_000
"""How many values aliases may stand for in total; code that walks the nodes visits each of them again."""
_TOP_KEY = pattern(r"(?:^|(?<=\r))([A-Za-z_][\w.-]*)[ \t]*:(?=[ \t\r\n]|\Z)", re.MULTILINE)
_PROPERTIES = pattern(r"(?:&[^\s,\[\]{}]+\s+)?(?P<tag>![^\s,\[\]{}]*)?")


def parse(text: str, offset: int = 0) -> Node | None:
    """YAML to nodes; spans are shifted by `offset`. None for an empty document."""
    return read_simple(text, offset) or parse_fully(text, offset)


def parse_fully(text: str, offset: int = 0) -> Node | None:
    """Like `parse`, for text that `read_simple` does not handle."""
    if text.startswith("\ufeff"):
        # libyaml drops the BOM without counting it in its offsets.
        text, offset = text[1:], offset + 1
    root = _compose(text)
    if root is None:
        return None
    return _Converter(text, offset).convert(root, 0)


class Frontmatter(NamedTuple):
    """What a text says; with an `error`, as far as it can be read."""

    entries: list[Entry]
    root: Map | None = None
    error: ParseError | None = None
    is_simple: bool = False
    root_is_not_map: bool = False
    """It is valid YAML, but no mapping."""


@lru_cache(maxsize=512)
def read_frontmatter(text: str, offset: int) -> Frontmatter:
    """Kept for a while: a file is looked at to recognise it, to check it and to know the names of a project."""
    if (simple := read_simple(text, offset)) is not None:
        return Frontmatter(simple.entries, simple, is_simple=True)
    try:
        root = parse_fully(text, offset)
    except ParseError as error:
        problem = ParseError(error.problem, offset + min(error.offset, len(text)))
        return Frontmatter(recover(text, offset).entries, error=problem)
    if isinstance(root, Map):
        return Frontmatter(root.entries, root)
    return Frontmatter([], root_is_not_map=root is not None)


def recover(text: str, offset: int = 0) -> Map:
    """Read invalid YAML key by key: each top-level entry is parsed separately, or kept as raw text."""
    starts = [match.start() for match in _TOP_KEY.finditer(text)]
    entries: list[Entry] = []
    for start, end in pairwise([*starts, len(text)]):
        chunk = text[start:end]
        try:
            node = parse(chunk, offset + start)
        except ParseError:
            node = None
        if isinstance(node, Map) and node.entries:
            entries += node.entries
        else:
            entries.append(_raw_entry(chunk, offset + start))
    span = (entries[0].start, entries[-1].end) if entries else (offset, offset)
    return Map(*span, entries, flow=False)


def duplicates(node: Node) -> Iterator[tuple[Entry, Entry]]:
    """Pairs of entries with the same key in one mapping, at any depth: (first, repeated)."""
    if isinstance(node, Map):
        seen: dict[str, Entry] = {}
        for entry in node.entries:
            if entry.name is not None and entry.name in seen:
                yield seen[entry.name], entry
            elif entry.name is not None:
                seen[entry.name] = entry
            if not isinstance(entry.value, Scalar):
                yield from duplicates(entry.value)
    elif isinstance(node, List):
        for item in node.items:
            if not isinstance(item, Scalar):
                yield from duplicates(item)


def is_undented(node: Node, text: str) -> bool:
    """Does quoted text continue in column 0? libyaml accepts that, stricter readers do not."""
    if isinstance(node, Scalar) and node.style in ("'", '"'):
        return re.search(r"[\r\n][^\s]", text[node.start : node.end]) is not None
    return False


def is_undented_flow(node: Node, text: str) -> bool:
    """Does a flow collection continue in column 0 or after a tab, except for its closing bracket?"""
    if isinstance(node, Scalar) or not node.flow:
        return False
    return re.search(r"[\r\n](?:[^\s\]}#]| *\t)", text[node.start : node.end]) is not None


def _raw_entry(chunk: str, offset: int) -> Entry:
    match = _TOP_KEY.match(chunk)
    assert match is not None
    key = Scalar(offset, offset + match.end(1), match[1], "")
    value = chunk[match.end() :]
    lead = len(value) - len(value.lstrip(" \t\r\n"))
    text = value.strip(" \t\r\n")
    start = offset + match.end() + lead
    return Entry(key, Scalar(start, start + len(text), text, "raw"))


def _compose(text: str) -> Any:
    from fsagent_lint.frontmatter import libyaml

    if len(text) > _SAFE_LENGTH:
        libyaml.check_depth(text, MAX_DEPTH)
    return libyaml.compose(text)


class _Converter:
    """Converts PyYAML nodes to ours, with the spans that an editor would select."""

    def __init__(self, text: str, offset: int) -> None:
        self.text, self.offset = text, offset
        self.convert = self._convert_shared if "&" in text else self._convert
        self.has_tags = "!" in text or "&" in text
        self.converted: dict[int, Node] = {}
        self.in_progress: set[int] = set()
        self.sizes: dict[int, int] = {}
        self.count = self.aliased = 0

    def _convert_shared(self, node: Any, depth: int, key_end: int = -1) -> Node:
        """Convert a node that may be repeated through an alias."""
        known = self.converted.get(id(node))
        if known is not None:
            known.marked = True
            self.count += self.sizes[id(node)]
            self.aliased += self.sizes[id(node)]
            if self.aliased > MAX_ALIASED:
                raise ParseError(f"aliases expand to more than {MAX_ALIASED} values", node.start_mark.index)
            return known
        if id(node) in self.in_progress:
            raise ParseError("an alias refers to the value that contains it", node.start_mark.index)
        self.in_progress.add(id(node))
        before = self.count
        self.count += 1
        result = self._convert(node, depth, key_end)
        self.sizes[id(node)] = self.count - before
        self.in_progress.discard(id(node))
        self.converted[id(node)] = result
        return result

    def _convert(self, node: Any, depth: int, key_end: int = -1) -> Node:
        """`key_end`: the end of the value's key, to locate an empty value just after the colon."""
        if depth > MAX_DEPTH:
            raise ParseError(f"nested more than {MAX_DEPTH} levels deep", node.start_mark.index)
        start, end = node.start_mark.index, node.end_mark.index
        marked = self.has_tags and self.text[start : start + 1] in ("&", "!")
        kind = node.id
        if kind == "scalar":
            return self._scalar(node, start, end, key_end, marked)
        offset = self.offset
        if kind == "sequence":
            items = [self.convert(item, depth + 1) for item in node.value]
            stop = end + offset if node.flow_style else max((item.end for item in items), default=end + offset)
            return List(start + offset, stop, items, bool(node.flow_style), marked)
        entries = []
        for key_node, value_node in node.value:
            key = self.convert(key_node, depth + 1)
            entries.append(Entry(key, self.convert(value_node, depth + 1, key.end - offset)))
        stop = end + offset if node.flow_style else max((entry.end for entry in entries), default=end + offset)
        return Map(start + offset, stop, entries, bool(node.flow_style), marked)

    def _scalar(self, node: Any, start: int, end: int, key_end: int, marked: bool) -> Scalar:
        style = node.style or ""
        if start == end and style == "" and key_end >= 0:
            colon = self.text.find(":", key_end, start)
            start = end = colon + 1 if colon >= 0 else key_end
        elif style in ("|", ">"):
            end = self._block_end(start, end)
        tag = _PROPERTIES.match(self.text, node.start_mark.index) if marked else None
        return Scalar(start + self.offset, end + self.offset, node.value, style, marked, (tag and tag["tag"]) or "")

    def _block_end(self, start: int, end: int) -> int:
        """libyaml extends a block scalar's span to the next token; end it at its last line of content."""
        text = self.text
        header = re.compile(r"[^\r\n]*(\r\n|\n|\r|\Z)").match(text, start)
        assert header is not None
        indent, last, at = -1, header.end() - len(header[1]), header.end()
        while at < end:
            line = re.compile(r"( *)([^\r\n]*)(\r\n|\n|\r|\Z)").match(text, at)
            assert line is not None
            if line[2]:
                indent = len(line[1]) if indent < 0 else indent
                if len(line[1]) < indent and line[2].startswith("#"):
                    break
                last = line.end(2)
            at = line.end()
        return min(last, end)
