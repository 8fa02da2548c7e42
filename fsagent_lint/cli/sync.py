"""`fsagent-lint sync`: keep the generated copies of a source folder current."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from fsagent_lint.cli.options import writing_options
from fsagent_lint.cli.terminal import painted

if TYPE_CHECKING:
    from fsagent_lint.agent.copies import State
    from fsagent_lint.converter.sync import SyncResult


@click.command("sync", short_help="Keep generated copies of a source folder current.")
@click.option("--check", "check_only", is_flag=True, help="Exit 1 if a copy is not current, without writing.")
@click.option("--prune", is_flag=True, help="Remove copies whose source no longer exists.")
@click.option("--force", is_flag=True, help="Overwrite copies edited by hand, and files that are not copies.")
@click.option("--exit-code", is_flag=True, help="Exit 1 if a copy was written or removed, for hooks.")
@writing_options
@click.option("-q", "--quiet", is_flag=True, help="Print problems only.")
def command(**options: Any) -> int:
    """Update the copies that the `[sync]` section of the config defines.

    Exit status: 0 all copies are current; 1 a copy is not current (with --check) or was not (with --exit-code); 2 the
    run failed.
    """
    from fsagent_lint.api import sync
    from fsagent_lint.report import describe_problem

    check = options["check_only"]
    result = sync(
        check=check,
        prune=options["prune"],
        force=options["force"],
        unsafe=options["unsafe_fixes"],
        enrich=options["enrichers"],
        plugins=options["plugins"],
        config=options["config"],
    )
    if not result.is_configured:
        click.echo("No copies to check: the config has no [sync] section.", err=True)
        return 0
    for line in _report(result, check=check, quiet=options["quiet"]):
        click.echo(line, color=True)  # it has colours only where they are wanted
    for problem in result.errors:
        click.echo(f"error: {describe_problem(problem)}", err=True)
    if result.errors:
        return 2
    changed = options["exit_code"] and (result.written or result.removed)
    return 1 if (check and result.states) or changed else 0


def _report(result: SyncResult, *, check: bool, quiet: bool) -> Iterator[str]:
    from fsagent_lint.agent.copies import State
    from fsagent_lint.report.escape import MESSAGE, escape
    from fsagent_lint.report.summary import count

    if check:
        for path, state, difference in result.states:
            yield f"{escape(path)}: {state}"
            if difference:
                yield painted(difference, sys.stdout).rstrip("\n")
        if result.states:
            yield from _advice([state for _, state, _ in result.states])
    if quiet:
        return
    yield from (f"wrote {escape(path)}" for path in result.written)
    yield from (f"removed {escape(path)}" for path in result.removed)
    told = (f"{source}: [{loss.code}] {loss.message}" for path, source, loss in result.losses if path in result.written)
    yield from (f"note: {escape(line, MESSAGE)}" for line in told)
    left = [path for path, state, _ in result.states if state is State.ORPHAN and path not in result.removed]
    if left and not check:
        yield f"note: {count(len(left), 'generated file')} without a source; `{State.ORPHAN.remedy}` removes them"
    if not result.states and not result.errors:
        yield "All copies are current."


def _advice(states: Sequence[State]) -> Iterator[str]:
    """The commands that make the copies current, each with how many it is for."""
    from fsagent_lint.report.summary import count

    yield f"{count(len(states), 'file')} not current."
    for state in dict.fromkeys(states):
        yield f"  {states.count(state)} {state}: `{state.remedy}`{_CAUTION.get(state, '')}"


_CAUTION = {
    "edited by hand": ", which overwrites them; make the changes in their sources first",
    "not generated": ", which replaces them; `exclude` in [sync] leaves their sources out",
}
