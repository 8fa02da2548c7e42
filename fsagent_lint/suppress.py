"""Inline comments that silence findings: `# fsagent: ignore[code] reason`, decided after the rules have run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fsagent_lint.document import Document
from fsagent_lint.findings import Consequence, Finding
from fsagent_lint.nodes import List, Map, Node, Scalar
from fsagent_lint.pattern import pattern
from fsagent_lint.source import Span

_WORD = b"fsagent:"
_COMMENT = pattern(r"#[ \t]*fsagent:[ \t]*ignore(-file)?\b[ \t]*(?:\[([^\]\r\n]*)\])?")
_BODY_COMMENT = pattern(rb"<!--[ \t]*fsagent:[ \t]*ignore(-file)?\b[ \t]*(?:\[([^\]\r\n]*)\])?")
CODE, NAME = "FA901", "unused-ignore"


class Ignore(NamedTuple):
    """One comment: which codes it silences, and on which lines (None: the whole file)."""

    codes: tuple[str, ...]
    lines: range | None
    span: Span
    in_body: bool


def suppress(document: Document, findings: list[Finding], known: frozenset[str]) -> tuple[list[Finding], int]:
    """What is left of the findings, with those about comments that silence nothing, and how many were silenced."""
    if _WORD not in document.source.data:
        return findings, 0
    ignores = list(_find(document))
    used: set[tuple[int, str]] = set()
    left = []
    for finding in findings:
        line = document.source.position(finding.span.start)[0]
        hits = [
            (number, code)
            for number, ignore in enumerate(ignores)
            for code in ignore.codes
            if code in (finding.code, finding.name) and (ignore.lines is None or line in ignore.lines)
        ]
        used.update(hits)
        if not hits:
            left.append(finding)
    silenced = len(findings) - len(left)
    for number, ignore in enumerate(ignores):
        left += [_unused(ignore, code, known) for code in ignore.codes if (number, code) not in used]
        if not ignore.codes:
            left.append(
                _report(ignore, "This comment names no rule, so it silences nothing. Write `ignore[rule-name]`.")
            )
    return left, silenced


def _unused(ignore: Ignore, code: str, known: frozenset[str]) -> Finding:
    if code not in known:
        return _report(ignore, f"There is no rule `{code}`, so this comment silences nothing. Correct or remove it.")
    return _report(ignore, f"`{code}` finds nothing here, so this comment silences nothing. Remove it.")


def _report(ignore: Ignore, message: str) -> Finding:
    return Finding(CODE, NAME, ignore.span, Consequence.IGNORED, message)


def _find(document: Document) -> Iterator[Ignore]:
    source = document.source
    for match in _COMMENT.finditer(source.text):
        before = source.text[: match.start()]
        if before[-1:] not in ("", " ", "\t", "\n", "\r") or _inside_value(document, match.start()):
            continue
        line = source.position(match.start())[0]
        alone = not source.line_at(match.start())[: source.position(match.start())[1] - 1].strip()
        lines = None if match[1] else range(line, line + (2 if alone else 1))
        yield Ignore(_codes(match[2]), lines, Span(match.start(), match.end()), False)
    for found in _BODY_COMMENT.finditer(source.data, source.body):
        codes = _codes(found[2].decode("utf-8", "replace")) if found[2] is not None else ()
        # Findings point into the frontmatter, so in the body every comment speaks for the whole file.
        yield Ignore(codes, None, Span(len(source.text), len(source.text)), True)


def _codes(text: str | None) -> tuple[str, ...]:
    return tuple(code.strip() for code in (text or "").split(",") if code.strip())


def _inside_value(document: Document, offset: int) -> bool:
    return document.is_text(offset) or any(_covers(entry.value, offset) for entry in document.entries)


def _covers(node: Node, offset: int) -> bool:
    if isinstance(node, Scalar):
        return node.style not in ("", "raw") and node.start <= offset < node.end
    if isinstance(node, List):
        return any(_covers(item, offset) for item in node.items)
    return isinstance(node, Map) and any(_covers(entry.value, offset) for entry in node.entries)
