"""Make invalid YAML valid if that only needs quotes: the keys stay the same, and so does the text of every value."""

from __future__ import annotations

import re

from fsagent_lint.agent.subject import Subject
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.edits import Edit, apply_edits
from fsagent_lint.frontmatter.lines import newline, unify_newlines
from fsagent_lint.frontmatter.nodes import Entry, Scalar
from fsagent_lint.frontmatter.quoting import quote
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.model.finding import Fix, Safety

# A line in the first column that has a key, to whoever reads one line after another.
_KEY_LINE = re.compile(r"\n(?:[\w.-]+[ \t]*:|[^\s#][^\n:]*:(?![^ \t\n]))")
_QUOTES = ("'", '"')
_QUOTE = re.compile(r"""\\.|['"]""", re.DOTALL)


def repair(subject: Subject) -> Fix | None:
    """Quote the values that do not parse; None if that is not enough, or if a key might become part of a value."""
    source = subject.document.source
    if source.problem is not None:
        return None  # the result could not be proven
    known = {*subject.kind.fields, *subject.kind.keys, *subject.kind.wrong_keys}
    edits, names, safety = [], [], Safety.SAFE
    for entry in filter(_is_raw, subject.document.entries):
        value = unify_newlines(source.text[entry.value.start : entry.value.end])
        text = _as_text(value, newline(source.text, entry.start)) if _may_be_text(subject, entry, value) else ""
        if not text:
            return None
        if not _is_surely_text(value, known, is_known=entry.name in known) or _may_be_list(subject, entry, value):
            safety = Safety.UNSAFE
        edits.append(Edit(entry.value.span, text))
        names.append(entry.name or "")
    if not edits or not _is_valid(source.to_bytes(apply_edits(source.text, edits)), subject.document):
        return None
    return Fix(f"Quote the value of `{names[0]}`", tuple(edits), safety, frozenset(names))


def _is_raw(entry: Entry) -> bool:
    return isinstance(entry.value, Scalar) and entry.value.style == "raw"


def _may_be_text(subject: Subject, entry: Entry, value: str) -> bool:
    field = subject.kind.fields.get(entry.name or "")
    if (field is not None and "string" not in field.type) or entry.name in subject.kind.keys:
        return False
    if not value or (value[0] in "[{|>" and not is_text_in_brackets(value)) or _KEY_LINE.search(value):
        return False
    return re.sub(r"[\n\t]", "", value).isprintable()  # control characters need review


def is_text_in_brackets(value: str) -> bool:
    """`[file] [--all]` and `[name] | --list`: text goes on behind the bracket, so it is not a list."""
    return re.match(r"\[[^\[\]\n]*\](?:[ \t]+[^#\s]|[^ \t\n,\]}])[^\n]*\Z", value) is not None


def _may_be_list(subject: Subject, entry: Entry, value: str) -> bool:
    """Does it begin like a list, in a field whose text usually does not? Hints of arguments do: `[file] [--all]`."""
    field = subject.kind.fields.get(entry.name or "")
    return value.startswith("[") and (field is None or field.meaning != "argument-hint")


def _is_surely_text(value: str, known: set[str], *, is_known: bool) -> bool:
    """Is text the only possible reading: no quotes in doubt, no key without its colon, no broken structure?"""
    unclosed = value[:1] in _QUOTES and value.count(value[0]) == 1
    # A line that begins like nothing that begins a sentence.
    if unclosed or is_enclosed(value) or re.search(r"\n[^\w\s<>()\[\"'`*#•-]", value):
        return False
    keys = re.findall(r"\n(?:([\w.-]+)|[ \t]+([\w.-]+)[ \t]*:)", value)
    if not known.isdisjoint(flush or indented for flush, indented in keys):
        return False
    return is_known or (value[:1].isalnum() and "\n" not in value)


def _as_text(value: str, line_break: str) -> str:
    """The value as valid YAML; empty if its text is unclear. Quotes around the whole value are not part of its text."""
    if is_enclosed(value):
        mark, inner = value[0], value[1:-1]
        if mark == "'":
            value = inner.replace("''", "'")
        elif "\n" not in value:
            escaped = re.sub(r'\\.|"', lambda found: '\\"' if found[0] == '"' else found[0], inner)
            return f'"{escaped}"'
        else:
            value = inner.replace('\\"', '"')
            if "\\" in value:
                return ""  # a block has no escapes
    if "\n" not in value:
        return quote(value, '"')
    return line_break.join(["|-", *(f"  {line}".rstrip() for line in value.split("\n"))])


def is_enclosed(value: str) -> bool:
    """Does the last quote close the first one? True for `"Use "this" agent"`, but not for `"this" and "that"`."""
    mark, depth = value[:1], 0
    if mark not in _QUOTES or len(value) < 2 or value[-1] != mark:
        return False
    for found in _QUOTE.finditer(value[:-1]):
        at = found.start()
        if found[0] != mark:
            continue  # an escaped character, or the other quote
        if at == 0 or value[at - 1] in " \t\n([{<:=/":
            depth += 1
        elif not value[at + 1].isalnum():  # not an apostrophe
            depth -= 1
        if depth == 0:
            return False
    return depth == 1


def _is_valid(data: bytes, before: Document) -> bool:
    """Can the result be read, with the keys that were there?"""
    document = Document(Source("", data))
    if document.error is not None or next(document.duplicates(), None) is not None:
        return False
    return [entry.name for entry in document.entries] == [entry.name for entry in before.entries]
