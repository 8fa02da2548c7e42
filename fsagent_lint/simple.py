"""Frontmatter that needs no YAML library: keys with one-line scalars, and lists or maps of such scalars.

Half of all agent files are that simple, and then a run does without PyYAML, which costs as much as all of our own
modules. Whatever is not obviously what it looks like is left to libyaml; a test holds the two to the same nodes.
"""

from __future__ import annotations

from fsagent_lint.nodes import Entry, List, Map, Node, Scalar
from fsagent_lint.pattern import pattern

_KEY = pattern(r"([A-Za-z_][\w-]{0,99}):(?: +|\Z)")
_CHILD = pattern(r"( *)(?:(- +)|([A-Za-z_][\w-]{0,99}|'[^']{0,99}'|\"[^\"\\]{0,99}\"): +)(?=[^ ])")
_FLOW_ITEM = pattern(r" *([\w/.][\w/.*-]*|'[^']*'|\"[^\"\\]*\") *(?:,|\Z)")


def read_simple(text: str, offset: int) -> Map | None:
    """The root, as `parse` would have it; None for what is not that simple."""
    if not text or not text.replace("\n", "").isprintable():
        return None
    lines = text.removesuffix("\n").split("\n")
    entries: list[Entry] = []
    at, number = offset, 0
    while number < len(lines):
        line = lines[number]
        found = _KEY.match(line)
        if found is None:
            return None
        name, begin = found[1], found.end()
        key = Scalar(at, at + len(name), name, "")
        value: Node | None
        if begin < len(line):
            value = _value(line, begin, at)
            at, number = at + len(line) + 1, number + 1
        else:
            start = number + 1
            at, number = at + len(line) + 1, start
            while number < len(lines) and lines[number][:1] in (" ", "-"):
                number += 1
            value = _block(lines[start:number], at) if number > start else Scalar(key.end + 1, key.end + 1, "", "")
            at += sum(map(len, lines[start:number])) + number - start
        if value is None:
            return None
        entries.append(Entry(key, value))
    return Map(offset, entries[-1].end, entries, flow=False)


def _value(line: str, start: int, at: int) -> Node | None:
    """What stands behind a colon or a dash; `at` is where the line begins."""
    raw = line[start:].rstrip(" ")
    start += at
    first = raw[0]
    if first in ("'", '"'):
        inner = raw[1:-1]
        if len(raw) < 2 or raw[-1] != first or first in inner or (first == '"' and "\\" in inner):
            return None
        return Scalar(start, start + len(raw), inner, first)
    if first == "[":
        return _flow(raw, start)
    if not (first.isalnum() or first in "_/.(<$") or ": " in raw or " #" in raw or raw[-1] == ":":
        return None
    return Scalar(start, start + len(raw), raw, "")


def _flow(raw: str, start: int) -> List | None:
    if raw[-1] != "]":
        return None
    items: list[Node] = []
    at = 1
    while at < len(raw) - 1:
        found = _FLOW_ITEM.match(raw, at, len(raw) - 1)
        if found is None:
            return None
        style = found[1][0] if found[1][0] in "'\"" else ""
        value = found[1][1:-1] if style else found[1]
        items.append(Scalar(start + found.start(1), start + found.end(1), value, style))
        at = found.end()
    if items and raw[at - 1] == ",":
        return None
    return List(start, start + len(raw), items, flow=True)


def _block(lines: list[str], at: int) -> Node | None:
    """A list or a map, one entry on a line, all equally far to the right."""
    items: list[Node] = []
    entries: list[Entry] = []
    first = at
    indent = None
    for line in lines:
        found = _CHILD.match(line)
        if found is None or indent not in (None, found[1]):
            return None
        indent = found[1]
        value = _value(line, found.end(), at)
        if not isinstance(value, Scalar):
            return None
        if found[2]:
            items.append(value)
        else:
            style = found[3][0] if found[3][0] in "'\"" else ""
            name = found[3][1:-1] if style else found[3]
            entries.append(Entry(Scalar(at + found.start(3), at + found.end(3), name, style), value))
        at += len(line) + 1
    if bool(items) == bool(entries) or (entries and not indent):
        return None
    start = first + len(indent or "")
    return List(start, items[-1].end, items, flow=False) if items else Map(start, entries[-1].end, entries, flow=False)
