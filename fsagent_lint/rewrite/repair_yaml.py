"""Make invalid YAML valid if that only needs quotes: the text of every value stays the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fsagent_lint.agent.subject import Subject
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.edits import Edit, apply_edits
from fsagent_lint.frontmatter.lines import unify_newlines
from fsagent_lint.frontmatter.nodes import Entry, Scalar, Span
from fsagent_lint.frontmatter.quoting import quote
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.model.finding import Fix, Safety


def repair(subject: Subject) -> Fix | None:
    """Quote the values that do not parse; else, treat lines that only look like keys as part of the text above."""
    source = subject.document.source
    if source.problem is not None:
        return None  # the result could not be proven
    raw = [entry for entry in subject.document.entries if _is_raw(entry)]
    alone = [(entry, source.text[entry.value.start : entry.value.end]) for entry in raw]
    known = {*subject.kind.fields, *subject.kind.keys, *subject.kind.wrong_keys}
    sure = all(_is_surely_text(value, known, is_known=entry.name in known) for entry, value in alone)
    if sure and (fix := _fix(subject, alone, Safety.SAFE)):
        return fix
    groups = [
        (group, end)
        for group, end in _groups(subject.document.entries, known, source.yaml.end)
        if any(map(_is_raw, group))
    ]
    values = [(group[0], source.text[group[0].value.start : end].rstrip()) for group, end in groups]
    return _fix(subject, values, Safety.UNSAFE)


def _is_surely_text(value: str, known: set[str], *, is_known: bool) -> bool:
    """Is text the only possible reading: no forgotten quote, no key without its blank, no broken structure?"""
    unclosed = value[:1] in ("'", '"') and value.count(value[0]) == 1
    # A line that begins like a key, or like nothing that begins a sentence.
    if unclosed or re.search(r"[\r\n](?:[^\w\s<>()\[\"'`*#•-]|[\w.-]+[ \t]*:)", value):
        return False
    keys = re.findall(r"[\r\n](?:([\w.-]+)|[ \t]+([\w.-]+)[ \t]*:)", value)
    if not known.isdisjoint(flush or indented for flush, indented in keys):
        return False
    return is_known or (value[:1].isalnum() and not re.search(r"[\r\n]", value))


def _is_raw(entry: Entry) -> bool:
    return isinstance(entry.value, Scalar) and entry.value.style == "raw"


def _fix(subject: Subject, values: list[tuple[Entry, str]], safety: Safety) -> Fix | None:
    source = subject.document.source
    edits, names = [], []
    for entry, value in values:
        field = subject.kind.fields.get(entry.name or "")
        text = (field is None or "string" in field.type) and entry.name not in subject.kind.keys
        if not text or not value or value[0] in "[{|>" or not re.sub(r"[\r\n\t]", "", value).isprintable():
            return None  # control characters need review
        edits.append(Edit(Span(entry.value.start, entry.value.start + len(value)), _as_text(value, source.newline)))
        names.append(entry.name or "")
    if not edits or not _is_valid(source.to_bytes(apply_edits(source.text, edits))):
        return None
    inside = {
        entry.name
        for entry in subject.document.entries
        for edit in edits
        if edit.span.start < entry.start < edit.span.end
    }
    touches = frozenset(name for name in (*names, *inside) if name)
    return Fix(f"Quote the value of `{names[0]}`", tuple(edits), safety, touches)


def _groups(entries: list[Entry], known: set[str], end: int) -> Iterator[tuple[list[Entry], int]]:
    """Each known key with the lines below that only look like keys: `user:` in a description is text."""
    starts = [at for at, entry in enumerate(entries) if entry.name in known]
    for at, after in pairwise([*starts, len(entries)]):
        yield entries[at:after], entries[after].start if after < len(entries) else end


def _as_text(value: str, newline: str) -> str:
    lines = unify_newlines(value).split("\n")
    if len(lines) == 1:
        return quote(value, '"')
    return newline.join(["|-", *(f"  {line}".rstrip() for line in lines)])


def _is_valid(data: bytes) -> bool:
    document = Document(Source("", data))
    return document.error is None and next(document.duplicates(), None) is None
