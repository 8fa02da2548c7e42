"""Fix one file in memory: apply the fixes, read the result, prove it, and repeat until nothing is left to fix."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.errors import BugError
from fsagent_lint.frontmatter.ambiguity import needs_repair
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.linter.checker import Checker
from fsagent_lint.model.finding import Finding, Fix, Safety
from fsagent_lint.project.target import Target
from fsagent_lint.rewrite.proof import prove
from fsagent_lint.rewrite.safety import apply, overreach
from fsagent_lint.rules import Family

MAX_PASSES = 20


class EarlierFinding(NamedTuple):
    """A finding about an earlier version of the text."""

    finding: Finding
    source: Source


class Fixed(NamedTuple):
    data: bytes
    left: list[Finding]
    """The findings about the result."""
    subject: Subject
    """The result, as the rules see it."""
    suppressed: Counter[str]
    fixed: list[Finding]
    """Every finding whose fix was applied; some may only have appeared after other fixes."""
    solved: int
    """How many findings about the file as it was, with a fix of the wanted safety, are gone."""
    lost: list[EarlierFinding]
    """Findings about losses: they are reported although the result no longer shows them."""
    errors: list[str]
    """Fixes that failed their proof."""


def fix_file(target: Target, data: bytes, checker: Checker, wanted: Safety) -> Fixed:
    """The file with every provable fix of at least the wanted safety."""
    fixed: list[Finding] = []
    lost: dict[tuple[str, str], EarlierFinding] = {}
    errors: list[str] = []
    banned: set[str] = set()
    changed = False
    subject = checker.subject(target, data)
    left, suppressed = checker.check(subject)
    announced = _fixable(left, wanted)
    for _ in range(MAX_PASSES):
        broken = needs_repair(subject.document)
        chosen = choose_fixes([each for each in left if not broken or checker.is_of(each, Family.FILE)], wanted, banned)
        if not chosen and banned and changed:
            # A fix that failed its proof before others were applied may pass now, as it would in another run.
            banned, errors, changed = set(), [], False
            continue
        if not chosen:
            break
        result, applied, failures = _apply_proven(subject, chosen, wanted)
        banned |= {finding.code for finding, _ in failures}
        errors += [f"the fix of {finding.name} was not applied: {reason}" for finding, reason in failures]
        if result is None:
            continue
        fixed, changed = fixed + applied, True
        for finding in left:
            if checker.is_of(finding, Family.CONVERSION):
                earlier = EarlierFinding(finding._replace(fix=None), subject.document.source)
                lost.setdefault((finding.code, finding.message), earlier)
        subject = checker.subject(target, result)
        left, suppressed = checker.check(subject)
    else:
        errors.append(f"fixes did not settle after {MAX_PASSES} passes")
        subject = checker.subject(target, data)
        left, suppressed = checker.check(subject)
        fixed, lost = [], {}
    for finding in left:
        lost.pop((finding.code, finding.message), None)
    solved = (announced - _fixable(left, wanted)).total() if fixed else 0
    return Fixed(subject.document.source.data, left, subject, suppressed, fixed, solved, list(lost.values()), errors)


def fix_problem(subject: Subject, finding: Finding, checker: Checker) -> str:
    """Why the fix of one finding must not be written by itself; empty if it may."""
    fix = finding.fix
    if fix is None or not fix.edits:
        return "there is nothing to write"
    if needs_repair(subject.document) and not checker.is_of(finding, Family.FILE):
        return "the frontmatter has to be repaired first"
    _, _, failures = _apply_proven(subject, [finding], fix.safety)
    return failures[0][1] if failures else ""


def _fixable(findings: Sequence[Finding], wanted: Safety) -> Counter[tuple[str, str]]:
    fixable = (finding for finding in findings if finding.fix is not None and finding.fix.safety >= wanted)
    return Counter((finding.code, finding.message) for finding in fixable)


def choose_fixes(findings: Sequence[Finding], wanted: Safety, banned: set[str]) -> list[Finding]:
    """Fixes that do not overlap, in file order; those that are left out are applied in a later pass."""
    chosen: list[Finding] = []
    taken: list[Span] = []
    for finding in findings:
        fix = finding.fix
        if fix is None or fix.safety < wanted or finding.code in banned or not fix.edits:
            continue
        spans = [edit.span for edit in fix.edits]
        if not any(_overlaps(taken, span) for span in spans):
            chosen.append(finding)
            for span in spans:
                insort(taken, span)
    return chosen


def _overlaps(taken: Sequence[Span], span: Span) -> bool:
    """Does a span overlap, or insert at the same offset as, one of the taken spans?"""
    at = bisect_left(taken, span)
    before, after = taken[at - 1 : at], taken[at : at + 1]
    return any(other.end > span.start for other in before) or any(
        span.end > other.start or other == span for other in after
    )


def _apply_proven(
    subject: Subject, chosen: list[Finding], wanted: Safety
) -> tuple[bytes | None, list[Finding], list[tuple[Finding, str]]]:
    """The result of as many fixes as can be proven together, those fixes, and the fix that fails even on its own."""
    while True:
        fixes = [finding.fix for finding in chosen if finding.fix is not None]
        try:
            result = apply(subject, fixes)
            problem = _prove(subject, result, fixes, wanted)
        except Exception as error:
            raise BugError(f"the fix of {' and '.join(dict.fromkeys(each.name for each in chosen))}") from error
        if not problem:
            return result, chosen, []
        if len(chosen) == 1:
            return None, [], [(chosen[0], problem)]
        same_rule = [finding for finding in chosen if finding.code == chosen[0].code]
        chosen = same_rule if len(same_rule) < len(chosen) else chosen[: len(chosen) // 2]


def _prove(subject: Subject, result: bytes, fixes: Sequence[Fix], wanted: Safety) -> str:
    """Why a result must not be written; empty if it may."""
    problem = _changed(subject, result, fixes)
    return problem or (overreach(subject, result) if wanted is Safety.SAFE else "")


def _changed(subject: Subject, result: bytes, fixes: Sequence[Fix]) -> str:
    """What would change that should not; empty if nothing."""
    if subject.sort is Sort.MODULE:
        from fsagent_lint.rewrite.proof_python import prove_module

        return prove_module(subject, result, fixes)
    if subject.sort is Sort.DATA:
        from fsagent_lint.rewrite.proof_data import prove_data

        return prove_data(subject, result, fixes)
    return prove(subject, result, fixes)
