"""`fsagent-lint --watch`: check again whenever files change, and print what is new."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from fsagent_lint.errors import UserError
from fsagent_lint.files.read import is_folder
from fsagent_lint.model.result import Located, Result
from fsagent_lint.report.fingerprint import Fingerprint, fingerprint
from fsagent_lint.report.summary import count

SUFFIXES = (".md", ".json", ".jsonc", ".toml", ".yaml", ".yml", ".py", ".js", ".ts", "modes", ".gitignore")
"""What agents, configs, MCP servers, tools and modes lie in."""


def watch(paths: Sequence[str], check: Callable[[], Result], show: Callable[[Result, bool], None]) -> int:
    """Check, and again after each change, until the user stops it.

    `show` prints a result, and whether it is the whole one or only what is new.
    """
    changes = _changes(paths)
    result = check()
    show(result, True)
    sys.stdout.flush()
    click.echo("Watching for changes. Stop with Ctrl-C.", err=True)
    for _ in changes:
        before, result = result, check()
        new, gone = _compared(before, result)
        if new or result.errors:
            show(_only(result, new), False)
            sys.stdout.flush()
        if new or gone:
            total = count(len(result.findings), "problem")
            click.echo(f"{len(new):,} new, {gone:,} gone; {total} in all.", err=True)
    return result.exit_code


def _changes(paths: Sequence[str]) -> Iterator[object]:
    try:
        from watchfiles import DefaultFilter, watch
    except ModuleNotFoundError:
        raise UserError("Watching is not installed: pip install 'fsagent-lint[watch]'.") from None

    ignored = DefaultFilter()
    folders = {path if is_folder(path) else str(Path(path).parent) for path in paths or (".",)}
    return watch(
        *sorted(folders),
        watch_filter=lambda change, path: path.endswith(SUFFIXES) and ignored(change, path),
        debounce=300,
    )


def _compared(before: Result, after: Result) -> tuple[list[Located], int]:
    """The findings that are new, wherever their lines have moved to, and how many are gone."""
    known, new = Counter(map(_identity, before.findings)), []
    for located in after.findings:
        identity = _identity(located)
        if known[identity]:
            known[identity] -= 1
        else:
            new.append(located)
    return new, known.total()


def _identity(located: Located) -> tuple[Fingerprint, str]:
    return fingerprint(located), located.finding.message


def _only(result: Result, findings: Sequence[Located]) -> Result:
    return Result(findings, result.errors, result.files, fail_on=result.fail_on)
