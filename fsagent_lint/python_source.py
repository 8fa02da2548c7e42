"""A Python file's text: decoded as Python does it, and encoded back to the same bytes."""

from __future__ import annotations

import io
import re

from fsagent_lint.nodes import ParseError
from fsagent_lint.source import BOM, Source, Span

MAX_MODULE = 1024 * 1024
MAX_DEPTH = 100
_LINE_END = re.compile(r"\r\n|\n|\r")


class PythonSource(Source):
    """All of the file is text; there is no body. `fault` says why there is none: then nothing is judged."""

    __slots__ = ("encoding", "fault")

    def __init__(self, path: str, data: bytes) -> None:
        self.path, self.data = path, data
        self.problem, self.opening, self.yaml = None, "", Span(0, 0)
        self.body = len(data)
        self.encoding = "utf-8"
        self.fault: ParseError | None = None
        self.text = ""
        try:
            self.encoding = _encoding(data)
            self.text = data.decode(self.encoding)
            if self.text.encode(self.encoding) != data:
                raise ValueError(f"text in {self.encoding} cannot be written back as it was")
        except (SyntaxError, LookupError, ValueError) as error:
            self.fault = ParseError(str(error), 0)
            self.text = data.decode("latin-1")

    def to_bytes(self, text: str) -> bytes:
        return text.encode(self.encoding)


def _encoding(data: bytes) -> str:
    """By the cookie in the first two lines; a byte order mark stays part of the text."""
    from tokenize import detect_encoding

    encoding = detect_encoding(io.BytesIO(data).readline)[0]
    return "utf-8" if data.startswith(BOM) else encoding


def check_syntax(source: PythonSource) -> ParseError | None:
    """Why a module is not to be read any further.

    LibCST recurses in native code and takes the process down on some thousand nested brackets, so Python's own
    parser, which knows its limits, goes first.
    """
    if source.fault is not None:
        return source.fault
    if len(source.data) > MAX_MODULE:
        return ParseError(f"the module is larger than {MAX_MODULE // 1024} KiB", 0)
    try:
        return ParseError("the module is nested too deeply", 0) if depth(source.data) > MAX_DEPTH else None
    except SyntaxError as error:
        return ParseError(error.msg, _offset(source.text, error.lineno or 1))
    except (ValueError, RecursionError, MemoryError) as error:
        return ParseError(str(error) or "the module is nested too deeply", 0)


def depth(data: bytes) -> int:
    """How deep the syntax tree of a module is; SyntaxError, ValueError, RecursionError or MemoryError for none."""
    import ast
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape in someone else's string
        level: list[ast.AST] = [ast.parse(data)]
    deep = 0
    while level and deep <= MAX_DEPTH:
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        deep += 1
    return deep


def _offset(text: str, line: int) -> int:
    """Where a line begins, counted as `Source.position` counts."""
    found = [0, *(match.end() for match in _LINE_END.finditer(text))]
    return found[min(max(line, 1), len(found)) - 1]
