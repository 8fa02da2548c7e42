"""A file's bytes and its fences; the only place where offsets are converted to lines and columns."""

from __future__ import annotations

from bisect import bisect_right

from fsagent_lint._fast import pattern
from fsagent_lint.frontmatter.lines import line_end, line_starts, newline
from fsagent_lint.frontmatter.nodes import Span

BOM = b"\xef\xbb\xbf"
MAX_FRONTMATTER = 64 * 1024
"""Nine times the largest of thousands of published ones."""
MAX_PARTS = 2000
"""How many lines and commas it may have; that many names are checked, fixed and verified in about a second."""

_OPENING = pattern(rb"---([^\r\n]*)(\r\n|\n|\r|\Z)")
# Starts with `---`, which is rare, so searching is faster than from a line break.
_CLOSING = pattern(rb"---(?<=[\r\n]---)[ \t]*(?=[\r\n]|\Z)")
# Ends between two characters, never inside a multi-byte one.
_FIRST_LINE = pattern(rb"[^\r\n]{0,200}(?![\x80-\xbf])")
_FIRST_NEWLINE = pattern(r"\r\n|\n|\r")


_EMPTY_SPAN = Span(0, 0)


class Source:
    """One file: the head is decoded strictly; the body stays bytes and is never changed.

    `problem` is None, or why there is no frontmatter: `missing`, `unclosed`, `not-utf8`, `too-large`.
    """

    __slots__ = ("_line", "_starts", "_whole", "body", "data", "is_usual", "opening", "path", "problem", "text", "yaml")

    problem: str | None

    def __init__(self, path: str, data: bytes) -> None:
        self._begin(path, data)
        if self._read_usual():
            return
        head = self._split()
        try:
            self.text = data[:head].decode("utf-8")
        except UnicodeDecodeError:
            self.text = data[:head].decode("utf-8", "replace")
            self.problem = self.problem if self.problem == "missing" else "not-utf8"
        self.body = head
        if self.problem in (None, "unclosed"):
            self._locate()

    def _begin(self, path: str, data: bytes) -> None:
        """Initialize the fields common to every source."""
        self.path, self.data = path, data
        self.problem = None
        self.opening = ""  # the text after `---` on the first line
        self.yaml = _EMPTY_SPAN
        self.is_usual = False
        """Bare fences, `\\n` line breaks, no other fence inside: all harnesses agree on where such frontmatter ends."""
        self._whole, self._line = "", (-1, 0, "")
        self._starts: dict[int, list[int]] = {}

    def _read_usual(self) -> bool:
        """Read a usual file in one pass; False for any other file."""
        data = self.data
        end = data.find(b"\n---", 3) + 4 if data.startswith(b"---\n") else 0
        if end <= 4 or data[end : end + 1] not in (b"\n", b"") or data.find(b"\r", 0, end) >= 0:
            return False
        if _is_large(data, 0, end):
            return False
        try:
            self.text = data[:end].decode("utf-8")
        except UnicodeDecodeError:
            return False
        self.body, self.is_usual = end, True
        self.yaml = Span(4, max(len(self.text) - 3, 4))
        return True

    def _split(self) -> int:
        """The end of the head (both fences included), in bytes."""
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
        if _is_large(data, start, end):
            self.problem = "too-large"
            return opening.end()
        return end

    def _locate(self) -> None:
        text = self.text
        first = _FIRST_NEWLINE.search(text)
        start = first.end() if first else len(text)
        last = max(text.rfind("\n---"), text.rfind("\r---")) + 1 if self.problem is None else len(text)
        self.yaml = Span(start, max(last, start))

    @property
    def yaml_text(self) -> str:
        return self.text[self.yaml.start : self.yaml.end]

    @property
    def prompt(self) -> bytes:
        """Everything after the frontmatter, or the whole file without one."""
        return self.data if self.problem == "missing" else self.data[self.body :]

    @property
    def newline(self) -> str:
        """The line break that the head uses."""
        return newline(self.text)

    @property
    def whole(self) -> str:
        """The head and the body as one text, for the few callers that read the body."""
        if not self._whole:
            self._whole = self.text + self.data[self.body :].decode("utf-8", "replace")
        return self._whole

    def _line_of(self, offset: int) -> tuple[str, int, int]:
        """The text that contains an offset (the head if possible, otherwise the whole), and its line: number and start.

        An offset between `\\r` and `\\n` is on the line before.
        """
        text = self.text if offset <= len(self.text) else self.whole
        starts = self._starts.get(len(text))
        if starts is None:  # thousands of findings may be in one file
            starts = self._starts[len(text)] = line_starts(text)
        line = bisect_right(starts, offset)
        return text, line, starts[line - 1]

    def position(self, offset: int) -> tuple[int, int]:
        """One-based line and column, as editors count them."""
        text, line, start = self._line_of(offset)
        if start == 0 and text.startswith("\ufeff"):
            start = 1
        return line, max(offset - start, 0) + 1

    def place(self, span: Span) -> tuple[int, int, int, int, str]:
        """Start line and column, end line and exclusive end column, and the text of the first line."""
        line, column = self.position(span.start)
        first = self.line_at(span.start)
        inside = column - 1 + span.end - span.start <= len(first)
        end = (line, column + span.end - span.start) if inside else self.position(span.end)
        return line, column, *end, first

    def line_at(self, offset: int) -> str:
        """The text of the line that contains the offset, without its line break."""
        text, _, start = self._line_of(offset)
        if self._line[:2] != (start, len(text)):  # thousands of findings may be on one long line
            self._line = start, len(text), text[start : line_end(text, start)].removeprefix("\ufeff")
        return self._line[2]

    def to_bytes(self, text: str) -> bytes:
        """The whole file with a new head."""
        return text.encode("utf-8") + self.data[self.body :]


def _is_large(data: bytes, start: int, end: int) -> bool:
    if end - start <= MAX_PARTS:
        return False
    return end - start > MAX_FRONTMATTER or sum(data.count(part, start, end) for part in b"\n\r,") > MAX_PARTS
