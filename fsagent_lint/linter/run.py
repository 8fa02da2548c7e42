"""A whole run: config, scan, rules, findings and baseline."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

from fsagent_lint._fast import NO_ENTRIES, NamedTuple, Record
from fsagent_lint.agent.copies import Copies
from fsagent_lint.agent.enrich import Enricher
from fsagent_lint.agent.python.detect import ROLE as PYTHON
from fsagent_lint.agent.python.detect import SUFFIX
from fsagent_lint.agent.subject import Goal
from fsagent_lint.errors import UserError
from fsagent_lint.files.border import project_of
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import CustomTools, get_harness, plain_id
from fsagent_lint.linter.checker import Checker, Observer, check_files
from fsagent_lint.linter.selection import choose_rules, known_codes, parse_codes, severities, switched_off
from fsagent_lint.model.finding import Safety, Severity
from fsagent_lint.model.result import Problem, Result
from fsagent_lint.project.config import Settings, check_codes
from fsagent_lint.project.counterparts import Counterparts
from fsagent_lint.project.enrichers import load_enrichers
from fsagent_lint.project.excludes import PerFileIgnores
from fsagent_lint.project.find import Scan, find, role_of
from fsagent_lint.project.guard import guard
from fsagent_lint.project.session import accepted, check_readable, load_harnesses, start_session
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.project.target import UNWATCHED, Target, Watch


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
    config: str | None = None
    isolated: bool = False
    verbose: bool = False
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    target: str | None = None
    enrichers: tuple[str, ...] = ()
    plugins: bool = False
    from_: str | None = None
    listed: tuple[str, ...] | None = None
    """The files that there are, relative to the current folder, in place of those that git or a walk finds."""
    tool_format: str | None = None


class Checked(NamedTuple):
    result: Result
    diff: str = ""
    output: bytes | None = None
    """The fixed text of standard input, if it was fixed."""


CopyFinder = Callable[[Settings, Sequence[Harness], Sequence[Enricher], frozenset[str]], Copies]
"""Finds the state of generated copies: given the settings, the harnesses, the enrichers and what is accepted."""


class Run(NamedTuple):
    """A check before its first file: what was asked for, and what is in force."""

    request: Request
    settings: Settings
    harnesses: Sequence[Harness]
    checker: Checker


def prepare(request: Request, enrichers: Iterable[Enricher] = (), find_copies: CopyFinder | None = None) -> Run:
    """Read the config, put its tables in force, and choose the rules; UserError for what cannot be done."""
    settings = start_run(request.config, isolated=request.isolated, plugins=request.plugins)
    harnesses = load_harnesses(request.harness, request.from_, request.target)
    request = _without_versions(request)
    check_readable(request.harness, request.from_, request.target or settings.target)
    copies = _copies(request, settings, harnesses, find_copies)
    return Run(request, settings, harnesses, _checker(request, settings, harnesses, enrichers, copies))


def find_files(run: Run) -> Scan:
    """The files to check."""
    scan = _scan(run.request, run.settings, run.harnesses)
    run.checker.subjects.add_found(scan.targets)
    return scan


def check(
    request: Request,
    watch: Watch = UNWATCHED,
    enrichers: Iterable[Enricher] = (),
    find_copies: CopyFinder | None = None,
    observe: Observer | None = None,
) -> Checked:
    """`enrichers`: functions that run after those of the config and those that the request names.

    `find_copies`: who knows the copies of [sync]; the linter does not convert files itself. `observe`: called with each
    checked file.
    """
    request, settings, harnesses, checker = prepare(request, enrichers, find_copies)
    checker.observe = observe
    if "-" in request.paths or (request.stdin_filename and not request.paths):
        checked = _check_stdin(request, settings, harnesses, checker)
    else:
        checked = _check_files(request, settings, harnesses, checker, watch)
    checked.result.fail_on = request.fail_on or settings.fail_on
    return checked


def _check_files(
    request: Request, settings: Settings, harnesses: Sequence[Harness], checker: Checker, watch: Watch
) -> Checked:
    scan = _scan(request, settings, harnesses)
    targets = _wanted(scan, request)
    checker.subjects.add_found(targets)
    result, diff = _run(request, watch.over(targets), checker)
    for twin in scan.twins if request.from_ is None else ():
        checker.check_twin(twin, result)
    result.errors[:0] = scan.errors
    result.changed_since = request.since or ("HEAD" if request.changed else "")
    _add_notes(result, scan, settings, request)
    if request.verbose:
        result.notes += checker.subjects.discoverer.notes
    return Checked(_apply_baseline(result, request, settings, targets), diff)


def _copies(
    request: Request, settings: Settings, harnesses: Sequence[Harness], find_copies: CopyFinder | None
) -> Copies | None:
    """None without [sync], or if the copies depend on code that must not be run."""
    if settings.sync is None or find_copies is None or (settings.enrichers and not request.plugins):
        return None
    enrichers = load_enrichers(settings, request.enrichers, plugins=request.plugins)
    return find_copies(settings, harnesses, enrichers, accepted(settings, unsafe=request.unsafe_fixes))


def find_targets(request: Request) -> tuple[list[Target], list[Problem]]:
    """The files that a check would read, and why others cannot be read."""
    settings = start_run(request.config, isolated=request.isolated, plugins=request.plugins)
    harnesses = load_harnesses(request.harness, request.from_)
    request = _without_versions(request)
    check_readable(request.harness, request.from_)
    scan = _scan(request, settings, harnesses)
    return _wanted(scan, request), scan.errors


def _without_versions(request: Request) -> Request:
    """The same request, once the versions that it names are in force."""
    ids = {name: plain_id(id) for name in ("harness", "from_", "target") if (id := getattr(request, name))}
    return request.replace(**ids) if ids else request


def _wanted(scan: Scan, request: Request) -> list[Target]:
    return [target for target in scan.targets if request.from_ in (None, target.harness)]


def _checker(
    request: Request,
    settings: Settings,
    harnesses: Sequence[Harness],
    enrichers: Iterable[Enricher],
    copies: Copies | None,
) -> Checker:
    subjects = Subjects(settings, _goal(request, settings, enrichers), copies)
    select = parse_codes(request.select) or settings.select
    return Checker(
        choose_rules(select, (*parse_codes(request.ignore), *switched_off(settings))),
        subjects=subjects,
        counterparts=Counterparts(settings, harnesses, subjects),
        per_file_ignores=PerFileIgnores(settings) if settings.per_file_ignores else None,
        use_ignores=not request.no_ignores,
        severities=severities(settings) if settings.severity else NO_ENTRIES,
    )


def _scan(request: Request, settings: Settings, harnesses: Sequence[Harness]) -> Scan:
    return find(
        request.paths,
        settings,
        harnesses,
        harness=request.from_ or request.harness,
        changed=request.changed,
        since=request.since,
        python=True,
        everywhere=True,
        listed=request.listed,
    )


def _run(request: Request, targets: Iterable[Target], checker: Checker) -> tuple[Result, str]:
    """The result, and the changes as a diff."""
    if not (request.fix or request.diff):
        return check_files(targets, checker), ""
    from fsagent_lint.linter.fix_run import fix_files

    return fix_files(targets, checker, _safety(request), write=not request.diff)


def _add_notes(result: Result, scan: Scan, settings: Settings, request: Request) -> None:
    if scan.unchecked:
        from fsagent_lint.report.summary import describe_unchecked

        result.unchecked = sum(scan.unchecked.values())
        result.notes.append(describe_unchecked(scan.unchecked))
    if request.verbose:
        result.notes += [f"{target.path}: {target.harness} {target.kind}" for target in scan.targets]
        result.notes += [f"{path}: not an agent file, skipped" for path in scan.skipped]
        result.notes.append(f"config: {settings.file or 'none'}")
        _add_traces(result)
    elif scan.skipped and not scan.targets:
        from fsagent_lint.report.summary import count

        result.notes.append(
            f"{count(len(scan.skipped), 'file')} not recognised as agents; set their harness with --harness"
        )


def _add_traces(result: Result) -> None:
    result.notes += [line for problem in result.errors for line in problem.traceback.splitlines()]


def _with_traces(checked: Checked, request: Request) -> Checked:
    if request.verbose:
        _add_traces(checked.result)
    return checked


def _safety(request: Request) -> Safety:
    return Safety.UNSAFE if request.unsafe_fixes else Safety.SAFE


def _goal(request: Request, settings: Settings, enrichers: Iterable[Enricher]) -> Goal:
    """The goal of the run; UserError for a form that the target cannot load."""
    id = request.target or settings.target or None
    target = get_harness(id) if id else None
    if target is None and request.enrichers:
        raise UserError("--enricher needs --target: it changes what is written for a harness.")
    forms = {"*": request.tool_format} if request.tool_format else settings.tool_format
    loaded = load_enrichers(settings, request.enrichers, plugins=request.plugins) if target is not None else ()
    goal = Goal(target, forms, accepted(settings, unsafe=request.unsafe_fixes), (*loaded, *enrichers))
    form = goal.form(target) if target is not None else "auto"
    if target is not None and form not in ("auto", "native"):
        taken = {each for kind in target.kinds.values() for key in kind.keys.values() for each in key.forms}
        if form not in taken:
            raise UserError(f"{target.title} cannot load tools as {form}; it accepts {', '.join(sorted(taken))}.")
    return goal


def start_run(config: str | None = None, *, isolated: bool = False, plugins: bool = False) -> Settings:
    """Load the settings; UserError if they name a rule that does not exist.

    `plugins`: also the custom tools of installed packages, whose code is run to ask for them.
    """
    settings = start_session(config, isolated=isolated, plugins=_custom_tools() if plugins else NO_ENTRIES)
    if settings.select or settings.ignore or settings.severity or settings.per_file_ignores:
        check_codes(settings, known_codes())
    return settings


def _custom_tools() -> CustomTools:
    from fsagent_lint.project.tool_registry import load_plugins, plugin_names

    return plugin_names(load_plugins())


def _check_stdin(request: Request, settings: Settings, harnesses: Sequence[Harness], checker: Checker) -> Checked:
    path = request.stdin_filename
    if path is None:
        raise UserError("Standard input needs a path: --stdin-filename PATH.")
    wanted = request.from_ or request.harness
    role = PYTHON if path.endswith(SUFFIX) else role_of(path, settings, harnesses)
    if role is None and wanted is None:
        raise UserError(f"{path}: the path does not determine the harness. Set it with --harness.")
    target = Target(path, *(role or (wanted or "", get_harness(wanted or "").main_kind)), False)
    data = sys.stdin.buffer.read()
    result = Result(files=1)
    if not (request.fix or request.diff):
        with guard(path, result.errors, "the reader"):
            checker.check_file(target, data, result)
        checker.check_project(result)
        return _with_traces(Checked(result), request)
    from fsagent_lint.linter import fix_run
    from fsagent_lint.linter.fixer import fix_file
    from fsagent_lint.report.diff import diff

    with guard(path, result.errors, "the reader"):
        fixed = fix_file(target, data, checker, _safety(request))
    if result.errors:
        return _with_traces(Checked(result, output=data if request.fix else None), request)
    fix_run.record(fixed, target, result)
    checker.remember(fixed.subject, target)
    checker.check_project(result)
    if fixed.data != data:
        result.changed.append(path)
        result.fixed = fixed.solved
    shown = diff(path, data, fixed.data) if request.diff else ""
    return Checked(result, shown, fixed.data if request.fix else None)


def _apply_baseline(result: Result, request: Request, settings: Settings, targets: Sequence[Target]) -> Result:
    # A baseline that is about to be written also records the findings of the old one.
    path = "" if request.write_baseline else request.baseline or settings.baseline
    if not path:
        return result
    from fsagent_lint.linter import baseline

    is_partial = bool(request.paths or request.changed or request.since or request.from_)
    checked = [target.path for target in targets] if is_partial else None
    root = project_of(settings.folder) if path != request.baseline else None
    left, stale = baseline.without_known(result, baseline.read(path, root), checked)
    if stale:
        left.notes.append(f"{stale} findings of the baseline no longer occur; write it again to remove them")
    return left
