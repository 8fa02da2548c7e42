"""Suppression comments, `# fsagent: ignore[code] reason`, which are applied after the rules have run."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import zip_longest

from fsagent_lint._fast import NamedTuple, pattern
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.edits import Edit, whole_lines
from fsagent_lint.frontmatter.lines import line_end, line_prefix
from fsagent_lint.frontmatter.nodes import List, Node, Scalar, Span
from fsagent_lint.model.finding import Finding, Fix, Safety
from fsagent_lint.rules import Rule

_NAME = b"fsagent"
_COMMENT = pattern(r"(?:#|//|/\*)[ \t]*fsagent(?:-lint)?:[ \t]*ignore(-file)?\b[ \t]*(?:\[([^\[\]\r\n]*)\])?")
_BODY_COMMENT = pattern(rb"<!--[ \t]*fsagent(?:-lint)?:[ \t]*ignore(-file)?\b[ \t]*(?:\[([^\[\]\r\n]*)\])?")

_CODE = pattern(r"[^\s,](?:[^,]*[^\s,])?")


class Ignore(NamedTuple):
    """One suppression comment: the codes, and the lines that it applies to (None: the whole file)."""

    codes: tuple[str, ...]
    lines: range | None
    span: Span
    """Without the reason."""
    whole: Span | None
    """All that has to go if it is removed; None in the body, which no fix changes."""


class Judged(NamedTuple):
    """What can be said about unused comments: the rule that reports them, and the rules that comments name."""

    rule: Rule
    known: frozenset[str]
    """The codes and names of all rules."""
    ran: frozenset[str]
    """Those of the rules that checked the file: a comment for another rule may be needed in another run."""


def has_ignores(document: Document) -> bool:
    """Might there be a suppression comment?"""
    return _NAME in document.source.data


def suppress(document: Document, findings: list[Finding], unused: Judged | None) -> tuple[list[Finding], int]:
    """The remaining findings, and how many were suppressed. `unused`: None if unused comments are not reported."""
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
        text = document.source.text
        left += [finding for ignore in ignores for finding in _unused(ignore, used, unused, text)]
    return left, suppressed


def _unused(ignore: Ignore, used: set[tuple[str, int | None]], judged: Judged, text: str) -> Iterator[Finding]:
    """Why a comment, or one of its codes, suppresses nothing."""
    if not ignore.codes:
        message = "The comment names no rule, so it suppresses nothing. Write `ignore[rule-name]`."
        yield judged.rule.finding(ignore.span, message)
    unused = [code for code in ignore.codes if used.isdisjoint((code, at) for at in ignore.lines or (None,))]
    idle = [code for code in unused if code not in judged.known or code in judged.ran]
    for code in idle:
        if code not in judged.known:  # a misspelt name is more likely to be corrected
            message = f"There is no rule `{code}`, so the comment suppresses nothing. Correct or remove the name."
            yield judged.rule.finding(ignore.span, message, fix=_removal(ignore, code, Safety.UNSAFE, text))
        else:
            message = f"`{code}` has no finding here, so the comment suppresses nothing. Remove it."
            yield judged.rule.finding(ignore.span, message, fix=_removal(ignore, code, Safety.SAFE, text))


def _removal(ignore: Ignore, code: str, safety: Safety, text: str) -> Fix | None:
    """Remove the comment, or only one of its codes if there are others."""
    if ignore.whole is None:
        return None
    if set(ignore.codes) == {code}:
        return Fix("Remove the comment", (Edit(ignore.whole, ""),), safety, frozenset())
    return Fix(f"Remove `{code}`", (Edit(_code_span(ignore, code, text), ""),), safety, frozenset())


def _code_span(ignore: Ignore, code: str, text: str) -> Span:
    """One of several codes, with the comma and the blanks between it and its neighbour."""
    names = [*_CODE.finditer(text, text.index("[", ignore.span.start) + 1, ignore.span.end - 1)]
    at = next(number for number, match in enumerate(names) if match[0] == code)
    return Span(names[at - 1].end(), names[at].end()) if at else Span(names[0].start(), names[1].start())


def find_ignores(document: Document) -> Iterator[Ignore]:
    source = document.source
    values = _Values(document)
    starts = {span.start for span in document.comments or ()}
    last = 0
    matches = [*_COMMENT.finditer(source.text)]
    for match, following in zip_longest(matches, matches[1:]):
        before = source.text[match.start() - 1 : match.start()]
        if document.comments is None:
            if match[0][0] != "#" or before not in ("", " ", "\t", "\n", "\r") or values.contain(match.start()):
                continue
        elif match.start() not in starts:
            continue
        line, column = source.position(match.start())
        own_line = line != last and not source.text[match.start() - column + 1 : match.start()].strip()
        last = line
        lines = None if match[1] else range(line, line + (2 if own_line else 1))
        closed = match[0].startswith("/*")
        following_start = following.start() if following else None
        whole = None if closed else _whole(source.text, match.start(), following_start, own_line=own_line)
        yield Ignore(_codes(match[2]), lines, Span(match.start(), match.end()), whole)
    for found in _BODY_COMMENT.finditer(source.data, source.body):
        codes = _codes(found[2].decode("utf-8", "replace")) if found[2] is not None else ()
        # Findings are located in the frontmatter, so a comment in the body always applies to the whole file.
        start = len(source.text) + len(source.data[source.body : found.start()].decode("utf-8", "replace"))
        length = len(found[0].decode("utf-8", "replace"))
        yield Ignore(codes, None, Span(start, start + length), None)


def _whole(text: str, start: int, following: int | None, *, own_line: bool) -> Span:
    """A comment with its reason, and with the line or the blanks before it that nobody needs without it."""
    end = line_end(text, start)
    if following is not None and following < end:  # another suppression follows on the line
        return Span(start, following)
    if own_line:
        return whole_lines(text, start, end)
    prefix = line_prefix(text, start)
    return Span(start - len(prefix) + len(prefix.rstrip(" \t")), end)


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
