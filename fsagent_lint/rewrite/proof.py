"""The proof before every write: nothing else changed, and the agent does not get more than was meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from fsagent_lint.agent.subject import Subject
from fsagent_lint.effect.effect import Effect, effect
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.lines import lead
from fsagent_lint.frontmatter.nodes import Scalar
from fsagent_lint.frontmatter.second_reader import Entries, comments_of, read_entries
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.model.finding import Fix, Safety
from fsagent_lint.model.policy import Action, Policy
from fsagent_lint.model.tool import NOTHING_MORE, Tool, accepts
from fsagent_lint.rewrite.render import scope_pattern


def wider(effect: Effect, harness: Harness, meant: Policy) -> tuple[str, ...]:
    """Native tools that the agent is given though nothing that they stand for was meant."""
    if not effect.loads:
        return ()
    if effect.open and meant.default is Action.DENY:
        return ("*",)
    beyond = []
    for native in (*effect.tools, *effect.ask):
        facts = harness.tools[native]
        tools = facts.granted
        if tools and facts.presence != "always" and all(meant.forbids(tool) for tool in tools):
            beyond.append(native)
    return tuple(beyond)


def judge_conversion(
    subject: Subject,
    data: bytes,
    target: Harness,
    meant: Policy,
    accept: frozenset[str] = NOTHING_MORE,
    kind_name: str = "",
) -> str:
    """Why a converted file must not be written: other words in the body, a file that does not load, more tools."""
    source = subject.document.source
    document = Document(Source(source.path, data))
    if document.source.data[document.source.body :] != source.data[source.body :]:
        return "the body would change"
    for kind in (kind_name, subject.kind_name, *target.kinds):
        if kind in target.kinds:
            result = effect(document, target, target.kinds[kind])
            break
    if not result.loads:
        return f"{target.title} would not load the result: {result.error}"
    beyond = [*wider(result, target, meant)]
    if target is not subject.harness:
        beyond += _unlimited(result, target, target.kinds[kind], meant)
    more = [native for native in dict.fromkeys(beyond) if not _accepted(native, target, accept)]
    return f"the agent would get {', '.join(more)}, which nobody meant it to have" if more else ""


def _unlimited(result: Effect, target: Harness, kind: Kind, meant: Policy) -> list[str]:
    """Tools that were meant for some uses only, in a harness that cannot tell uses apart."""
    if any(key.role == "permission" for key in kind.keys.values()):
        return []
    scoped = [name for key in kind.keys.values() for name in key.scoped if key.role == "allow"]
    kept = {native for name in scoped for native in (name, *target.natives(name))}
    honoured = any(key.role in ("allow", "approve") and key.scopes == "honoured" for key in kind.keys.values())
    given = () if honoured else (*result.tools, *result.ask)
    return [
        native
        for native in given
        if native not in kept and any(meant.scopes(Tool(name)) for name in target.tools[native].grants)
    ]


def _accepted(native: str, target: Harness, accept: frozenset[str]) -> bool:
    facts = target.tools.get(native)
    return "*" in accept or (facts is not None and all(accepts(accept, Tool(name)) for name in facts.grants))


def prove(subject: Subject, result: bytes, fixes: Sequence[Fix], wanted: Safety) -> str:
    """Why a result must not be written; empty if it may."""
    source = subject.document.source
    new = Document(Source(source.path, result))
    touches = frozenset[str]().union(*(fix.touches for fix in fixes))
    if problem := unchanged(source, new, touches):
        return problem
    if key := next((key for key in touches if _is_null(new, key) and not _is_null(subject.document, key)), ""):
        return f"`{key}` would be left without a value"
    if lost := lost_comment(subject, new.source, fixes):
        return f"the comment {lost!r} would be lost"
    if wanted is Safety.SAFE and (more := gained(subject, new)):
        return f"the agent would get {', '.join(more)}, which nobody meant it to have"
    return ""


def _is_null(document: Document, key: str) -> bool:
    entry = document.get(key)
    return entry is not None and isinstance(entry.value, Scalar) and entry.value.start == entry.value.end


def unchanged(before: Source, document: Document, touches: Collection[str]) -> str:
    """What changed that should not have, read by a second, independent, comment-aware reader; empty if nothing."""
    new = document.source
    if new.problem is not None:
        return f"the frontmatter is {new.problem} now"
    if before.data[before.body :] != new.data[new.body :]:
        return "the body changed"
    if before.problem is None and before.text[: before.yaml.start] != new.text[: new.yaml.start]:
        return "the opening line changed"
    if document.error is not None:
        return f"the frontmatter is not valid YAML: {document.error.problem}"
    return _compare(read_entries(before.yaml_text), read_entries(new.yaml_text), touches)


def _compare(before: Entries | None, after: Entries | None, touches: Collection[str]) -> str:
    if after is None:
        return "a second reader cannot read the result"
    if before is None:
        return ""  # it was broken before: that it can be read now is all there is to prove
    kept, still = ([pair for pair in each if pair[0] not in touches] for each in (before, after))
    if [key for key, _ in kept] != [key for key, _ in still]:
        return f"keys changed: {sorted({str(key) for key, _ in kept} ^ {str(key) for key, _ in still})}"
    return next(
        (f"the value of `{key}` changed" for (key, was), (_, now) in zip(kept, still, strict=True) if was != now), ""
    )


def lost_comment(subject: Subject, new: Source, fixes: Sequence[Fix]) -> str:
    """A comment that is gone, though it was not at the end of a line that an edit took out or rewrote."""
    source = subject.document.source
    if "#" not in source.yaml_text or subject.document.error is not None:
        return ""
    gone = Counter(comments_of(source.yaml_text)) - Counter(comments_of(new.yaml_text))
    edits = [edit for fix in fixes for edit in fix.edits]
    for comment in gone:
        if new.text.count(comment) < source.text.count(comment) and not _may_go(comment, source.text, edits):
            return comment
    return ""


def _may_go(comment: str, text: str, edits: Sequence[Edit]) -> bool:
    """It stood behind something that went, or inside a whole entry that was taken out."""
    for edit in edits:
        at = text.find(comment, edit.span.start, edit.span.end)
        if at >= 0 and (not edit.text or lead(text, at).strip(" \t")):
            return True
    return False


def gained(subject: Subject, document: Document) -> list[str]:
    """Tools that the agent has afterwards, had not before, and was not meant to have."""
    harness = subject.goal.target or subject.harness
    if subject.kind_name not in harness.kinds:
        return []
    there = subject.like(harness, document=document)
    before = subject.effect if harness is subject.harness and subject.effect.loads else None
    loose = loosened(there.intent.policy, subject.intent.policy)
    if before is not None and before.open:
        return loose
    had = {*before.tools, *before.ask} if before is not None else set()
    return [*(tool for tool in wider(there.effect, harness, subject.intent.policy) if tool not in had), *loose]


def loosened(after: Policy, meant: Policy) -> list[str]:
    """Tools whose use was limited and no longer is."""
    found = []
    for tool in meant.named():
        scopes, exceptions = _patterns(meant.scopes(tool)), _patterns(meant.exceptions(tool))
        if after.action(tool) is Action.DENY or not (scopes or exceptions):
            continue
        kept = _patterns(after.scopes(tool))
        if not (kept and kept <= scopes) if scopes else not (kept or exceptions <= _patterns(after.exceptions(tool))):
            found.append(f"{tool} without limit")
    return found


def _patterns(scopes: Sequence[str]) -> frozenset[str]:
    """One by one: `Agent(a, b)` names two."""
    return frozenset(scope_pattern(part.strip()) for scope in scopes for part in scope.split(","))
