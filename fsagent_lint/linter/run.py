"""A whole run: config, scan, rules, findings, baseline."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from fsagent_lint._fast import NamedTuple, Record
from fsagent_lint.agent.python.detect import ROLE as PYTHON
from fsagent_lint.agent.python.detect import SUFFIX
from fsagent_lint.agent.subject import Goal
from fsagent_lint.errors import UserError
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import all_harnesses, get_harness, harness_ids, tables_in_force, use_tables
from fsagent_lint.linter.checker import Checker, run
from fsagent_lint.linter.selection import choose_rules, known_codes, parse_codes
from fsagent_lint.model.finding import Safety
from fsagent_lint.model.result import Result
from fsagent_lint.model.tool import EVERYTHING_MORE
from fsagent_lint.project.config import Settings, check_codes, find_config, load_settings
from fsagent_lint.project.excludes import PerFileIgnores
from fsagent_lint.project.subjects import Survey
from fsagent_lint.scan import Scan, Target, classify, find
from fsagent_lint.watch import UNWATCHED, Watch


class Request(Record):
    """What the command line asks for."""

    paths: tuple[str, ...] = ()
    harness: str | None = None
    changed: bool = False
    since: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
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
    from_: str | None = None
    tool_format: str | None = None


class Checked(NamedTuple):
    result: Result
    diff: str = ""
    output: bytes | None = None
    """What standard input becomes, if it was fixed."""


def check(request: Request, watch: Watch = UNWATCHED) -> Checked:
    settings = load(request)
    harnesses = load_harnesses(request.harness, request.from_, request.target)
    check_readable(request.harness, request.from_, request.target or settings.target)
    goal = _goal(request, settings)
    checker = Checker(
        choose_rules(parse_codes(request.select) or settings.select, (*parse_codes(request.ignore), *settings.ignore)),
        survey=Survey(settings),
        per_file_ignores=PerFileIgnores(settings) if settings.per_file_ignores else None,
        use_ignores=not request.no_ignores,
        goal=goal,
    )
    if "-" in request.paths or (request.stdin_filename and not request.paths):
        return _check_stdin(request, settings, harnesses, checker)
    scan = find(
        request.paths,
        settings,
        harnesses,
        harness=request.from_ or request.harness,
        changed=request.changed,
        since=request.since,
        python=True,
    )
    targets = scan.targets
    if request.from_ is not None:
        targets = [target for target in targets if target.harness == request.from_]
    diff = ""
    if request.fix or request.diff:
        from fsagent_lint.linter import fix_run

        result, diff = fix_run.run(watch.over(targets), checker, _safety(request), write=not request.diff)
    else:
        result = run(watch.over(targets), checker)
    result.errors[:0] = scan.errors
    _add_notes(result, scan, settings, request)
    if request.verbose:
        result.notes += checker.survey.discoverer.notes
    is_part = bool(request.paths or request.changed or request.since or request.from_)
    checked = [target.path for target in targets] if is_part else None
    # A baseline that is about to be written holds what the old one held, too.
    path = "" if request.write_baseline else request.baseline or settings.baseline
    return Checked(_apply_baseline(result, path, checked), diff)


def _add_notes(result: Result, scan: Scan, settings: Settings, request: Request) -> None:
    if request.verbose:
        result.notes += [f"{target.path}: {target.harness} {target.kind}" for target in scan.targets]
        result.notes += [f"{path}: not an agent file, skipped" for path in scan.skipped]
        result.notes.append(f"config: {settings.file or 'none'}")
    elif scan.skipped and not scan.targets:
        from fsagent_lint.report.summary import count

        result.notes.append(
            f"{count(len(scan.skipped), 'named file')} not taken for agents; --harness says whose they are"
        )


def _safety(request: Request) -> Safety:
    return Safety.UNSAFE if request.unsafe_fixes else Safety.SAFE


def _goal(request: Request, settings: Settings) -> Goal:
    """What the files are to become; a form that the target cannot load is refused right away."""
    id, form = request.target or settings.target or None, request.tool_format or settings.tool_format
    target = get_harness(id) if id else None
    if target is not None and form != "auto":
        forms = {each for kind in target.kinds.values() for key in kind.keys.values() for each in key.forms}
        if form not in forms:
            raise UserError(f"{target.title} cannot load tools as {form}; it takes {', '.join(sorted(forms))}.")
    return Goal(target, form, accepted(settings, unsafe=request.unsafe_fixes))


def accepted(settings: Settings, *, unsafe: bool) -> frozenset[str]:
    """What agents may get beyond what was meant: what the config names, or all of it."""
    return EVERYTHING_MORE if unsafe else frozenset(settings.accept_widening)


def load(request: Request) -> Settings:
    """The settings in force, and with them their tables; every rule that they name must exist."""
    if request.isolated and request.config:
        raise UserError("--isolated and --config exclude each other.")
    path = None if request.isolated else request.config or find_config(".")
    settings = load_settings(path)
    use_tables(settings.tables)
    if settings.select or settings.ignore or settings.per_file_ignores:
        check_codes(settings, known_codes())
    return settings


def load_harnesses(*wanted: str | None) -> tuple[Harness, ...]:
    """Every harness there is a table for; those that were asked for must be among them, or installed."""
    for id in wanted:
        if id is not None and id not in harness_ids():
            from fsagent_lint.project.own_tables import installed_harness

            found = installed_harness(id)
            if found is None:
                from fsagent_lint.suggest import hint

                raise UserError(f"There is no harness `{id}`. {hint(id, harness_ids())}")
            use_tables({**tables_in_force().own, id: found})
    return all_harnesses()


def check_readable(*ids: str | None) -> None:
    """UserError for a harness whose agents are written, and never read."""
    for id in ids:
        harness = get_harness(id) if id else None
        kind = harness.kinds.get("agent") if harness is not None else None
        if harness is not None and kind is not None and kind.file != "markdown":
            what = f"{harness.title} keeps its agents in {kind.file.upper()} files, which are written and not read"
            raise UserError(f"{what}; `fsagent-lint convert --to {id}` writes them.")


def _check_stdin(request: Request, settings: Settings, harnesses: Sequence[Harness], checker: Checker) -> Checked:
    path = request.stdin_filename
    if path is None:
        raise UserError("To judge standard input, say where it would lie: --stdin-filename PATH.")
    wanted = request.from_ or request.harness
    role = PYTHON if path.endswith(SUFFIX) else classify(path, settings, harnesses)
    if role is None and wanted is None:
        raise UserError(f"{path}: this place does not tell its harness; say --harness.")
    target = Target(path, *(role or (wanted or "", get_harness(wanted or "").main_kind)), False)
    data = sys.stdin.buffer.read()
    result = Result(files=1)
    if not (request.fix or request.diff):
        checker.judge(target, data, result)
        return Checked(result)
    from fsagent_lint.linter import fix_run
    from fsagent_lint.linter.fixer import fix
    from fsagent_lint.report.diff import diff

    fixed = fix(target, data, checker, _safety(request))
    fix_run.record(fixed, target, result)
    if fixed.data != data:
        result.changed.append(path)
        result.fixed = len(fixed.fixed)
    shown = diff(path, data, fixed.data) if request.diff else ""
    return Checked(result, shown, fixed.data if request.fix else None)


def _apply_baseline(result: Result, path: str, checked: list[str] | None) -> Result:
    if not path:
        return result
    from fsagent_lint.linter import baseline

    left, stale = baseline.apply(result, baseline.read(path), checked)
    if stale:
        left.notes.append(f"{stale} findings of the baseline are gone; write it anew to keep them out")
    return left
