"""The proof before every write: nothing else changed, and the agent is not granted more than intended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from fsagent_lint.agent.readers import Reader, has_tools
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.widening import accepted, bounds_of, in_words, loosened, newly_approved, unlimited, wider
from fsagent_lint.effect.effect import Effect, effect
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.lines import foreign_newline, line_prefix
from fsagent_lint.frontmatter.nodes import Scalar
from fsagent_lint.frontmatter.second_reader import Entries, comments_of, read_entries
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.model.finding import Fix
from fsagent_lint.model.policy import Action, Policy
from fsagent_lint.model.tool import ACCEPT_NONE, Tool, accepts
from fsagent_lint.rewrite.proof_place import place_problem


def prove_conversion(
    subject: Subject,
    data: bytes,
    target: Harness,
    kind_name: str,
    intended: Policy,
    accept: frozenset[str] = ACCEPT_NONE,
    *,
    prompt: bytes,
    readers: Sequence[Reader] = (),
    plain: bytes = b"",
) -> str:
    """Why a converted file must not be written: its prompt is not `prompt`, it does not load, or it grants more tools.

    `readers`: the harnesses that will read it. `plain`: the file before fields were set for the target alone.
    """
    document = Document(Source(subject.document.source.path, data))
    if document.source.prompt != prompt:
        return "the body would change"
    if problem := _unreadable(document) or mixed_newlines(subject.document.source.text, document.source.text):
        return problem
    kind = target.kinds[kind_name]
    result = effect(document, target, kind)
    if not result.loads:
        return f"{target.title} would not load the result: {result.error}"
    bounds = bounds_of(subject, intended)
    beyond = [*wider(result, target, bounds)]
    if target is not subject.harness:
        beyond += unlimited(intended, target, kind, (*result.tools, *result.ask))
    more = [native for native in dict.fromkeys(beyond) if not accepted(native, target, bounds, accept)]
    after = subject.like(target, kind_name, document)
    limits = loosened(after.intent.policy, intended)
    more += [f"{tool} without a limit" for tool in limits if not accepts(accept, tool)]
    if more:
        return f"the agent would be granted {in_words(more)}, which is more than intended"
    approved = [str(tool) for tool in newly_approved(subject, after) if not accepts(accept, tool)]
    if approved:
        return f"{', '.join(approved)} would run without asking, which the source does not approve"
    if plain and not accepts(accept, Tool.Shell):
        before = effect(Document(Source(subject.document.source.path, plain)), target, kind)
        if started := _started(before, result, kind):
            return f"`{started}` would take effect, but not in the source"
    others = [reader for reader in readers if reader.harness is not target]
    return place_problem(document, others, bounds, accept, had_tools=has_tools(result, target))


_STARTS = ("hooks", "mcp-servers", "permission-mode")
"""Meanings of fields that start something, or let tools run without asking."""
_HARMLESS_MODES = ("default", "plan")


def _started(before: Effect, after: Effect, kind: Kind) -> str:
    """A field that starts something in one version of a file, and not in the other; empty if there is none."""
    return next((name for name in starting(after, kind) if after.data[name] != before.data.get(name)), "")


def starting(effect: Effect, kind: Kind) -> Iterator[str]:
    """The fields of a file that start something, or let tools run without asking."""
    for name, field in kind.fields.items():
        value = effect.data.get(name)
        if not value:
            continue
        if (
            (field.meaning in _STARTS and value not in _HARMLESS_MODES)
            or "*" in field.trusts
            or not set(field.trusts).isdisjoint(_texts(value))
        ):
            yield name


def _texts(value: Value) -> Iterator[str]:
    """Every text in a value; keys are none."""
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(part)


def _unreadable(document: Document) -> str:
    """Why not every reader would find the same keys and values in a converted file; empty if all would."""
    if document.source.problem == "missing":
        return ""
    if document.source.problem is not None:
        return f"the frontmatter would be {document.source.problem}"
    if document.error is not None:
        return f"the frontmatter would not be valid YAML: {document.error.problem}"
    if (again := next(document.duplicates(), None)) is not None:
        return f"`{again.name}` would occur twice"
    return "" if read_entries(document.source.yaml_text) is not None else "a second reader cannot read the result"


def is_emptied(before: Subject, after: Subject, intended: Policy) -> bool:
    """Did the agent have tools, was it meant to have some, and is none of them left?"""
    named = any(intended.action(tool) is not Action.DENY for tool in intended.named())
    kept = any(entry.action is not Action.DENY for entry in after.items)  # also those of servers
    return (
        named and not kept and has_tools(before.effect, before.harness) and not has_tools(after.effect, after.harness)
    )


def prove(subject: Subject, result: bytes, fixes: Sequence[Fix]) -> str:
    """Why a result must not be written, whatever it grants; empty if it may."""
    source = subject.document.source
    new = Document(Source(source.path, result))
    touches = frozenset[str]().union(*(fix.touches for fix in fixes))
    if problem := unchanged(source, new, touches):
        return problem
    if key := next((key for key in touches if _is_null(new, key) and not _is_null(subject.document, key)), ""):
        return f"`{key}` would be left without a value"
    if lost := lost_comment(subject, new.source, fixes):
        return f"the comment {lost!r} would be lost"
    return ""


def _is_null(document: Document, key: str) -> bool:
    entry = document.get(key)
    return entry is not None and isinstance(entry.value, Scalar) and entry.value.start == entry.value.end


def unchanged(before: Source, document: Document, touches: Collection[str]) -> str:
    """What changed that should not have, by a second, independent, comment-aware parser; empty if nothing."""
    new = document.source
    if new.problem is not None:
        return f"the frontmatter is {new.problem} now"
    if before.data[before.body :] != new.data[new.body :]:
        return "the body changed"
    if before.problem is None and before.text[: before.yaml.start] != new.text[: new.yaml.start]:
        return "the opening line changed"
    if problem := mixed_newlines(before.text, new.text):
        return problem
    if document.error is not None:
        return f"the frontmatter is not valid YAML: {document.error.problem}"
    return _compare(read_entries(before.yaml_text), read_entries(new.yaml_text), touches)


def mixed_newlines(before: str, after: str) -> str:
    """Why the line breaks of a result must not be written; empty if they may."""
    foreign = foreign_newline(before, after)
    return f"a line would end in {_NEWLINES[foreign]}, as none does now" if foreign else ""


_NEWLINES = {"\n": "LF", "\r": "CR", "\r\n": "CRLF"}


def _compare(before: Entries | None, after: Entries | None, touches: Collection[str]) -> str:
    if after is None:
        return "a second reader cannot read the result"
    if before is None:
        return ""  # it was broken before: there is nothing to prove except that it can be read now
    kept_before, kept_after = ([pair for pair in each if pair[0] not in touches] for each in (before, after))
    if [key for key, _ in kept_before] != [key for key, _ in kept_after]:
        return f"keys changed: {sorted({str(key) for key, _ in kept_before} ^ {str(key) for key, _ in kept_after})}"
    return next(
        (
            f"the value of `{key}` changed"
            for (key, old), (_, new) in zip(kept_before, kept_after, strict=True)
            if old != new
        ),
        "",
    )


def lost_comment(subject: Subject, new: Source, fixes: Sequence[Fix]) -> str:
    """A comment that is lost, although no edit removed or rewrote the line that it was at the end of."""
    source = subject.document.source
    if "#" not in source.yaml_text or subject.document.error is not None:
        return ""
    before, after = comments_of(source.yaml_text), comments_of(new.yaml_text)
    edits = [edit for fix in fixes for edit in fix.edits]
    for comment in Counter(before) - Counter(after):
        words = comment.lstrip("# ")  # a comment may have got a name before its words
        kept = "\n".join(after).count(words) >= "\n".join(before).count(words)
        if (
            not kept
            and new.text.count(comment) < source.text.count(comment)
            and not _may_go(comment, source.text, edits)
        ):
            return comment
    return ""


def _may_go(comment: str, text: str, edits: Sequence[Edit]) -> bool:
    """Did it follow something that was removed, stand inside a whole entry that was removed, or is it changed itself?"""
    for edit in edits:
        around = text.rfind(comment, 0, edit.span.start + len(comment))
        if 0 <= around <= edit.span.start and edit.span.end <= around + len(comment):
            return True
        at = text.find(comment, edit.span.start, edit.span.end)
        if at >= 0 and (not edit.text or line_prefix(text, at).strip(" \t")):
            return True
    return False
