"""The suppression comment to write for a finding, where it suppresses that finding and changes nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.lines import line_end, line_start, newline, splits_newline
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.linter.checker import Checker
from fsagent_lint.model.finding import Finding
from fsagent_lint.project.target import Target


def ignore_comment(
    checker: Checker, target: Target, subject: Subject, finding: Finding, reason: str, *, whole_file: bool
) -> Edit | None:
    """The edit that adds the comment; None if there is no place for one."""
    before, _ = checker.check(subject)
    for edit in _candidates(subject, finding, reason, whole_file=whole_file):
        after = checker.subject(target, subject.document.apply([edit]))
        if [part.effect for part in after.parts] == [part.effect for part in subject.parts] and _drops_only(
            finding, before, checker.check(after)[0]
        ):
            return edit
    return None


def _candidates(subject: Subject, finding: Finding, reason: str, *, whole_file: bool) -> Iterator[Edit]:
    source = subject.document.source
    text, mark = source.text, "//" if subject.sort is Sort.DATA and subject.document.is_data else "#"
    if whole_file:
        start = source.yaml.start
        comment = f"{mark} fsagent: ignore-file[{finding.name}] {reason}{source.newline}"
        if start == 0 or text[start - 1] in "\r\n":
            yield Edit(Span(start, start), comment)
        return
    comment = f"{mark} fsagent: ignore[{finding.name}] {reason}"
    start = line_start(text, min(finding.span.start, len(text)))
    line = text[start : line_end(text, start)]
    if not splits_newline(text, start):
        indent = line[: len(line) - len(line.lstrip())]
        yield Edit(Span(start, start), f"{indent}{comment}{newline(text, start)}")
    end = line_end(text, start)
    yield Edit(Span(end, end), f" {comment}")


def _drops_only(finding: Finding, before: Sequence[Finding], after: Sequence[Finding]) -> bool:
    """Are findings of the same rule gone, this one among them, and is no other gone or new?"""
    old, new = _counted(before), _counted(after)
    gone = old - new
    is_known = (finding.code, finding.message) in old
    return not new - old and all(code == finding.code for code, _ in gone) and bool(gone) is is_known


def _counted(findings: Sequence[Finding]) -> Counter[tuple[str, str]]:
    return Counter((finding.code, finding.message) for finding in findings)
