"""Comments in a YAML value: where they are, and what becomes of one that leaves its entry."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint._fast import NamedTuple, pattern
from fsagent_lint.frontmatter.lines import line_end, line_prefix
from fsagent_lint.frontmatter.nodes import List, Node, Scalar, Span

# In YAML, what is neither in a scalar nor in a comment has no slash.
_COMMENT = pattern(r"(?:#|//)[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)")
_SUPPRESSION = pattern(r"(?:#|//|/\*)[ \t]*(?=fsagent(?:-lint)?:[ \t]*ignore\b(?!-file))")
_OF_THE_FILE = pattern(r"(?:#|//|/\*)[ \t]*fsagent(?:-lint)?:[ \t]*ignore-file\b")


class Comment(NamedTuple):
    start: int
    text: str
    alone: bool
    """Nothing else is on its line."""

    @property
    def span(self) -> Span:
        return Span(self.start, self.start + len(self.text))


def find_comments(text: str, start: int, end: int, node: Node) -> Iterator[Comment]:
    """The comments between two offsets; a `#` inside one of the node's scalars is not a comment."""
    at = start
    for span in (*sorted(_scalar_spans(node, text)), Span(end, end)):
        for found in _COMMENT.finditer(text, at, max(min(span.start, end), at)):
            if found[0][0] == "/" or text[found.start() - 1] in " \t\r\n,[]{}":
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


def about(name: str, comment: str) -> str:
    """The comment of an entry that is no longer there: it says the entry's name, and suppresses no finding."""
    inert = disarm(name, comment)
    words = comment.lstrip("#/").strip()
    if inert != comment or _OF_THE_FILE.search(comment) or words.startswith(f"{name}:"):
        return inert
    return f"# {_printable(name)}: {words}".rstrip()


def disarm(name: str, comment: str) -> str:
    """A comment that moves away from its entry: a suppression, which would apply to another one, is only text there."""
    return _SUPPRESSION.sub(lambda _: f"# {_printable(name)}: ", comment)


def is_suppression(comment: str) -> bool:
    """Does the comment suppress findings on its line or on the next one?"""
    return _SUPPRESSION.search(comment) is not None


def _printable(name: str) -> str:
    return name if name.isprintable() else ascii(name)
