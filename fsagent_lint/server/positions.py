"""Positions in a text as editors count them: lines from 0, and columns in the units that the client chose."""

from __future__ import annotations

from bisect import bisect_right

from lsprotocol import types as lsp

from fsagent_lint.frontmatter.lines import line_end, line_starts
from fsagent_lint.frontmatter.nodes import Span

_UNITS = {lsp.PositionEncodingKind.Utf8: "utf-8", lsp.PositionEncodingKind.Utf16: "utf-16-le"}
_WIDTHS = {"utf-8": 1, "utf-16-le": 2}


class Positions:
    """Converts offsets of one text, in code points, to positions and back. Positions outside the text are moved into it."""

    def __init__(self, text: str, encoding: lsp.PositionEncodingKind | str = lsp.PositionEncodingKind.Utf16) -> None:
        self.text, self._starts = text, line_starts(text)
        self._codec = "" if text.isascii() else _UNITS.get(lsp.PositionEncodingKind(encoding), "")
        """Empty if the unit is the code point."""

    def position(self, offset: int) -> lsp.Position:
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset) - 1
        return lsp.Position(line, self._units(self.text[self._starts[line] : offset]))

    def range(self, span: Span) -> lsp.Range:
        return lsp.Range(self.position(span.start), self.position(span.end))

    def offset(self, position: lsp.Position) -> int:
        if position.line >= len(self._starts):
            return len(self.text)
        start = self._starts[position.line]
        line = self.text[start : line_end(self.text, start)]
        return start + (
            min(position.character, len(line)) if not self._codec else self._count(line, position.character)
        )

    def span(self, selection: lsp.Range) -> Span:
        start, end = self.offset(selection.start), self.offset(selection.end)
        return Span(start, max(start, end))

    def _units(self, text: str) -> int:
        return len(text.encode(self._codec)) // _WIDTHS[self._codec] if self._codec else len(text)

    def _count(self, line: str, units: int) -> int:
        """How many whole characters fit into a number of units."""
        head = line.encode(self._codec)[: units * _WIDTHS[self._codec]]
        return len(head.decode(self._codec, "ignore"))


def well_formed(text: str) -> str:
    """The text with U+FFFD for lone surrogates, which UTF-8 cannot hold; offsets stay the same."""
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
