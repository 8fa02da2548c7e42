"""A Python file's text: decoded as Python decodes it, and encoded back to the same bytes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fsagent_lint._fast import pattern
from fsagent_lint.frontmatter.nodes import ParseError, Span
from fsagent_lint.frontmatter.source import BOM, Source

if TYPE_CHECKING:
    import ast

MAX_MODULE = 512 * 1024
MAX_DEPTH = 100
_TOO_DEEP = "the module is nested too deeply"
_LINE_END = pattern(r"\r\n|\n|\r")
_LINE = pattern(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")


class PythonSource(Source):
    """All of the file is text; there is no body. `fault` says why it cannot be decoded: then nothing is checked."""

    __slots__ = ("encoding", "fault")

    def __init__(self, path: str, data: bytes) -> None:
        self._begin(path, data)
        self.body = len(data)
        self.encoding = "utf-8"
        self.fault: ParseError | None = None
        self.text = ""
        try:
            self.encoding = _encoding(data)
            self.text = data.decode(self.encoding)
            if self.text.encode(self.encoding) != data:
                raise ValueError(f"text in {self.encoding} cannot be written back unchanged")
        except (SyntaxError, LookupError, ValueError) as error:
            self.fault = ParseError(str(error), 0)
            self.text = data.decode("latin-1")

    def to_bytes(self, text: str) -> bytes:
        return text.encode(self.encoding)


def _encoding(data: bytes) -> str:
    """The encoding from the cookie in the first two lines; a byte order mark stays part of the text."""
    from tokenize import detect_encoding

    encoding = detect_encoding(io.BytesIO(data).readline)[0]
    return "utf-8" if data.startswith(BOM) else encoding


class LimitError(ParseError):
    """A module that Python may be able to run, but that exceeds the limits here."""


def parse_module(source: PythonSource) -> ast.Module:
    """The module as Python's own parser reads it; ParseError for a module that must not be read further.

    LibCST recurses in native code and crashes the process on some thousand nested brackets. So the parser that
    knows its limits goes first.
    """
    import ast

    if source.fault is not None:
        raise source.fault
    if len(source.data) > MAX_MODULE:
        raise LimitError(f"the module is larger than {MAX_MODULE // 1024} KiB", 0)
    try:
        tree = _parse(source.text.removeprefix("\ufeff"))
    except SyntaxError as error:
        raise ParseError(error.msg, _offset(source.text, error.lineno or 1)) from None
    except ValueError as error:  # a NUL
        raise ParseError(str(error), 0) from None
    except (RecursionError, MemoryError):
        raise LimitError(_TOO_DEEP, 0) from None
    level: list[ast.AST] = [tree]
    depth = 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise LimitError(_TOO_DEEP, 0)
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return tree


def python_comments(text: str) -> Iterator[Span]:
    """Where the comments are; a `#` in a string does not start one."""
    from tokenize import COMMENT, generate_tokens

    lines = [line for line in _LINE.findall(text) if line]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    for token in generate_tokens(iter(lines).__next__):
        if token.type == COMMENT:
            start = starts[token.start[0] - 1] + token.start[1]
            yield Span(start, start + len(token.string))


def _parse(text: str) -> ast.Module:
    import ast
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape in someone else's string
        return ast.parse(text)


def _offset(text: str, line: int) -> int:
    """Where a line begins, counted as `Source.position` counts."""
    found = [0, *(match.end() for match in _LINE_END.finditer(text))]
    return found[min(max(line, 1), len(found)) - 1]
