"""Which fixes are safe: a fix that does more than the author asked for is marked unsafe, whatever its rule says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsagent_lint.agent.readers import readers_of
from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.agent.unasked import unasked
from fsagent_lint.agent.widening import bounds_of, gained, in_words
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.edits import overlap
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.model.finding import Finding, Fix, Safety
from fsagent_lint.model.tool import ACCEPT_NONE
from fsagent_lint.rewrite.proof_place import place_problem

_MAX_ALONE = 50
"""How many fixes of one rule are tried one by one in a file; beyond that, all of them are unsafe."""


def mark_unsafe(subject: Subject, findings: list[Finding]) -> list[Finding]:
    """The findings; of those that have a safe fix, each that does more than the author asked for has an unsafe one."""
    if subject.goal.target not in (None, subject.harness):
        # The tools are written for another harness, and the proof compares both: a repair must not change one of them first.
        return [_demoted(finding) if _is_excessive_repair(subject, finding) else finding for finding in findings]
    safe: dict[str, list[Fix]] = {}
    for finding in findings:
        if finding.fix is not None and finding.fix.safety is Safety.SAFE:
            safe.setdefault(finding.code, []).append(finding.fix)
    groups = list(safe.values())
    if len(groups) > 1 and not _unsafe(subject, [fix for fixes in groups for fix in fixes], together=True):
        return findings
    unsafe = {id(fix) for fixes in groups for fix in _unsafe(subject, fixes)}
    return [_demoted(finding) if id(finding.fix) in unsafe else finding for finding in findings]


def _is_excessive_repair(subject: Subject, finding: Finding) -> bool:
    """Does a fix of something else than tools make the file's own harness grant more than the author asked for?"""
    fix = finding.fix
    if fix is None or fix.safety is not Safety.SAFE or subject.sort is not Sort.MARKDOWN:
        return False
    if not fix.touches.isdisjoint(subject.kind.keys):
        return False
    document = Document(Source(subject.document.source.path, apply(subject, [fix])))
    after = subject.like(subject.harness, document=document)
    return document.error is None and bool(gained(subject, after) or unasked(subject, after))


def _demoted(finding: Finding) -> Finding:
    assert finding.fix is not None
    return finding._replace(fix=finding.fix._replace(safety=Safety.UNSAFE))


def _unsafe(subject: Subject, fixes: Sequence[Fix], *, together: bool = False) -> Sequence[Fix]:
    """The fixes that do too much; usually, all of them together do not. `together`: they are not tried one by one."""
    edits = [edit for fix in fixes for edit in fix.edits]
    if not overlap(edits) and not overreach(subject, apply(subject, fixes)):
        return ()
    if together:
        return fixes
    return [fix for fix in fixes if overreach(subject, apply(subject, [fix]))] if len(fixes) <= _MAX_ALONE else fixes


def apply(subject: Subject, fixes: Sequence[Fix]) -> bytes:
    """The file after some fixes, which must not overlap."""
    return subject.document.apply([edit for fix in fixes for edit in fix.edits])


def overreach(subject: Subject, result: bytes) -> str:
    """What a new version of a file does that its author did not ask for; empty if nothing."""
    versions = list(_versions(subject, result))
    for before, after in versions:
        if after.document.error is not None or after.document.source.problem is not None:
            continue  # never written: the proof of every fix reports it
        if more := gained(before, after):
            return f"the agent would be granted {in_words(more)}, which is more than intended"
        if after.harness is before.harness and (more := unasked(before, after)):
            return f"the agent would {' and '.join(more)}, which the file does not ask for"
    if subject.sort is Sort.MARKDOWN and subject.goal.target in (None, subject.harness):
        others, ((_, after),) = readers_of(subject.document.source.path)[1:], versions
        return place_problem(after.document, others, bounds_of(subject), ACCEPT_NONE, before=subject.document)
    return ""


def _versions(subject: Subject, result: bytes) -> Iterator[tuple[Subject, Subject]]:
    """Every agent of a file, as it is and as it would be."""
    path = subject.document.source.path
    if subject.sort is Sort.MODULE:
        from fsagent_lint.agent.python.subject import read_module

        yield from zip(subject.parts, read_module(path, result, subject.context).parts, strict=False)
    elif subject.sort is Sort.DATA:
        from fsagent_lint.agent.data.subject import read_data

        new = read_data(path, result, subject.harness, subject.kind_name, subject.context)
        yield from zip(subject.parts, new.parts, strict=False)
    else:
        harness = subject.goal.target or subject.harness
        if subject.kind_name in harness.kinds:
            yield subject, subject.like(harness, document=Document(Source(path, result)))
