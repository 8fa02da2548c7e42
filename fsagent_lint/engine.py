"""Judge files: read, parse, run the rules, silence what comments silence, and locate what is left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fsagent_lint.document import Document
from fsagent_lint.files import UnreadableError, read
from fsagent_lint.findings import Finding
from fsagent_lint.harness import get_harness
from fsagent_lint.result import Located, Problem, Result
from fsagent_lint.rule import Rule, Subject, all_rules
from fsagent_lint.scan import Target
from fsagent_lint.source import Source
from fsagent_lint.suppress import suppress


class Checker:
    """The rules in force, applied to one file after another."""

    def __init__(
        self,
        rules: Sequence[Rule],
        *,
        servers: frozenset[str] = frozenset(),
        custom: frozenset[str] = frozenset(),
        use_ignores: bool = True,
    ) -> None:
        self.rules = rules
        self.servers, self.custom = servers, custom
        self.use_ignores = use_ignores
        self.known = frozenset(text for rule in all_rules() for text in (rule.code, rule.name))

    def subject(self, target: Target, data: bytes) -> Subject:
        document = Document(Source(target.path, data))
        return Subject(document, get_harness(target.harness), target.kind, self.servers, self.custom)

    def check(self, subject: Subject) -> tuple[list[Finding], int]:
        """What the rules say about a file, in its order, and how many findings a comment silenced."""
        findings = [finding for rule in self.rules for finding in rule.check(subject)]
        silenced = 0
        if self.use_ignores:
            findings, silenced = suppress(subject.document, findings, self.known)
        return sorted(findings, key=lambda finding: (finding.span, finding.code)), silenced


def run(targets: Iterable[Target], checker: Checker) -> Result:
    """Check every target; one that cannot be read is an error, and the run goes on."""
    result = Result()
    for target in targets:
        try:
            data = read(target.path)
        except UnreadableError as error:
            result.errors.append(Problem(target.path, str(error)))
            continue
        subject = checker.subject(target, data)
        findings, silenced = checker.check(subject)
        result.files += 1
        result.suppressed += silenced
        result.findings += [locate(finding, target, subject.document.source) for finding in findings]
        if target.assumed:
            result.assumed[target.harness] = result.assumed.get(target.harness, 0) + 1
    return result


def locate(finding: Finding, target: Target, source: Source) -> Located:
    line, column = source.position(finding.span.start)
    end_line, end_column = source.position(finding.span.end)
    return Located(
        target.path, target.harness, target.kind, line, column, end_line, end_column,
        source.line_at(finding.span.start), finding,
    )  # fmt: skip
