"""Fix one file in memory: apply, read again, prove, repeat until nothing is left to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from fsagent_lint.edits import apply
from fsagent_lint.effect import effect
from fsagent_lint.engine import Checker
from fsagent_lint.findings import Finding, Fix, Safety
from fsagent_lint.proof import comments, unchanged, wider
from fsagent_lint.subject import Subject
from fsagent_lint.target import Target

MAX_PASSES = 10


class Fixed(NamedTuple):
    data: bytes
    left: list[Finding]
    """What the rules say about the result."""
    subject: Subject
    """The result, as they see it."""
    silenced: int
    fixed: list[Finding]
    told: list[Finding]
    """What was lost on the way, and is to be reported though nothing of it is left."""
    errors: list[str]
    """Fixes that failed their proof."""


def fix(target: Target, data: bytes, checker: Checker, wanted: Safety) -> Fixed:
    """The file with every fix of at least the wanted safety that can be proven."""
    fixed: list[Finding] = []
    told: list[Finding] = []
    errors: list[str] = []
    banned: set[str] = set()
    subject = checker.subject(target, data)
    left, silenced = checker.check(subject)
    for _ in range(MAX_PASSES):
        # Where the YAML is broken, mending that comes first: nothing else could be proven.
        broken = subject.document.error is not None
        chosen = choose([each for each in left if not broken or each.code == "FA001"], wanted, banned)
        if not chosen:
            break
        result, lies = _apply_proven(subject, chosen, wanted)
        banned |= {finding.code for finding, _ in lies}
        errors += [f"the fix of {finding.name} was not applied: {why}" for finding, why in lies]
        if result is None:
            continue
        applied = [finding for finding in chosen if finding.code not in banned]
        fixed += applied
        told += [finding for finding in left if finding.code.startswith("FA6") and finding not in told]
        subject = checker.subject(target, result)
        left, silenced = checker.check(subject)
    else:
        errors.append(f"fixes did not settle after {MAX_PASSES} passes")
        subject = checker.subject(target, data)
        left, silenced = checker.check(subject)
        fixed, told = [], []
    return Fixed(subject.document.source.data, left, subject, silenced, fixed, told, errors)


def choose(findings: Sequence[Finding], wanted: Safety, banned: set[str]) -> list[Finding]:
    """Fixes that do not touch each other, the first in the file first; what is left out has its turn next time."""
    chosen: list[Finding] = []
    taken: list[tuple[int, int]] = []
    for finding in findings:
        fix = finding.fix
        if fix is None or fix.safety < wanted or finding.code in banned or not fix.edits:
            continue
        spans = [(edit.span.start, edit.span.end) for edit in fix.edits]
        if not any(start <= other_end and other <= end for start, end in spans for other, other_end in taken):
            chosen.append(finding)
            taken += spans
    return chosen


def _apply_proven(
    subject: Subject, chosen: list[Finding], wanted: Safety
) -> tuple[bytes | None, list[tuple[Finding, str]]]:
    """The result of all fixes that hold; those that do not are found by trying each alone."""
    result = _apply(subject, chosen)
    if not prove(subject, result, [finding.fix for finding in chosen if finding.fix], wanted):
        return result, []
    lies = []
    for finding in chosen:
        assert finding.fix is not None
        if why := prove(subject, _apply(subject, [finding]), [finding.fix], wanted):
            lies.append((finding, why))
    good = [finding for finding in chosen if finding not in [lie for lie, _ in lies]]
    if not good or not lies:
        return None, lies or [(finding, "it does not go together with another one") for finding in chosen[:1]]
    return _apply(subject, good), lies


def _apply(subject: Subject, chosen: Sequence[Finding]) -> bytes:
    source = subject.document.source
    return source.to_bytes(
        apply(source.text, [edit for finding in chosen if finding.fix for edit in finding.fix.edits])
    )


def prove(subject: Subject, result: bytes, fixes: Sequence[Fix], wanted: Safety) -> str:
    """Why a result must not be written; empty if it may."""
    source = subject.document.source
    touches = frozenset[str]().union(*(fix.touches for fix in fixes))
    if problem := unchanged(source, result, touches):
        return problem
    if lost := _lost_comments(subject, result, fixes):
        return f"the comment {lost!r} would be lost"
    if wanted is Safety.SAFE and (gained := _gained(subject, result)):
        return f"the agent would get {', '.join(gained)}, which nobody meant it to have"
    return ""


def _lost_comments(subject: Subject, result: bytes, fixes: Sequence[Fix]) -> str:
    """A comment that is gone though no edit covered it."""
    source = subject.document.source
    if "#" not in source.yaml_text or subject.document.error is not None:
        return ""
    after = type(source)(source.path, result)
    lost = Counter(comments(source.yaml_text)) - Counter(comments(after.yaml_text))
    covered = [source.text[edit.span.start : edit.span.end] for fix in fixes for edit in fix.edits]
    return next((comment for comment in lost if not any(comment in text for text in covered)), "")


def _gained(subject: Subject, result: bytes) -> list[str]:
    """Tools that the agent has afterwards, had not before, and was not meant to have."""
    harness = subject.goal.target or subject.harness
    kind = harness.kinds.get(subject.kind_name)
    if kind is None:
        return []
    document = type(subject.document)(type(subject.document.source)(subject.document.source.path, result))
    after = effect(document, harness, kind)
    before = subject.effect if harness is subject.harness else None
    had = {*before.tools, *before.ask} if before is not None and before.loads else set()
    if before is not None and before.loads and before.open:
        return []
    return [tool for tool in wider(after, harness, subject.intent.policy) if tool not in had]
