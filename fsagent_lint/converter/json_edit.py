"""Add a member to an object in a JSON file; every other byte stays: comments, order and layout."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fsagent_lint.files.jsonc import JsonError, mapping, parse_json
from fsagent_lint.frontmatter.json_nodes import read_json
from fsagent_lint.frontmatter.nodes import Map, ParseError


def add_member(data: bytes, path: Sequence[str], value: object) -> bytes:
    """The file with a value at a path of keys where nothing is yet; JsonError if that cannot be done.

    Objects on the way are created. No data at all becomes a new file.
    """
    import json

    if not data:
        for key in reversed(path):
            value = {key: value}
        return json.dumps(value, indent=2, ensure_ascii=False).encode("utf-8") + b"\n"
    before = parse_json(data)
    text = data.decode("utf-8")
    node, commas = _root(text)
    rest = list(path)
    while len(rest) > 1 and (inner := _member(node, rest[0])) is not None:
        rest.pop(0)
        if not isinstance(inner, Map):
            raise JsonError(f"`{path[-len(rest) - 1]}` is not an object")
        node = inner
    if _member(node, rest[0]) is not None:
        raise JsonError(f"`{rest[0]}` already exists")
    for key in reversed(rest[1:]):
        value = {key: value}
    changed = _insert(text, node, commas, rest[0], value).encode("utf-8")
    parent = mapping(before, *path[: len(path) - len(rest)])
    parent[rest[0]] = value
    if parse_json(changed) != before:
        raise JsonError("cannot be changed on its own")
    return changed


def _root(text: str) -> tuple[Map, Sequence[int]]:
    """The object that the file is, and where it has trailing commas."""
    try:
        found = read_json(text)
    except ParseError as error:
        raise JsonError(f"is not valid JSON: {error.problem}") from None
    if not isinstance(found.root, Map):
        raise JsonError("is not an object")
    return found.root, found.commas


def _member(node: Map, key: str) -> object:
    return next((entry.value for entry in reversed(node.entries) if entry.name == key), None)


def _insert(text: str, node: Map, commas: Sequence[int], key: str, value: object) -> str:
    import json

    newline = "\r\n" if "\r\n" in text else "\n"
    found = re.search(r"\n([ \t]+)\"", text)
    unit = found[1] if found else "  "
    start, end = node.start + 1, node.end - 1
    base = _indentation(text, start)
    name = json.dumps(key, ensure_ascii=False)
    last = node.entries[-1].end if node.entries else start
    comma = next((at + 1 for at in commas if last <= at < end), 0)  # where the one after the last member ends
    if node.entries and "\n" not in text[start:end]:
        member = f"{name}: {json.dumps(value, ensure_ascii=False)}"
        at = comma or last
        return f"{text[:at]}{'' if comma else ','} {member}{text[at:]}"
    own = _indentation(text, node.entries[0].start) if node.entries else base
    indent = own if len(own) > len(base) else base + unit
    lines = f"{name}: {json.dumps(value, indent=unit, ensure_ascii=False)}".split("\n")
    member = newline.join(indent + line for line in lines)
    if not node.entries:
        head = text[:end].rstrip()
        return f"{head}{newline}{member}{newline}{base}{text[end:]}"
    at = _line_end(text, last, end, comma)
    before, after = ("", ",") if comma else (",", "")
    return f"{text[:last]}{before}{text[last:at]}{newline}{member}{after}{text[at:]}"


def _line_end(text: str, last: int, end: int, comma: int) -> int:
    """The end of the line of the last member, behind its comment; the member's own end if the object ends there, too."""
    rest = re.compile(r"(?:[^\S\r\n]|,|/\*.*?\*/|//[^\r\n]*)*+(?=\r?\n)", re.DOTALL)
    found = rest.match(text, last, end)
    return found.end() if found else comma or last


def _indentation(text: str, at: int) -> str:
    """The white space at the start of the line of a position."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]
