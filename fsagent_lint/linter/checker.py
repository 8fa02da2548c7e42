"""Check files: read, parse, run the rules, apply suppression comments, and locate the remaining findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from fsagent_lint._fast import NO_ENTRIES
from fsagent_lint.agent.profile import Profile, Project, profile
from fsagent_lint.agent.subject import Sort
from fsagent_lint.errors import BugError, UserError
from fsagent_lint.files.paths import absolute, relative
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.linter.dispatch import Dispatch
from fsagent_lint.linter.selection import matches
from fsagent_lint.linter.suppress import Ignore, Judged, find_ignores, has_ignores, suppress
from fsagent_lint.linter.templates import without_placeholders
from fsagent_lint.model.finding import Consequence, Finding, Safety, Severity
from fsagent_lint.model.result import COMMENTS, CONFIG, Located, Result
from fsagent_lint.project.counterparts import Counterparts
from fsagent_lint.project.excludes import PerFileIgnores
from fsagent_lint.project.guard import guard
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.project.target import Target, read_target
from fsagent_lint.rules import Family, Rule, Subject, all_rules

Observer = Callable[[Target, Subject], object]
"""Called with each file once the rules have checked it, while its intent and effect are at hand."""


class Checker:
    """Runs the selected rules on one file after another."""

    def __init__(
        self,
        rules: Sequence[Rule],
        *,
        subjects: Subjects | None = None,
        counterparts: Counterparts | None = None,
        per_file_ignores: PerFileIgnores | None = None,
        use_ignores: bool = True,
        severities: Mapping[str, Severity] = NO_ENTRIES,
    ) -> None:
        self.rules, self.dispatch = rules, Dispatch(rules)
        self.subjects = subjects or Subjects()
        self.counterparts = counterparts
        self.per_file_ignores, self.use_ignores, self.severities = per_file_ignores, use_ignores, severities
        self.observe: Observer | None = None
        self.project_rules = [rule for rule in rules if rule.is_for_projects()]
        self.profiles: list[Profile] = []
        self._ignores: dict[str, list[Ignore]] = {}
        """The comments in files of the project that suppress findings, for the rules about all files together."""
        self._unused = next((rule for rule in rules if rule.family is Family.SUPPRESSION), None)
        self._known = frozenset(text for rule in all_rules() for text in (rule.code, rule.name))
        self._families = {rule.name: rule.family for rule in rules}

    def subject(self, target: Target, data: bytes) -> Subject:
        return self.subjects.of_target(target, data)

    def check(self, subject: Subject) -> tuple[list[Finding], Counter[str]]:
        """The findings about a file, in file order, and how many findings were suppressed, by what suppressed them."""
        parts = subject.parts
        findings = [finding for part in parts for finding in self._ask_rules(part)]
        if len(parts) > 1:  # two agents may share a constant
            unique = {(finding.code, finding.span, finding.message): finding for finding in reversed(findings)}
            findings = list(unique.values())[::-1]
        findings = without_placeholders(subject.document, findings)
        findings = [_notated(finding, subject) for finding in findings] if subject.sort is Sort.DATA else findings
        if subject.context.unsure:
            findings = [self._as_uncertain(finding) for finding in findings]
        suppressed = Counter[str]()
        ignored = self._ignored_in(subject.document.source.path)
        if ignored and findings:
            left = [finding for finding in findings if finding.name not in ignored]
            suppressed[CONFIG] += len(findings) - len(left)
            findings = left
        if any(finding.fix is not None and finding.fix.safety is Safety.SAFE for finding in findings):
            from fsagent_lint.rewrite.safety import mark_unsafe

            findings = mark_unsafe(subject, findings)
        if any(finding.fix is not None for finding in findings):
            findings = self._after_repair(subject, findings)
        if self.use_ignores and has_ignores(subject.document):
            findings, suppressed[COMMENTS] = suppress(subject.document, findings, self._judged(subject, ignored))
        if self.severities:
            findings = [self._as_configured(finding) for finding in findings]
        return sorted(findings, key=lambda finding: (finding.span, finding.code)), suppressed

    def _as_uncertain(self, finding: Finding) -> Finding:
        """What holds for one harness, as a note, where the file may well be another one's."""
        if finding.severity == "note" or self.is_of(finding, Family.FILE):
            return finding
        return finding._replace(consequence=Consequence.UNCERTAIN)

    def _judged(self, subject: Subject, ignored: frozenset[str]) -> Judged | None:
        """What can be said about unused comments in a file; None if they are not reported."""
        if self._unused is None or self._unused.name in ignored:
            return None
        ran = [rule for part in subject.parts for rule in self.dispatch.asked(part) if rule.name not in ignored]
        return Judged(self._unused, self._known, frozenset(text for rule in ran for text in (rule.code, rule.name)))

    def _after_repair(self, subject: Subject, findings: list[Finding]) -> list[Finding]:
        """The findings, none with a fix that is easier to get than the repair of the frontmatter that has to come first."""
        from fsagent_lint.frontmatter.ambiguity import needs_repair

        if not needs_repair(subject.document):
            return findings
        repairs = [finding.fix.safety for finding in findings if finding.fix and self.is_of(finding, Family.FILE)]
        return [
            finding
            if finding.fix is None or self.is_of(finding, Family.FILE)
            else finding._replace(
                fix=finding.fix._replace(safety=min(finding.fix.safety, *repairs)) if repairs else None
            )
            for finding in findings
        ]

    def _ask_rules(self, subject: Subject) -> list[Finding]:
        findings: list[Finding] = []
        where = "the reader"  # until a rule is asked
        try:
            for rule in self.dispatch.rules_for(subject):
                where = rule.name
                findings += rule.check(subject)
        except UserError:
            raise
        except Exception as error:
            raise BugError(where) from error
        return findings

    def check_file(self, target: Target, data: bytes, result: Result) -> None:
        """Check one file and add its findings to the result."""
        subject = self.subject(target, data)
        findings, suppressed = self.check(subject)
        result.suppressed += suppressed
        result.findings += [locate(finding, target, subject.document.source) for finding in findings]
        self.remember(subject, target)
        if self.observe is not None:
            self.observe(target, subject)
        if target.assumed:
            result.assumed[target.harness] = result.assumed.get(target.harness, 0) + 1

    def check_twin(self, target: Target, result: Result, data: bytes | None = None) -> None:
        """Add what another harness does wrong with a file that is checked for its own; no fix, which would be for one only.

        Fields that it ignores are what a shared file has to have. `data`: its text, if not what the disk has.
        """
        with guard(target.path, result.errors, "the reader"):
            subject = self.subject(target, read_target(target) if data is None else data)
            findings, suppressed = self.check(subject)
            shown = relative(target.file, absolute(".")) or target.file
            failures = [
                _told(f"As a link to {shown}: ", finding) for finding in findings if finding.severity == "error"
            ]
            result.suppressed += suppressed
            result.findings += [locate(finding, target, subject.document.source) for finding in failures]
            if self.observe is not None:
                self.observe(target, subject)

    def remember(self, subject: Subject, target: Target) -> None:
        """Keep what project-wide rules need to know about a file.

        Files that no harness looks for are not compared: two collections may have an agent of the same name.
        """
        self.profiles += self.profiles_of(subject, target)

    def profiles_of(self, subject: Subject, target: Target) -> list[Profile]:
        """What project-wide rules need to know about the agents of a file; its suppression comments are kept."""
        if not self.project_rules or target.assumed:
            return []
        home = self.counterparts.home(target, subject.document.source.data) if self.counterparts is not None else ""
        if self.use_ignores:
            self._keep_ignores(subject)
        return [found for part in subject.parts if (found := profile(part, home)) is not None]

    def _keep_ignores(self, subject: Subject) -> None:
        path = subject.document.source.path
        if has_ignores(subject.document):
            self._ignores[path] = list(find_ignores(subject.document))
        else:
            self._ignores.pop(path, None)

    def check_project(self, result: Result) -> None:
        """Add the findings about all files together."""
        self.check_profiles(tuple(self.profiles), result)

    def check_profiles(self, checked: tuple[Profile, ...], result: Result) -> None:
        """Add the findings about some agents together."""
        others = self.counterparts.read(checked) if self.counterparts is not None else ()
        for rule in self.project_rules:
            with guard("", result.errors, rule.name):
                for each, finding in rule.check_project(Project(checked, tuple(others))):
                    if rule.name in self._ignored_in(each.path):
                        result.suppressed[CONFIG] += 1
                    elif self._is_ignored(each, rule):
                        result.suppressed[COMMENTS] += 1
                    else:
                        place = (each.line, each.column, each.line, each.end_column, each.source_line)
                        finding = self._as_configured(finding)
                        result.findings.append(Located(each.path, each.harness, each.kind, *place, finding))

    def _is_ignored(self, profile: Profile, rule: Rule) -> bool:
        """Does a comment in the file suppress the findings of a rule there?"""
        return any(
            not {rule.code, rule.name}.isdisjoint(ignore.codes)
            and (ignore.lines is None or profile.line in ignore.lines)
            for ignore in self._ignores.get(profile.path, ())
        )

    def _as_configured(self, finding: Finding) -> Finding:
        return finding._replace(configured=self.severities.get(finding.name))

    def is_of(self, finding: Finding, family: Family) -> bool:
        """Does a finding belong to a family of rules?"""
        return self._families.get(finding.name) is family

    def _ignored_in(self, path: str) -> frozenset[str]:
        """The names of the rules that the config ignores for a file."""
        codes = self.per_file_ignores.codes(absolute(path)) if self.per_file_ignores is not None else ()
        return frozenset(rule.name for rule in self.rules for code in codes if matches(rule, code))


def check_files(targets: Iterable[Target], checker: Checker) -> Result:
    """Check every target."""
    result = Result()
    for target in targets:
        check_target(target, checker, result)
    checker.check_project(result)
    return result


def check_target(target: Target, checker: Checker, result: Result, data: bytes | None = None) -> None:
    """Check one file, and add its findings to the result; `data`: its text, if not what the disk has."""
    with guard(target.path, result.errors, "the reader"):
        data = read_target(target) if data is None else data
        result.files += 1
        checker.check_file(target, data, result)


def _told(before: str, finding: Finding) -> Finding:
    group = finding.group
    title = group._replace(title=before + group.title) if group is not None else None
    return finding._replace(message=before + finding.message, fix=None, group=title)


def _notated(finding: Finding, subject: Subject) -> Finding:
    """A finding with its fix in the notation of a data file, if the file can have it."""
    if finding.fix is None:
        return finding
    edits = subject.document.notate(finding.fix.edits)
    return finding._replace(fix=finding.fix._replace(edits=tuple(edits)) if edits else None)


def locate(finding: Finding, target: Target, source: Source) -> Located:
    return Located(target.path, target.harness, target.kind, *source.place(finding.span), finding)
