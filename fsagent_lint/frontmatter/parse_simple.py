"""Frontmatter that needs no YAML library: keys with one-line scalars, and lists or maps of such scalars.

Half of all agent files are that simple, and then a run does not import PyYAML, which costs as much as all of our own
modules. Anything that is not obvious is left to libyaml; a test checks that both produce the same nodes.
"""

from __future__ import annotations

from fsagent_lint._fast import pattern
from fsagent_lint.frontmatter.nodes import Entry, List, Map, Node, Scalar

_SCALAR = r"([\w/.(<$][^\n]*)|('[^'\n]*'|\"[^\"\\\n]*\")"
_LINE = pattern(rf"([A-Za-z_][\w-]{{0,99}}):(?: +(?:{_SCALAR}|(\[[^\n]*)))? *(?:\n|\Z)")
_CHILD = pattern(
    rf"( *)(?:- +|([A-Za-z_][\w-]{{0,99}}|'[^'\n]{{0,99}}'|\"[^\"\\\n]{{0,99}}\"): +)(?:{_SCALAR}) *(?:\n|\Z)"
)
_FLOW_ITEM = pattern(r" *([\w/.][\w/.*-]*|'[^']*'|\"[^\"\\]*\") *(?:,|\Z)")


def read_simple(text: str, offset: int) -> Map | None:
    """The same root that libyaml would produce; None for text that is not that simple."""
    if not text or not text.replace("\n", "").isprintable():
        return None
    entries: list[Entry] = []
    match, at, size = _LINE.match, 0, len(text)
    while at < size:
        found = match(text, at)
        if found is None:
            return None
        name, plain, quoted, flow = found.groups()
        begin, at = offset + at, found.end()
        key = Scalar(begin, begin + len(name), name, "")
        value: Node | None
        if plain is not None:
            value = _plain(plain, offset + found.start(2))
        elif quoted is not None:
            start = offset + found.start(3)
            value = Scalar(start, start + len(quoted), quoted[1:-1], quoted[0])
        elif flow is not None:
            value = _flow(flow.rstrip(" "), offset + found.start(4))
        elif text.startswith((" ", "-"), at):
            value, at = _block(text, at, offset)
        else:
            value = Scalar(key.end + 1, key.end + 1, "", "")
        if value is None:
            return None
        entries.append(Entry(key, value))
    return Map(offset, entries[-1].end, entries, flow=False)


def _plain(raw: str, start: int) -> Scalar | None:
    if raw[-1] == " ":
        raw = raw.rstrip(" ")
    if ": " in raw or " #" in raw or raw[-1] == ":":
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


def _block(text: str, at: int, offset: int) -> tuple[Node | None, int]:
    """A list or a map with one entry per line, all equally indented, and where it ends."""
    items: list[Node] = []
    entries: list[Entry] = []
    first, indent, size = at, None, len(text)
    while at < size and text[at] in " -":
        found = _CHILD.match(text, at)
        if found is None:
            return None, at
        blanks, name, plain, quoted = found.groups()
        if indent is None:
            indent = blanks
        elif indent != blanks:
            return None, at
        if quoted is None:
            value = _plain(plain, offset + found.start(3))
            if value is None:
                return None, at
        else:
            start = offset + found.start(4)
            value = Scalar(start, start + len(quoted), quoted[1:-1], quoted[0])
        if name is None:
            items.append(value)
        else:
            style = name[0] if name[0] in "'\"" else ""
            start = offset + found.start(2)
            entries.append(Entry(Scalar(start, start + len(name), name[1:-1] if style else name, style), value))
        at = found.end()
    if bool(items) == bool(entries) or (entries and not indent):
        return None, at
    start = offset + first + len(indent or "")
    if items:
        return List(start, items[-1].end, items, flow=False), at
    return Map(start, entries[-1].end, entries, flow=False), at
