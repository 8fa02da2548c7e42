"""A whole run: config, scan, rules, findings and baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from fsagent_lint._fast import NO_ENTRIES, NamedTuple, Record
from fsagent_lint.agent.copies import Copies
from fsagent_lint.agent.subject import Goal
from fsagent_lint.errors import UserError
from fsagent_lint.files.border import project_of
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import get_harness, plain_id
from fsagent_lint.linter.checker import Checker, check_files
from fsagent_lint.linter.selection import choose_rules, known_codes, parse_codes, severities, switched_off
from fsagent_lint.model.choices import Config
from fsagent_lint.model.finding import Safety, Severity
from fsagent_lint.model.policy import Policy
from fsagent_lint.model.result import Result
from fsagent_lint.project.config import Settings, check_codes
from fsagent_lint.project.counterparts import Counterparts
from fsagent_lint.project.excludes import PerFileIgnores
from fsagent_lint.project.find import Scan, find
from fsagent_lint.project.session import accepted, check_readable, load_harnesses, start_session
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.project.target import UNWATCHED, Target, Watch

if TYPE_CHECKING:
    from fsagent_lint.report.fingerprint import Fingerprint


class Request(Record):
    """The options of a check, as on the command line."""

    paths: tuple[str, ...] = ()
    harness: str | None = None
    changed: bool = False
    since: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: Severity | None = None
    stdin_filename: str | None = None
    baseline: str | None = None
    write_baseline: str | None = None
    no_ignores: bool = False
    config: Config = None
    verbose: bool = False
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    target: str | None = None
    enrichers: tuple[Callable[..., Policy] | str, ...] = ()
    """Enrichers: functions, and names of installed ones."""
    plugins: bool = False
    from_: str | None = None
    listed: tuple[str, ...] | None = None
    """The files that there are, relative to the current folder, in place of those that git or a walk finds."""
    tool_format: str | None = None

    @property
    def safety(self) -> Safety:
        """The fixes to apply."""
        return Safety.UNSAFE if self.unsafe_fixes else Safety.SAFE


class Checked(NamedTuple):
    result: Result
    diff: str = ""
    output: bytes | None = None
    """The fixed text of standard input, if it was fixed."""


CopyFinder = Callable[[Settings, Sequence[Harness], Sequence[Callable[..., Policy]], frozenset[str]], Copies]
"""Finds the state of generated copies: given the settings, the harnesses, the enrichers and what is accepted."""


class Run(NamedTuple):
    """A check before its first file: what was asked for, and what is in force."""

    request: Request
    settings: Settings
    harnesses: Sequence[Harness]
    checker: Checker


def prepare(request: Request, find_copies: CopyFinder | None = None) -> Run:
    """Read the config, put its tables in force, and choose the rules; UserError for what cannot be done.

    `find_copies`: who knows the copies of [sync]; the linter does not convert files itself.
    """
    settings = start_run(request.config, plugins=request.plugins)
    harnesses = load_harnesses(request.harness, request.from_, request.target)
    request = _without_versions(request)
    check_readable(request.harness, request.from_, request.target or settings.target)
    copies = _copies(request, settings, harnesses, find_copies)
    return Run(request, settings, harnesses, _checker(request, settings, harnesses, copies))


def check(run: Run, watch: Watch = UNWATCHED) -> Checked:
    """Check, and fix if asked to, the files that the request names."""
    request, scan = run.request, find_files(run)
    result, diff = _check_or_fix(run, watch.over(scan.targets))
    for twin in scan.twins:
        run.checker.check_twin(twin, result)
    result.errors[:0] = scan.errors
    result.changed_since = request.since or ("HEAD" if request.changed else "")
    add_notes(result, scan, run)
    return Checked(finished(result, run, scan.targets), diff)


def find_files(run: Run, texts: Mapping[str, bytes] = NO_ENTRIES) -> Scan:
    """The files to check; `texts`: paths with the texts to check for them, instead of other files."""
    request = run.request
    scan = find(
        request.paths,
        run.settings,
        run.harnesses,
        texts=texts,
        harness=request.from_ or request.harness,
        changed=request.changed,
        since=request.since,
        python=True,
        everywhere=True,
        listed=request.listed,
    )
    if request.from_ is not None:
        scan = scan._replace(targets=[each for each in scan.targets if each.harness == request.from_], twins=())
    run.checker.subjects.add_found(scan.targets)
    return scan


def _copies(
    request: Request, settings: Settings, harnesses: Sequence[Harness], find_copies: CopyFinder | None
) -> Copies | None:
    """None without [sync], or if the copies depend on code that must not be run."""
    if settings.sync is None or find_copies is None or (settings.enrichers and not request.plugins):
        return None
    from fsagent_lint.project.enrichers import load_enrichers

    enrichers = load_enrichers(settings, request.enrichers, plugins=request.plugins)
    return find_copies(settings, harnesses, enrichers, accepted(settings, unsafe=request.unsafe_fixes))


def _without_versions(request: Request) -> Request:
    """The same request, once the versions that it names are in force."""
    ids = {name: plain_id(id) for name in ("harness", "from_", "target") if (id := getattr(request, name))}
    return request.replace(**ids) if ids else request


def _checker(
    request: Request,
    settings: Settings,
    harnesses: Sequence[Harness],
    copies: Copies | None,
) -> Checker:
    subjects = Subjects(settings, _goal(request, settings), copies)
    select = parse_codes(request.select) or settings.select
    return Checker(
        choose_rules(select, (*parse_codes(request.ignore), *switched_off(settings))),
        subjects=subjects,
        counterparts=Counterparts(settings, harnesses, subjects),
        per_file_ignores=PerFileIgnores(settings) if settings.per_file_ignores else None,
        use_ignores=not request.no_ignores,
        severities=severities(settings) if settings.severity else NO_ENTRIES,
    )


def _check_or_fix(run: Run, targets: Iterable[Target]) -> tuple[Result, str]:
    """The result, and the changes as a diff."""
    request = run.request
    if not (request.fix or request.diff):
        return check_files(targets, run.checker), ""
    from fsagent_lint.linter.fix_run import fix_files

    return fix_files(targets, run.checker, request.safety, write=not request.diff)


def add_notes(result: Result, scan: Scan, run: Run) -> None:
    """What the user should know about the run itself."""
    if scan.unchecked:
        from fsagent_lint.report.summary import describe_unchecked

        result.unchecked = sum(scan.unchecked.values())
        result.notes.append(describe_unchecked(scan.unchecked))
    if run.request.verbose:
        result.notes += [f"{target.path}: {target.harness} {target.kind}" for target in scan.targets]
        result.notes += [f"{path}: not an agent file, skipped" for path in scan.skipped]
        result.notes.append(f"config: {run.settings.file or 'none'}")
        result.notes += [line for problem in result.errors for line in problem.traceback.splitlines()]
        result.notes += run.checker.subjects.discoverer.notes
    elif scan.skipped and not scan.targets:
        from fsagent_lint.report.summary import count

        result.notes.append(
            f"{count(len(scan.skipped), 'file')} not recognised as agents; set their harness with --harness"
        )


def _goal(request: Request, settings: Settings) -> Goal:
    """The goal of the run; UserError for a form that the target cannot load."""
    id = request.target or settings.target or None
    target = get_harness(id) if id else None
    if target is None and request.enrichers:
        raise UserError(
            "--enricher needs --target (in Python, `enrich` needs `target`): it changes what is written for a harness."
        )
    forms = {"*": request.tool_format} if request.tool_format else settings.tool_format
    goal = Goal(target, forms, accepted(settings, unsafe=request.unsafe_fixes))
    if target is not None:
        from fsagent_lint.project.enrichers import load_enrichers

        goal = goal._replace(enrichers=tuple(load_enrichers(settings, request.enrichers, plugins=request.plugins)))
    form = goal.form(target) if target is not None else "auto"
    if target is not None and form not in ("auto", "native"):
        taken = {each for kind in target.kinds.values() for key in kind.keys.values() for each in key.forms}
        if form not in taken:
            raise UserError(f"{target.title} cannot load tools as {form}; it accepts {', '.join(sorted(taken))}.")
    return goal


def start_run(config: Config = None, *, plugins: bool = False) -> Settings:
    """What `start_session` does; UserError if the settings name a rule that does not exist."""
    settings = start_session(config, plugins=plugins)
    if settings.select or settings.ignore or settings.severity or settings.per_file_ignores:
        check_codes(settings, known_codes())
    return settings


def finished(result: Result, run: Run, targets: Sequence[Target]) -> Result:
    """Without what the baseline knows, and with the severity that fails the run."""
    request = run.request
    if known := read_baseline(run):
        from fsagent_lint.linter import baseline

        is_partial = bool(request.paths or request.changed or request.since or request.from_ or request.stdin_filename)
        checked = [target.path for target in targets] if is_partial else None
        result, stale = baseline.without_known(result, known, checked)
        if stale:
            result.notes.append(f"{stale} findings of the baseline no longer occur; write it again to remove them")
    result.fail_on = request.fail_on or run.settings.fail_on
    return result


def read_baseline(run: Run) -> Counter[Fingerprint]:
    """The known findings."""
    request, settings = run.request, run.settings
    # A baseline that is about to be written also records the findings of the old one.
    path = "" if request.write_baseline else request.baseline or settings.baseline
    if not path:
        return Counter()
    from fsagent_lint.linter import baseline

    root = project_of(settings.folder) if path != request.baseline else None
    return baseline.read(path, root)
