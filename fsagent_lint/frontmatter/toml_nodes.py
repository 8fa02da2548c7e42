"""TOML to nodes with exact spans. `tomllib` says what the values are; here they are only found in the text."""

from __future__ import annotations

from typing import Any

from fsagent_lint._fast import pattern
from fsagent_lint.frontmatter.nodes import Entry, List, Map, Node, ParseError, Scalar

MAX_DEPTH = 48
MAX_PARTS = 50
"""How many parts a dotted key may have: `tomllib` takes time in proportion to their square."""

_SPACE = pattern(r"[ \t]*+")
# Between the values of a list there may be line breaks and comments.
_BETWEEN = pattern(r"(?:[ \t\r\n]++|#[^\r\n]*+)*+")
_BARE = pattern(r"[A-Za-z0-9_-]++")
_BASIC = pattern(r'"(?:[^"\\\r\n]|\\[^\r\n])*+"')
_LITERAL = pattern(r"'[^'\r\n]*+'")
_LONG_BASIC = pattern(r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*+""""{0,2}+')
_LONG_LITERAL = pattern(r"'''(?:[^']|'(?!''))*+''''{0,2}+")
# A date and a time may have a blank between them.
_WORD = pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[^\s,\]}#]++|[^\s,\]}#=\[{\"']++")
_STRINGS = {('"', False): _BASIC, ('"', True): _LONG_BASIC, ("'", False): _LITERAL, ("'", True): _LONG_LITERAL}
_POSITION = pattern(r" \(at line ([0-9]+), column ([0-9]+)\)")


def read_toml(text: str) -> Map:
    """The nodes of a text; ParseError if it is not TOML, or is nested deeper than anybody writes."""
    import tomllib

    start = 1 if text.startswith("\ufeff") else 0
    try:
        root, error = _Walk(text, start).read(), None
    except _LimitError:
        raise
    except ParseError as found:
        root, error = None, found
    try:
        values = tomllib.loads(text[start:])
    except tomllib.TOMLDecodeError as found:
        raise _located(text, start, found) from None
    except RecursionError:
        raise ParseError("it is nested too deeply", start) from None
    if root is None or error is not None or not _agrees(root, values):
        raise error or ParseError("it is written in a way that cannot be located", start)
    return root


class _LimitError(ParseError):
    """The text goes beyond what is read at all."""


def _located(text: str, start: int, error: Exception) -> ParseError:
    """What `tomllib` says, without the place, and the place."""
    message = str(error)
    found = _POSITION.search(message)
    if found is None:
        return ParseError(_small(message.partition(" (at")[0]), len(text))
    line = start
    for _ in range(int(found[1]) - 1):
        line = text.find("\n", line) + 1
    return ParseError(_small(message[: found.start()]), min(line + int(found[2]) - 1, len(text)))


def _small(message: str) -> str:
    return message[:1].lower() + message[1:]


class _Walk:
    """Goes through the text once."""

    def __init__(self, text: str, start: int) -> None:
        self.text, self.at = text, start
        self.root = Map(start, len(text), [], flow=False)
        self.maps: dict[int, dict[str, Entry]] = {id(self.root): {}}
        """Each map's entries by their keys."""

    def read(self) -> Map:
        table = self.root
        while self._skip(_BETWEEN) < len(self.text):
            if self.text.startswith("[[", self.at):
                table = self._header("]]", is_list=True)
            elif self.text.startswith("[", self.at):
                table = self._header("]", is_list=False)
            else:
                self._pair(table, 0)
            self._skip(_SPACE)
            if self.text[self.at : self.at + 1] not in ("", "\n", "\r", "#"):
                raise ParseError("something follows on the line", self.at)
        return self.root

    def _skip(self, blanks: Any) -> int:
        self.at = blanks.match(self.text, self.at).end()
        return self.at

    def _expect(self, mark: str) -> None:
        if not self.text.startswith(mark, self.at):
            raise ParseError(f"`{mark}` is missing", self.at)
        self.at += len(mark)

    def _header(self, closing: str, *, is_list: bool) -> Map:
        """The table that `[a.b]` begins, or the next one of the list `[[a.b]]`."""
        self.at += len(closing)
        *parents, key = self._keys()
        self._expect(closing)
        table = self.root
        for parent in parents:
            table = self._table(table, parent)
        if not is_list:
            return self._table(table, key)
        entry = self._entries(table).get(key.value)
        if entry is None:
            entry = self._add(table, key, List(key.start, self.at, [], flow=False))
        if not isinstance(entry.value, List):
            raise ParseError("it is not a list of tables", key.start)
        found = Map(key.start, self.at, [], flow=False)
        entry.value.items.append(found)
        return found

    def _entries(self, table: Map) -> dict[str, Entry]:
        return self.maps.setdefault(id(table), {})

    def _table(self, table: Map, key: Scalar) -> Map:
        """The table of a key, new or not; of a list of tables, the last."""
        entry = self._entries(table).get(key.value) or self._add(table, key, Map(key.start, key.end, [], flow=False))
        value = entry.value
        if isinstance(value, List) and value.items:
            value = value.items[-1]
        if not isinstance(value, Map):
            raise ParseError("it is not a table", key.start)
        return value

    def _add(self, table: Map, key: Scalar, value: Node) -> Entry:
        entry = Entry(key, value)
        table.entries.append(entry)
        self._entries(table)[key.value] = entry
        return entry

    def _keys(self) -> list[Scalar]:
        """The parts of a key."""
        found: list[Scalar] = []
        while True:
            self._skip(_SPACE)
            found.append(self._key())
            if len(found) > MAX_PARTS:
                raise _LimitError(f"a key has more than {MAX_PARTS} parts", self.at)
            self._skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return found
            self.at += 1

    def _key(self) -> Scalar:
        char = self.text[self.at : self.at + 1]
        if char in ('"', "'"):
            return self._string()
        found = _BARE.match(self.text, self.at)
        if found is None:
            raise ParseError("a key is missing", self.at)
        self.at = found.end()
        return Scalar(found.start(), found.end(), found[0], "")

    def _pair(self, table: Map, depth: int) -> None:
        *parents, key = self._keys()
        self._expect("=")
        self._skip(_SPACE)
        for parent in parents:
            table = self._table(table, parent)
        self._add(table, key, self._value(depth))

    def _value(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise _LimitError(f"it is nested more than {MAX_DEPTH} levels deep", self.at)
        char = self.text[self.at : self.at + 1]
        if char == "[":
            return self._list(depth)
        if char == "{":
            return self._map(depth)
        if char in ('"', "'"):
            return self._string()
        found = _WORD.match(self.text, self.at)
        if found is None:
            raise ParseError("a value is missing", self.at)
        self.at = found.end()
        return Scalar(found.start(), found.end(), found[0], "")

    def _list(self, depth: int) -> List:
        start, items = self.at, list[Node]()
        self.at += 1
        while self._skip(_BETWEEN) < len(self.text) and self.text[self.at] != "]":
            items.append(self._value(depth + 1))
            self._skip(_BETWEEN)
            if not self.text.startswith("]", self.at):
                self._expect(",")
        self._expect("]")
        return List(start, self.at, items, flow=True)

    def _map(self, depth: int) -> Map:
        found = Map(self.at, self.at, [], flow=True)
        self.at += 1
        while self._skip(_BETWEEN) < len(self.text) and self.text[self.at] != "}":
            self._pair(found, depth + 1)
            self._skip(_BETWEEN)
            if not self.text.startswith("}", self.at):
                self._expect(",")
        self._expect("}")
        found.end = self.at
        return found

    def _string(self) -> Scalar:
        quote = self.text[self.at]
        is_long = self.text.startswith(quote * 3, self.at)
        found = _STRINGS[quote, is_long].match(self.text, self.at)
        if found is None:
            raise ParseError("a text is not closed", self.at)
        self.at = found.end()
        raw = found[0]
        value = raw[1:-1] if not is_long and ("\\" not in raw or quote == "'") else _text(raw)
        return Scalar(found.start(), found.end(), value, quote)


def _text(raw: str) -> str:
    """What `tomllib` reads from a string."""
    import tomllib

    try:
        value: str = tomllib.loads(f"x = {raw}")["x"]
    except tomllib.TOMLDecodeError:
        return raw  # the whole text is not TOML either
    return value


def _agrees(node: Node, value: Any) -> bool:
    """Is what was found in the text what `tomllib` reads from it?"""
    pairs = [(node, value)]
    while pairs:
        each, known = pairs.pop()
        if isinstance(each, Map):
            if not isinstance(known, dict) or [entry.name for entry in each.entries] != list(known):
                return False
            pairs += [(entry.value, known[entry.name]) for entry in each.entries]
        elif isinstance(each, List):
            if not isinstance(known, list) or len(each.items) != len(known):
                return False
            pairs += list(zip(each.items, known, strict=True))
        elif isinstance(known, str) != bool(each.style) or (each.style and each.value != known):
            return False
    return True
