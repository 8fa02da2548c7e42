"""`fsagent-lint sync`: keep the generated copies of a source folder current."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from fsagent_lint.cli.options import writing_options
from fsagent_lint.cli.terminal import painted

if TYPE_CHECKING:
    from fsagent_lint.converter.sync import SyncResult


@click.command("sync", short_help="Keep generated copies of a source folder current.")
@click.option("--check", "check_only", is_flag=True, help="Exit 1 if a copy is not current, without writing.")
@click.option("--prune", is_flag=True, help="Remove copies whose source no longer exists.")
@click.option("--force", is_flag=True, help="Overwrite copies edited by hand, and files that are not copies.")
@writing_options
@click.option("-q", "--quiet", is_flag=True, help="Print problems only.")
def command(**options: Any) -> int:
    """Update the copies that the `[sync]` section of the config defines.

    Exit status: 0 all copies are current; 1 a copy is not current (with --check); 2 the run failed.
    """
    from fsagent_lint.converter.sync_run import sync_files
    from fsagent_lint.linter.run import start_run
    from fsagent_lint.linter.selection import loss_filter
    from fsagent_lint.project.enrichers import load_enrichers
    from fsagent_lint.project.session import accepted, load_harnesses
    from fsagent_lint.report import describe_problem

    settings = start_run(options["config"], plugins=options["plugins"])
    check = options["check_only"]
    result = sync_files(
        settings,
        load_harnesses(),
        check=check,
        prune=options["prune"],
        force=options["force"],
        enrichers=load_enrichers(settings, options["enrichers"], plugins=options["plugins"]),
        accept=accepted(settings, unsafe=options["unsafe_fixes"]),
    )
    is_ignored = loss_filter(settings)
    result.losses = [each for each in result.losses if not is_ignored(each[1], each[2].code)]
    for line in _report(result, check=check, quiet=options["quiet"]):
        click.echo(line, color=True)  # it has colours only where they are wanted
    for problem in result.errors:
        click.echo(f"error: {describe_problem(problem)}", err=True)
    if result.errors:
        return 2
    return 1 if check and result.states else 0


def _report(result: SyncResult, *, check: bool, quiet: bool) -> Iterator[str]:
    from fsagent_lint.converter.sync import State
    from fsagent_lint.report.escape import MESSAGE, escape
    from fsagent_lint.report.summary import count

    if check:
        for path, state, difference in result.states:
            yield f"{escape(path)}: {state}"
            if difference:
                yield painted(difference, sys.stdout).rstrip("\n")
        if result.states:
            yield f"{count(len(result.states), 'file')} not current; `fsagent-lint sync` writes what is missing or old."
    if quiet:
        return
    yield from (f"wrote {escape(path)}" for path in result.written)
    yield from (f"removed {escape(path)}" for path in result.removed)
    told = (f"{source}: [{loss.code}] {loss.message}" for path, source, loss in result.losses if path in result.written)
    yield from (f"note: {escape(line, MESSAGE)}" for line in told)
    left = [path for path, state, _ in result.states if state is State.ORPHAN and path not in result.removed]
    if left and not check:
        yield f"note: {count(len(left), 'generated file')} without a source; --prune removes what is left over"
    if not result.states and not result.errors:
        yield "All copies are current."
