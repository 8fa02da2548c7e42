"""The proof before a file of several agents is written: nothing changed except what the fixes declare."""

from __future__ import annotations

from collections.abc import Sequence

from fsagent_lint.agent.lists.document import ListDocument, MemberDocument
from fsagent_lint.agent.lists.subject import ListSubject
from fsagent_lint.agent.subject import Subject
from fsagent_lint.frontmatter.edits import Edit, whole_lines
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.frontmatter.second_reader import PlainValue, read_entries
from fsagent_lint.model.finding import Fix
from fsagent_lint.rewrite.proof import lost_comment, mixed_newlines


def prove_list(subject: Subject, result: bytes, fixes: Sequence[Fix]) -> str:
    """Why a result must not be written, whatever it grants; empty if it may."""
    assert isinstance(subject, ListSubject)
    before, after = subject.list_document, subject.list_document.reread(result)
    if after.source.problem is not None:
        return f"the file is {after.source.problem} now"
    if after.error is not None:
        return f"the file would not be valid YAML: {after.error.problem}"
    if problem := mixed_newlines(before.source.text, after.source.text):
        return problem
    touched: dict[int, frozenset[str]] = {}
    # A fix that touches no key changes only comments; every value is compared below.
    for touches, edit in [(fix.touches, edit) for fix in fixes for edit in fix.edits if fix.touches]:
        number = _owner(before, edit)
        if number is None:
            return f"something outside a {subject.kind_name} would change"
        touched[number] = touched.get(number, frozenset()) | touches
    if problem := _compare(before, after, touched):
        return problem
    lost = lost_comment(subject, after.source, fixes)
    return f"the comment {lost!r} would be lost" if lost else ""


def _owner(whole: ListDocument, edit: Edit) -> int | None:
    """The number of the agent that an edit lies in."""
    for member in whole.members:
        span = _span(member)
        if span.start <= edit.span.start and edit.span.end <= span.end:
            return member.number
    return None


def _span(member: MemberDocument) -> Span:
    """The span of an agent, with the rest of its last line, since edits may remove whole lines."""
    assert member.root is not None
    text, end = member.source.text, member.root.end
    if not member.root.flow:
        end = whole_lines(text, end, end).end
    return Span(member.root.start, end)


def _compare(before: ListDocument, after: ListDocument, touched: dict[int, frozenset[str]]) -> str:
    """What changed that should not have, by a second parser; empty if nothing."""
    old, new = read_entries(before.source.yaml_text), read_entries(after.source.yaml_text)
    if old is None or new is None:
        return "a second reader cannot read the file"
    under = before.kind.under
    if [pair for pair in old if pair[0] != under] != [pair for pair in new if pair[0] != under]:
        return f"something outside `{under}` changed"
    old_list, new_list = (next((value for key, value in each if key == under), ()) for each in (old, new))
    if len(old_list) != len(new_list) or len(before.members) != len(after.members):
        return "their number changed"
    for number, (old_agent, new_agent) in enumerate(zip(old_list[1:], new_list[1:], strict=True)):
        touches = touched.get(number, frozenset())
        if _without(old_agent, touches) != _without(new_agent, touches):
            return f"something else in entry {number + 1} changed"
    return ""


def _without(value: PlainValue, keys: frozenset[str]) -> list[PlainValue]:
    """The entries of a map, except for some keys."""
    return [entry for entry in value[1:] if not (entry and entry[0] and entry[0][-1] in keys)]
