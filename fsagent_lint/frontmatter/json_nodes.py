"""JSON to nodes with exact spans, with comments and trailing commas where the file may have them."""

from __future__ import annotations

from fsagent_lint._fast import NamedTuple, pattern
from fsagent_lint.frontmatter.nodes import Entry, List, Map, Node, ParseError, Scalar, Span

MAX_DEPTH = 64
_BLANKS = pattern(r"[ \t\r\n]*+")
_COMMENT = pattern(r"//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+\*/")
_STRING = pattern(r'"((?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+)"')
# A number or a word, whatever it is: one that JSON does not have is named in the error.
_WORD = pattern(r"[^\s\[\]{},:\"/]++")
_NUMBER = pattern(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?")
_BAD = pattern(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_LITERALS = ("true", "false", "null")


class Json(NamedTuple):
    """A text as nodes: `root` is None where there is nothing but blanks and comments."""

    root: Node | None
    comments: tuple[Span, ...] = ()
    commas: tuple[int, ...] = ()
    """Where there are trailing commas."""


def read_json(text: str, *, plain: bool = False) -> Json:
    """The nodes of a text; ParseError if it is not JSON. `plain`: nor may it have comments and trailing commas."""
    return _Reader(text, plain=plain).read()


class _Reader:
    """Goes through the text once, and never deeper than MAX_DEPTH."""

    def __init__(self, text: str, *, plain: bool) -> None:
        self.text, self.plain = text, plain
        self.at = 1 if text.startswith("\ufeff") else 0
        self.comments: list[Span] = []
        self.commas: list[int] = []

    def read(self) -> Json:
        self._skip()
        root = self._value(0) if self.at < len(self.text) else None
        self._skip()
        if self.at < len(self.text):
            raise ParseError("there is more after its end", self.at)
        return Json(root, tuple(self.comments), tuple(self.commas))

    def _skip(self) -> None:
        """Go to the next token."""
        while True:
            found = _BLANKS.match(self.text, self.at)
            assert found is not None
            self.at = found.end()
            if not self.text.startswith("/", self.at):
                return
            comment = _COMMENT.match(self.text, self.at)
            if comment is None:
                started = self.text.startswith("/*", self.at)
                raise ParseError("a comment is not closed" if started else "unexpected `/`", self.at)
            if self.plain:
                raise ParseError("it has a comment, and JSON has none", self.at)
            self.comments.append(Span(comment.start(), comment.end()))
            self.at = comment.end()

    def _value(self, depth: int) -> Node:
        start, char = self.at, self.text[self.at : self.at + 1]
        if char in ("{", "["):
            if depth >= MAX_DEPTH:
                raise ParseError(f"it is nested more than {MAX_DEPTH} levels deep", start)
            self.at += 1
            return self._map(start, depth) if char == "{" else self._list(start, depth)
        if char == '"':
            return self._string()
        word = _WORD.match(self.text, start)
        if word is None:
            raise ParseError("a value is missing" if char else "it ends in the middle of a value", start)
        if word[0] not in _LITERALS and not _NUMBER.fullmatch(word[0]):
            raise ParseError(_not_a_value(word[0]), start)
        self.at = word.end()
        return Scalar(start, self.at, word[0], "")

    def _map(self, start: int, depth: int) -> Map:
        entries: list[Entry] = []
        while not self._closes("}", start, first=not entries):
            if not self.text.startswith('"', self.at):
                raise ParseError("a key in double quotes is missing", self.at)
            key = self._string()
            self._skip()
            if not self.text.startswith(":", self.at):
                raise ParseError("a colon is missing", self.at)
            self.at += 1
            self._skip()
            entries.append(Entry(key, self._value(depth + 1)))
        return Map(start, self.at, entries, flow=True)

    def _list(self, start: int, depth: int) -> List:
        items: list[Node] = []
        while not self._closes("]", start, first=not items):
            items.append(self._value(depth + 1))
        return List(start, self.at, items, flow=True)

    def _closes(self, bracket: str, start: int, *, first: bool) -> bool:
        """Does the bracket follow? If not, the comma before the next entry is passed."""
        self._skip()
        comma = -1
        if not first and self.text.startswith(",", self.at):
            comma = self.at
            self.at += 1
            self._skip()
        if self.at >= len(self.text):
            raise ParseError(f"`{self.text[start]}` is not closed", start)
        if self.text[self.at] == bracket:
            if comma >= 0 and self.plain:
                raise ParseError("there is a comma after the last entry", comma)
            self.commas += [comma] if comma >= 0 else []
            self.at += 1
            return True
        if comma < 0 and not first:
            raise ParseError("a comma is missing", self.at)
        return False

    def _string(self) -> Scalar:
        found = _STRING.match(self.text, self.at)
        if found is None:
            raise self._bad_string()
        self.at = found.end()
        value = _unescape(found[0]) if "\\" in found[1] else found[1]
        return Scalar(found.start(), found.end(), value, '"')

    def _bad_string(self) -> ParseError:
        good = _BAD.match(self.text, self.at)
        assert good is not None
        end, char = good.end(), self.text[good.end() : good.end() + 1]
        if char == "\\":
            return ParseError("an escape that JSON does not have", end)
        if char in ("", "\n", "\r"):
            return ParseError("a text is not closed", self.at)
        return ParseError("a control character in a text; write it as an escape", end)


def _unescape(raw: str) -> str:
    """The text of a string; half of a surrogate pair becomes a replacement character, as in every output."""
    import json

    value: str = json.loads(raw)
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _not_a_value(word: str) -> str:
    if word.startswith(("'", "`")):
        return "text needs double quotes"
    if word.lower() in ("true", "false", "null", "none", "nan", "infinity", "undefined", "yes", "no", "on", "off"):
        return f"`{word}` is none of JSON's words: true, false and null"
    if word[0] == "#":
        return "JSON has no comments that begin with `#`"
    if word[0] in "+-.0123456789":
        return "a number that JSON does not have"
    return "text needs double quotes"
