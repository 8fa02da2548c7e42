"""Add a member to an object in a JSON file; every other byte stays: comments, order and layout."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.files.jsonc import STRING, JsonError, mapping, parse_json

_TOKEN = rf'(//[^\n]*|/\*.*?(?:\*/|\Z))|{STRING}|[{{}}\[\],:]|[^\s{{}}\[\],:"/]+'


class _Token(NamedTuple):
    text: str
    start: int
    end: int


class _Object(NamedTuple):
    """An object in the text; `end` is the position of its closing brace."""

    start: int
    end: int
    keys: list[_Token]
    values: dict[str, _Object | None]
    """The members; None for a value that is not an object."""
    last: int
    """Where the last member ends."""
    comma: int
    """Where the comma after the last member ends; 0 if there is none."""


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
    node = _Parser(text).root()
    rest = list(path)
    while len(rest) > 1 and rest[0] in node.values:
        inner = node.values[rest.pop(0)]
        if inner is None:
            raise JsonError(f"`{path[-len(rest) - 1]}` is not an object")
        node = inner
    if rest[0] in node.values:
        raise JsonError(f"`{rest[0]}` already exists")
    for key in reversed(rest[1:]):
        value = {key: value}
    changed = _insert(text, node, rest[0], value).encode("utf-8")
    parent = mapping(before, *path[: len(path) - len(rest)])
    parent[rest[0]] = value
    if parse_json(changed) != before:
        raise JsonError("cannot be changed on its own")
    return changed


class _Parser:
    """Finds the objects in a text that is known to be JSON with comments."""

    def __init__(self, text: str) -> None:
        found = list(re.finditer(_TOKEN, text.removeprefix("\ufeff"), re.DOTALL))
        shift = len(text) - len(text.removeprefix("\ufeff"))
        self.tokens = [_Token(each[0], each.start() + shift, each.end() + shift) for each in found if not each[1]]
        self.at = 0

    def root(self) -> _Object:
        found = self._value()
        if found is None:
            raise JsonError("is not an object")
        return found

    def _next(self) -> _Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def _value(self) -> _Object | None:
        token = self._next()
        if token.text == "{":
            return self._object(token.end)
        if token.text == "[":
            while self.tokens[self.at].text != "]":
                if self.tokens[self.at].text == ",":
                    self.at += 1
                else:
                    self._value()
            self.at += 1
        return None

    def _object(self, start: int) -> _Object:
        import json

        keys: list[_Token] = []
        values: dict[str, _Object | None] = {}
        last = comma = 0
        while (token := self._next()).text != "}":
            if token.text == ",":
                comma = token.end
                continue
            keys.append(token)
            self.at += 1  # the colon
            values[json.loads(token.text)] = self._value()
            last, comma = self.tokens[self.at - 1].end, 0
        return _Object(start, token.start, keys, values, last, comma)


def _insert(text: str, node: _Object, key: str, value: object) -> str:
    import json

    newline = "\r\n" if "\r\n" in text else "\n"
    found = re.search(r"\n([ \t]+)\"", text)
    unit = found[1] if found else "  "
    base = _indentation(text, node.start)
    name = json.dumps(key, ensure_ascii=False)
    if node.keys and "\n" not in text[node.start : node.end]:
        member = f"{name}: {json.dumps(value, ensure_ascii=False)}"
        at = node.comma or node.last
        return f"{text[:at]}{'' if node.comma else ','} {member}{text[at:]}"
    own = _indentation(text, node.keys[0].start) if node.keys else base
    indent = own if len(own) > len(base) else base + unit
    lines = f"{name}: {json.dumps(value, indent=unit, ensure_ascii=False)}".split("\n")
    member = newline.join(indent + line for line in lines)
    if not node.keys:
        head = text[: node.end].rstrip()
        return f"{head}{newline}{member}{newline}{base}{text[node.end :]}"
    at = _line_end(text, node)
    comma, after = ("", ",") if node.comma else (",", "")
    return f"{text[: node.last]}{comma}{text[node.last : at]}{newline}{member}{after}{text[at:]}"


def _line_end(text: str, node: _Object) -> int:
    """The end of the line of the last member, behind its comment; the member's own end if the object ends there, too."""
    rest = re.compile(r"(?:[^\S\r\n]|,|/\*.*?\*/|//[^\r\n]*)*+(?=\r?\n)", re.DOTALL)
    found = rest.match(text, node.last, node.end)
    return found.end() if found else node.comma or node.last


def _indentation(text: str, at: int) -> str:
    """The white space at the start of the line of a position."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]
