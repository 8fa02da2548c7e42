"""The proof before a module is written: it parses, and only the values that a fix declares changed."""

from __future__ import annotations

from ast import dump
from collections.abc import Sequence

from fsagent_lint.agent.python.source import parse_module
from fsagent_lint.agent.python.subject import ModuleSubject, read_module
from fsagent_lint.agent.subject import NO_GOAL, Subject
from fsagent_lint.agent.widening import gained
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.model.finding import Fix
from fsagent_lint.rewrite.proof import mixed_newlines


def prove_module(subject: Subject, result: bytes, fixes: Sequence[Fix]) -> str:
    """Why a result must not be written; empty if it may."""
    assert isinstance(subject, ModuleSubject)
    new = read_module(subject.source.path, result, subject.context._replace(neighbours=None, goal=NO_GOAL))
    if new.fault is not None:
        return f"the module could no longer be parsed: {new.fault.problem}"
    if new.source.encoding != subject.source.encoding:
        return "the encoding changed"
    if problem := mixed_newlines(subject.source.text, new.source.text):
        return problem
    if not any(fix.touches for fix in fixes):  # only comments
        same = dump(parse_module(subject.source)) == dump(parse_module(new.source))
        return "" if same else "more than a comment changed"
    before, after = _values(subject), _values(new)
    if [each[:2] for each in before] != [each[:2] for each in after]:
        return "calls or arguments were added or removed"
    touched = {number for number, each in enumerate(before) if _touches(each[2], fixes)}
    edits = [edit for fix in fixes for edit in fix.edits]
    inside = [before[number][2] for number in touched]
    if not all(any(span.start <= edit.span.start and edit.span.end <= span.end for span in inside) for edit in edits):
        return "something outside the tools of a call would change"
    if _rest(subject, [before[number][2] for number in touched]) != _rest(
        new, [after[number][2] for number in touched]
    ):
        return "something outside the tools of a call changed"
    for old, call in zip(subject.calls, new.calls, strict=True):
        if more := gained(old, call):
            return f"the agent would be granted {', '.join(more)}, which is more than intended"
    return ""


def _values(module: ModuleSubject) -> list[tuple[int, str, Span]]:
    """The tool arguments of each call, by the call's number."""
    found = []
    for number, call in enumerate(module.calls):
        for entry in call.document.entries:
            value = entry.value
            found.append((number, entry.name or "", value.span))
        found += [(number, key, node.span) for key, node in call.matchers]
    return found


def _touches(span: Span, fixes: Sequence[Fix]) -> bool:
    return any(span.start <= edit.span.start < span.end for fix in fixes for edit in fix.edits)


def _rest(module: ModuleSubject, spans: Sequence[Span]) -> list[str]:
    """The text without some values; a constant that several calls use is one value."""
    text, parts, at = module.source.text, [], 0
    for span in sorted(set(spans)):
        parts.append(text[at : span.start])
        at = span.end
    return [*parts, text[at:]]
