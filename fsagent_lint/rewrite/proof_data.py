"""The proof before a data file of agents is written: nothing changed except what the fixes declare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from fsagent_lint.agent.data.document import TITLES, DataDocument, MemberDocument
from fsagent_lint.agent.data.subject import DataSubject
from fsagent_lint.agent.subject import Subject
from fsagent_lint.files.jsonc import JsonError, parse_json
from fsagent_lint.frontmatter.edits import Edit, whole_lines
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.frontmatter.second_reader import PlainValue, read_entries
from fsagent_lint.model.finding import Fix
from fsagent_lint.rewrite.proof import lost_comment, mixed_newlines

_Touched = Mapping[tuple[str, int], frozenset[str]]
_WHOLE = ("", -1)
"""The place of the keys that belong to no agent."""


def prove_data(subject: Subject, result: bytes, fixes: Sequence[Fix]) -> str:
    """Why a result must not be written, whatever it grants; empty if it may."""
    assert isinstance(subject, DataSubject)
    before = subject.data_document
    after = before.reread(result)
    if result == before.source.data:
        return "the changes do not fit together"
    if after.source.problem is not None:
        return f"the file is {after.source.problem} now"
    if after.error is not None:
        return f"the file would not be valid {TITLES[before.kind.file]}: {after.error.problem}"
    if problem := mixed_newlines(before.source.text, after.source.text):
        return problem
    touched: dict[tuple[str, int], frozenset[str]] = {}
    # A fix that touches no key changes only comments; every value is compared below.
    for touches, edit in [(fix.touches, edit) for fix in fixes for edit in fix.edits if fix.touches]:
        owner = _owner(before, edit)
        if owner == _WHOLE and not before.kind.holds:
            return f"something outside a {subject.kind_name} would change"
        touched[owner] = touched.get(owner, frozenset()) | touches
    if problem := _compare(before, after, touched):
        return problem
    lost = _lost(before, after, fixes) if before.comments is not None else lost_comment(subject, after.source, fixes)
    return f"the comment {lost!r} would be lost" if lost else ""


def _owner(whole: DataDocument, edit: Edit) -> tuple[str, int]:
    """The place of the agent that an edit lies in."""
    for member in whole.members:
        span = _span(member)
        if span.start <= edit.span.start and edit.span.end <= span.end:
            return member.place
    return _WHOLE


def _span(member: MemberDocument) -> Span:
    """The span of an agent, with the rest of its last line, since edits may remove whole lines."""
    assert member.root is not None
    text, (start, end) = member.source.text, member.span
    if not member.root.flow:
        end = whole_lines(text, end, end).end
    return Span(start, end)


def _lost(before: DataDocument, after: DataDocument, fixes: Sequence[Fix]) -> str:
    """A comment that is gone although no fix is about comments; empty if all are there."""
    comments = [Counter(each.source.text[start:end] for start, end in each.comments or ()) for each in (before, after)]
    gone = comments[0] - comments[1]
    edits = [edit for fix in fixes for edit in fix.edits]
    for start, end in before.comments or ():
        text = before.source.text[start:end]
        if text not in gone:
            continue
        words = text.strip("/* \t")
        kept = any(words in each for each in comments[1])
        changed = any(edit.span.start < end and start < edit.span.end for edit in edits if not kept)
        is_own = any(not fix.touches for fix in fixes)
        if not kept and not (changed and is_own):
            return text
    return ""


def _compare(before: DataDocument, after: DataDocument, touched: _Touched) -> str:
    """What changed that should not have, by a second parser; empty if nothing."""
    old, new = _read(before), _read(after)
    if old is None or new is None:
        return "a second reader cannot read the file"
    kind = before.kind
    sections = (kind.under,) if kind.under else tuple(kind.holds)
    if not sections:
        return _differs("", old, new, touched.get(("", 0), frozenset()))
    before_outside, after_outside = ([pair for pair in each if pair[0] not in sections] for each in (old, new))
    if _differs("", before_outside, after_outside, touched.get(_WHOLE, frozenset())):
        return f"something outside {' and '.join(f'`{section}`' for section in sections)} changed"
    for section in sections:
        one, other = (_members(each, section, is_list=bool(kind.under)) for each in (old, new))
        if [name for name, _ in one] != [name for name, _ in other]:
            return f"the entries of `{section}` changed"
        for number, ((name, value), (_, changed)) in enumerate(zip(one, other, strict=True)):
            keys = touched.get((section, number), frozenset())
            if problem := _differs(str(name), value, changed, keys):
                return problem
    return ""


_Pairs = Sequence[tuple[object, PlainValue]]


def _read(document: DataDocument) -> _Pairs | None:
    """The keys of the file with their values, as another parser than the first reads them."""
    match document.kind.file:
        case "yaml":
            return read_entries(document.source.yaml_text)
        case "toml":
            return None  # nothing is written
        case _:
            try:
                value = _plain(parse_json(document.source.data, pairs=True))
            except JsonError:
                return None
            return _pairs(value)


def _plain(value: object) -> PlainValue:
    """A value of JSON in the form that the second reader of YAML has: its type, then what it holds."""
    if isinstance(value, tuple):
        return ("map", *((("str", key), _plain(each)) for key, each in value))
    if isinstance(value, list):
        return ("list", *map(_plain, value))
    return (type(value).__name__, repr(value))


def _pairs(value: PlainValue) -> list[tuple[object, PlainValue]]:
    """The entries of a map, each with its key as text."""
    return [(entry[0][-1] if entry[0] else None, entry[1]) for entry in value[1:] if len(entry) == 2]


def _members(pairs: _Pairs, section: str, *, is_list: bool) -> list[tuple[object, _Pairs]]:
    """The agents of a section; in a map the last of those that have one name."""
    values = [value for key, value in pairs if key == section]
    if not values:
        return []
    if is_list:
        return [(f"entry {number}", _pairs(each)) for number, each in enumerate(values[0][1:], 1)]
    return [(name, _pairs(each)) for name, each in dict(_pairs(values[-1])).items() if each[0] == "map"]


def _differs(where: str, old: _Pairs, new: _Pairs, touches: frozenset[str]) -> str:
    one, other = ([pair for pair in each if pair[0] not in touches] for each in (old, new))
    return "" if one == other else f"something else in {where or 'the file'} changed"
