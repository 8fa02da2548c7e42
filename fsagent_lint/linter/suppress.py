"""Suppression comments, `# fsagent: ignore[code] reason`, which are applied after the rules have run."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from fsagent_lint._fast import NamedTuple, pattern
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.nodes import List, Node, Scalar, Span
from fsagent_lint.model.finding import Finding
from fsagent_lint.rules import Rule

_PREFIX = b"fsagent:"
_COMMENT = pattern(r"#[ \t]*fsagent:[ \t]*ignore(-file)?\b[ \t]*(?:\[([^\[\]\r\n]*)\])?")
_BODY_COMMENT = pattern(rb"<!--[ \t]*fsagent:[ \t]*ignore(-file)?\b[ \t]*(?:\[([^\[\]\r\n]*)\])?")


class Ignore(NamedTuple):
    """One suppression comment: the codes, and the lines that it applies to (None: the whole file)."""

    codes: tuple[str, ...]
    lines: range | None
    span: Span
    in_body: bool


def suppress(
    document: Document, findings: list[Finding], known: frozenset[str], unused: Rule | None
) -> tuple[list[Finding], int]:
    """The remaining findings, and how many were suppressed.

    `unused` is the rule that reports unused comments, if it is selected; `known` holds the rules that they may name.
    """
    if _PREFIX not in document.source.data:
        return findings, 0
    ignores = list(find_ignores(document))
    places = {(code, line) for ignore in ignores for code in ignore.codes for line in ignore.lines or (None,)}
    used: set[tuple[str, int | None]] = set()
    left = []
    for finding in findings:
        line = document.source.position(finding.span.start)[0]
        hits = places.intersection((code, at) for code in (finding.code, finding.name) for at in (line, None))
        used |= hits
        if not hits:
            left.append(finding)
    suppressed = len(findings) - len(left)
    if unused is not None:
        left += [
            unused.finding(ignore.span, message)
            for ignore in ignores
            for message in _unused_messages(ignore, used, known)
        ]
    return left, suppressed


def _unused_messages(ignore: Ignore, used: set[tuple[str, int | None]], known: frozenset[str]) -> Iterator[str]:
    """Why a comment, or one of its codes, suppresses nothing."""
    if not ignore.codes:
        yield "This comment names no rule, so it silences nothing. Write `ignore[rule-name]`."
    for code in ignore.codes:
        if not used.isdisjoint((code, at) for at in ignore.lines or (None,)):
            continue
        if code not in known:
            yield f"There is no rule `{code}`, so this comment silences nothing. Correct or remove it."
        else:
            yield f"`{code}` finds nothing here, so this comment silences nothing. Remove it."


def find_ignores(document: Document) -> Iterator[Ignore]:
    source = document.source
    values = _Values(document)
    last = 0
    for match in _COMMENT.finditer(source.text):
        before = source.text[match.start() - 1 : match.start()]
        if before not in ("", " ", "\t", "\n", "\r") or values.contain(match.start()):
            continue
        line, column = source.position(match.start())
        own_line = line != last and not source.text[match.start() - column + 1 : match.start()].strip()
        last = line
        lines = None if match[1] else range(line, line + (2 if own_line else 1))
        yield Ignore(_codes(match[2]), lines, Span(match.start(), match.end()), False)
    for found in _BODY_COMMENT.finditer(source.data, source.body):
        codes = _codes(found[2].decode("utf-8", "replace")) if found[2] is not None else ()
        # Findings are located in the frontmatter, so a comment in the body always applies to the whole file.
        yield Ignore(codes, None, Span(len(source.text), len(source.text)), True)


def _codes(text: str | None) -> tuple[str, ...]:
    return tuple(code.strip() for code in (text or "").split(",") if code.strip())


class _Values:
    """The spans of values, in which a `#` does not begin a comment."""

    def __init__(self, document: Document) -> None:
        self.document = document
        spans = sorted(span for entry in document.entries for span in _texts(entry.value))
        self.starts, self.ends = [span.start for span in spans], [span.end for span in spans]

    def contain(self, offset: int) -> bool:
        at = bisect_right(self.starts, offset) - 1
        return (at >= 0 and offset < self.ends[at]) or self.document.is_text(offset)


def _texts(node: Node) -> Iterator[Span]:
    if isinstance(node, Scalar):
        if node.style not in ("", "raw"):
            yield node.span
    elif isinstance(node, List):
        for item in node.items:
            yield from _texts(item)
    else:
        for entry in node.entries:
            yield from _texts(entry.value)
