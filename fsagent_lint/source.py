"""A file's bytes, its fences, and the only place where offsets become lines and columns."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from fsagent_lint.named import NamedTuple
from fsagent_lint.pattern import pattern

BOM = b"\xef\xbb\xbf"
MAX_FRONTMATTER = 64 * 1024
"""Nine times the largest among thousands that people have published."""
MAX_PARTS = 2000
"""How many lines and commas there may be in it; that many names are judged, fixed and proven in about a second."""

_OPENING = pattern(rb"---([^\r\n]*)(\r\n|\n|\r|\Z)")
# Begins with what is rare, which is looked for faster than a line end.
_CLOSING = pattern(rb"---(?<=[\r\n]---)[ \t]*(?=[\r\n]|\Z)")
# Ends between two characters, never inside one.
_FIRST_LINE = pattern(rb"[^\r\n]{0,200}(?![\x80-\xbf])")
_NEWLINE = pattern(r"\r\n|\n|\r")


class Span(NamedTuple):
    """Half-open range of code points in `Source.text`; what lies behind its end is in the body."""

    start: int
    end: int


class Source:
    """One file: the head is decoded, strictly; the body stays bytes and is never touched.

    `problem` is None, or why there is no frontmatter: `missing`, `unclosed`, `not-utf8`, `too-large`.
    """

    __slots__ = ("_lines", "body", "data", "opening", "path", "problem", "text", "yaml")

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data
        self.problem: str | None = None
        self.opening = ""  # what follows `---` on the first line
        self.yaml = Span(0, 0)
        self._lines: _Lines | None = None
        head = self._split()
        try:
            self.text = data[:head].decode("utf-8")
        except UnicodeDecodeError:
            self.text = data[:head].decode("utf-8", "replace")
            self.problem = self.problem if self.problem == "missing" else "not-utf8"
        self.body = head
        if self.problem in (None, "unclosed"):
            self._locate()

    def _split(self) -> int:
        """Where the head (both fences included) ends, in bytes."""
        data = self.data
        start = 3 if data.startswith(BOM) else 0
        opening = _OPENING.match(data, start)
        if opening is None or opening[1].startswith(b"-"):
            self.problem = "missing"
            first = _FIRST_LINE.match(data, start)
            return first.end() if first else start
        self.opening = opening[1].decode("utf-8", "replace")
        closing = _CLOSING.search(data, opening.end())
        end = len(data) if closing is None else closing.end()
        if closing is None:
            self.problem = "unclosed"
        if end - start > MAX_PARTS and _is_large(data, start, end):
            self.problem = "too-large"
            return opening.end()
        return end

    def _locate(self) -> None:
        text = self.text
        first = _NEWLINE.search(text)
        start = first.end() if first else len(text)
        last = max(text.rfind("\n---"), text.rfind("\r---")) + 1 if self.problem is None else len(text)
        self.yaml = Span(start, max(last, start))

    @property
    def yaml_text(self) -> str:
        return self.text[self.yaml.start : self.yaml.end]

    @property
    def newline(self) -> str:
        """The line end that the head uses."""
        found = _NEWLINE.search(self.text)
        return found[0] if found else "\n"

    @property
    def whole(self) -> str:
        """The head and the body as one text, for the few who need to read the body."""
        return self.text + self.data[self.body :].decode("utf-8", "replace")

    def _index(self, offset: int) -> _Lines:
        """The lines of the text that an offset is in."""
        if self._lines is None or offset > len(self._lines.text):
            self._lines = _Lines(self.text if offset <= len(self.text) else self.whole)
        return self._lines

    def position(self, offset: int) -> tuple[int, int]:
        """One-based line and column, as editors count them."""
        return self._index(offset).position(offset)

    def line_at(self, offset: int) -> str:
        """The text of the line that holds the offset, without its line end."""
        return self._index(offset).line_at(offset)

    def to_bytes(self, text: str) -> bytes:
        """The whole file with a new head."""
        return text.encode("utf-8") + self.data[self.body :]


def _is_large(data: bytes, start: int, end: int) -> bool:
    return end - start > MAX_FRONTMATTER or sum(data.count(part, start, end) for part in b"\n\r,") > MAX_PARTS


class _Lines:
    """Where the lines of a text begin, worked out once for however many findings."""

    def __init__(self, text: str) -> None:
        self.text = text
        if "\r" in text:
            self.starts = [0, *(found.end() for found in _NEWLINE.finditer(text))]
        else:
            self.starts = [0, *accumulate(len(line) + 1 for line in text.split("\n")[:-1])]
        self.known: dict[int, str] = {}

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        start = self.starts[line - 1]
        if start == 0 and self.text.startswith("\ufeff"):
            start = 1
        return line, max(offset - start, 0) + 1

    def line_at(self, offset: int) -> str:
        line = bisect_right(self.starts, offset)
        if line not in self.known:
            start, *more = self.starts[line - 1 : line + 1]
            text = self.text[start : more[0] if more else len(self.text)]
            self.known[line] = text.rstrip("\r\n").removeprefix("\ufeff")
        return self.known[line]
