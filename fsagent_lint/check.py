"""A whole run: config, scan, rules, findings, baseline."""

from __future__ import annotations

import dataclasses
import sys

from fsagent_lint.config import Settings, check_codes, find_config, load_settings
from fsagent_lint.engine import Checker, run
from fsagent_lint.errors import UserError
from fsagent_lint.harness import Harness, get_harness, harness_ids
from fsagent_lint.result import Result
from fsagent_lint.scan import Target, classify, find
from fsagent_lint.scope import PerFileIgnores
from fsagent_lint.selection import choose_rules, known_codes, parse_codes


@dataclasses.dataclass(frozen=True)
class Request:
    """What the command line asks for."""

    paths: tuple[str, ...] = ()
    harness: str | None = None
    changed: bool = False
    since: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    stdin_filename: str | None = None
    baseline: str | None = None
    no_ignores: bool = False
    config: str | None = None
    isolated: bool = False
    verbose: bool = False


def check(request: Request) -> Result:
    settings = load(request)
    harnesses = load_harnesses(request.harness)
    checker = Checker(
        choose_rules(parse_codes(request.select) or settings.select, (*parse_codes(request.ignore), *settings.ignore)),
        servers=frozenset(settings.mcp_servers),
        custom=frozenset(settings.custom_tools),
        per_file_ignores=PerFileIgnores(settings) if settings.per_file_ignores else None,
        use_ignores=not request.no_ignores,
    )
    if "-" in request.paths or (request.stdin_filename and not request.paths):
        return _check_stdin(request, settings, harnesses, checker)
    scan = find(
        request.paths, settings, harnesses, harness=request.harness, changed=request.changed, since=request.since
    )
    result = run(scan.targets, checker)
    result.errors[:0] = scan.errors
    if request.verbose:
        result.notes += [f"{path}: not an agent file, skipped" for path in scan.skipped]
        result.notes.append(f"config: {settings.file or 'none'}")
    elif scan.skipped and not scan.targets:
        result.notes.append(f"{len(scan.skipped)} named files are no agent files; --harness says what they are")
    return _apply_baseline(result, request.baseline or settings.baseline)


def load(request: Request) -> Settings:
    """The settings in force; every rule that they name must exist."""
    if request.isolated and request.config:
        raise UserError("--isolated and --config exclude each other.")
    path = None if request.isolated else request.config or find_config(".")
    settings = load_settings(path)
    if settings.select or settings.ignore or settings.per_file_ignores:
        check_codes(settings, known_codes())
    return settings


def load_harnesses(wanted: str | None = None) -> list[Harness]:
    """Every harness there is a table for, the one that was asked for first."""
    ids = harness_ids()
    if wanted is not None and wanted not in ids:
        raise UserError(f"There is no harness `{wanted}`; there are {', '.join(ids)}.")
    return [get_harness(id) for id in ids]


def _check_stdin(request: Request, settings: Settings, harnesses: list[Harness], checker: Checker) -> Result:
    path = request.stdin_filename
    if path is None:
        raise UserError("To judge standard input, say where it would lie: --stdin-filename PATH.")
    role = classify(path, settings, harnesses)
    if role is None and request.harness is None:
        raise UserError(f"{path}: this place belongs to no harness; say --harness.")
    harness, kind = role or (request.harness or "", "agent")
    result = Result(files=1)
    checker.judge(Target(path, harness, kind, False), sys.stdin.buffer.read(), result)
    return result


def _apply_baseline(result: Result, path: str) -> Result:
    if not path:
        return result
    from fsagent_lint import baseline

    left, stale = baseline.apply(result, baseline.read(path))
    if stale:
        left.notes.append(f"{stale} findings of the baseline are gone; write it anew to keep them out")
    return left
