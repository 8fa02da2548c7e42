"""Comments in a YAML value: where they are, and whether they have a line of their own."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint._fast import NamedTuple, pattern
from fsagent_lint.frontmatter.lines import line_end, line_prefix
from fsagent_lint.frontmatter.nodes import List, Node, Scalar, Span

_COMMENT = pattern(r"#[^\r\n]*")


class Comment(NamedTuple):
    start: int
    text: str
    alone: bool
    """Nothing else is on its line."""


def find_comments(text: str, start: int, end: int, node: Node) -> Iterator[Comment]:
    """The comments between two offsets; a `#` inside one of the node's scalars is not a comment."""
    at = start
    for span in (*sorted(_scalar_spans(node, text)), Span(end, end)):
        for found in _COMMENT.finditer(text, at, max(min(span.start, end), at)):
            if text[found.start() - 1] in " \t\r\n,[]{}":
                yield Comment(found.start(), found[0].rstrip(), not line_prefix(text, found.start()).strip(" \t"))
        at = max(at, span.end)


def _scalar_spans(node: Node, text: str) -> Iterator[Span]:
    """The spans in which a `#` is text."""
    if isinstance(node, Scalar):
        # A comment may follow the `|` of a block scalar.
        yield Span(line_end(text, node.start) if node.style in ("|", ">") else node.start, node.end)
    elif isinstance(node, List):
        for item in node.items:
            yield from _scalar_spans(item, text)
    else:
        for entry in node.entries:
            yield from _scalar_spans(entry.key, text)
            yield from _scalar_spans(entry.value, text)
