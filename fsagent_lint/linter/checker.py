"""Judge files: read, parse, run the rules, silence what comments silence, and locate what is left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fsagent_lint.agent.profile import Profile, profile
from fsagent_lint.agent.subject import NO_GOAL, Goal, UnclearSubject
from fsagent_lint.files.paths import absolute
from fsagent_lint.files.read import UnreadableError, read_file
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.linter.dispatch import Dispatch
from fsagent_lint.linter.selection import matches
from fsagent_lint.linter.suppress import suppress
from fsagent_lint.model.finding import Finding
from fsagent_lint.model.result import Located, Problem, Result
from fsagent_lint.project.excludes import PerFileIgnores
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.project.target import Target
from fsagent_lint.rules import Rule, Subject, all_rules


class Checker:
    """The rules in force, applied to one file after another."""

    def __init__(
        self,
        rules: Sequence[Rule],
        *,
        survey: Subjects | None = None,
        per_file_ignores: PerFileIgnores | None = None,
        goal: Goal = NO_GOAL,
        use_ignores: bool = True,
    ) -> None:
        self.rules, self.dispatch = rules, Dispatch(rules)
        self.survey = survey or Subjects()
        self.per_file_ignores, self.use_ignores = per_file_ignores, use_ignores
        self.goal = goal
        self.project_rules = [rule for rule in rules if rule.is_for_projects()]
        self.profiles: list[Profile] = []
        self.known = frozenset(text for rule in all_rules() for text in (rule.code, rule.name))

    def subject(self, target: Target, data: bytes) -> Subject:
        if target.kind == "python":
            from fsagent_lint.agent.python.subject import read_module

            beside = self.survey.discoverer.beside(target.path)
            return read_module(target.path, data, self.survey.servers, self.survey.custom, self.goal, beside)
        if not target.harness:
            return UnclearSubject(Document(Source(target.path, data)))
        return self.survey.read(target.path, data, get_harness(target.harness), target.kind, self.goal)

    def check(self, subject: Subject) -> tuple[list[Finding], int]:
        """What the rules say about a file, in its order, and how many findings a comment silenced."""
        parts, ask = subject.parts, self.dispatch.rules_for
        findings = [finding for part in parts for rule in ask(part) for finding in rule.check(part)]
        if findings and (silent := self._silent_in(subject.document.source.path)):
            findings = [finding for finding in findings if finding.name not in silent]
        if len(parts) > 1:  # two agents may share a constant
            same = {(finding.code, finding.span, finding.message): finding for finding in reversed(findings)}
            findings = list(same.values())[::-1]
        silenced = 0
        if self.use_ignores:
            findings, silenced = suppress(subject.document, findings, self.known)
        return sorted(findings, key=lambda finding: (finding.span, finding.code)), silenced

    def judge(self, target: Target, data: bytes, result: Result) -> None:
        """Check one file and add what was found to the result."""
        subject = self.subject(target, data)
        findings, silenced = self.check(subject)
        result.suppressed += silenced
        result.findings += [locate(finding, target, subject.document.source) for finding in findings]
        self.remember(subject)
        if target.assumed:
            result.assumed[target.harness] = result.assumed.get(target.harness, 0) + 1

    def remember(self, subject: Subject) -> None:
        """Keep what the rules about whole projects need to know of a file."""
        if self.project_rules:
            self.profiles += [found for part in subject.parts if (found := profile(part)) is not None]

    def judge_project(self, result: Result) -> None:
        """What is to be said about all files together."""
        for rule in self.project_rules:
            for each, finding in rule.check_project(self.profiles):
                if rule.name not in self._silent_in(each.path):
                    place = (each.line, each.column, each.line, each.end_column, each.source_line)
                    result.findings.append(Located(each.path, each.harness, each.kind, *place, finding))

    def _silent_in(self, path: str) -> frozenset[str]:
        """The names of the rules that the config silences in a file."""
        codes = self.per_file_ignores.codes(absolute(path)) if self.per_file_ignores is not None else ()
        return frozenset(rule.name for rule in self.rules for code in codes if matches(rule, code))


def check_files(targets: Iterable[Target], checker: Checker) -> Result:
    """Check every target; one that cannot be read is an error, and the run goes on."""
    result = Result()
    for target in targets:
        try:
            data = read_file(target.path)
        except UnreadableError as error:
            result.errors.append(Problem(target.path, str(error)))
            continue
        result.files += 1
        checker.judge(target, data, result)
    checker.judge_project(result)
    return result


def locate(finding: Finding, target: Target, source: Source) -> Located:
    return Located(target.path, target.harness, target.kind, *source.place(finding.span), finding)
