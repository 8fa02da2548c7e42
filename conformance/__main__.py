"""python -m conformance: install harnesses, record what they do, and say what in our tables is no longer true."""

from __future__ import annotations

import sys

import click

from conformance import sandbox
from conformance.adapter import Adapter
from conformance.adapters import get_adapter
from conformance.compare import changes, in_both, rare
from conformance.compare import lines as change_lines
from conformance.conversions.compare import SORTS, disagreements
from conformance.conversions.compare import lines as disagreement_lines
from conformance.conversions.corpus import agent_files
from conformance.conversions.run import available
from conformance.conversions.run import run as run_conversions
from conformance.conversions.sample import sample
from conformance.errors import LabError
from conformance.facts import lines, wrong_facts
from conformance.hooks import EXPECTED, SETUPS, what_it_is_told
from conformance.install import install as install_harness
from conformance.install import installed, lab_home
from conformance.journal import Journal
from conformance.probe import TRUTH, probe_sets
from conformance.record import chosen, observe_sets, try_again
from conformance.record import record as record_probes
from conformance.recording import Recordings, recorded_before, recordings, version_of
from conformance.renewal import likely_to_change, was_section
from conformance.renewal import outdated as behind
from fsagent_lint.harnesses.versions import split_reference

HOME = click.option("--home", envvar="CONFORMANCE_HOME", help="Where harnesses are kept [.conformance].")
AGAIN = click.option("--again", is_flag=True, help="Try what this version was already seen to do, too.")
JOBS = click.option("-j", "--jobs", type=click.IntRange(1), help="How many probes to try at once.")
INSTALLED = click.option("--version", default="", help="An installed version [the newest].")
VERSION = click.option("--version", default="latest", show_default=True, help="The version for npm to install.")


@click.group(help=__doc__)
def cli() -> None: ...


@cli.command()
@click.argument("harness")
@VERSION
@HOME
def install(harness: str, version: str, home: str | None) -> None:
    """Install a harness with npm."""
    found = install_harness(get_adapter(harness), lab_home(home), version)
    click.echo(f"{harness} {found.version}")


@cli.command()
@click.argument("harness")
@click.argument("sets", nargs=-1)
@AGAIN
@JOBS
@INSTALLED
@HOME
def record(harness: str, sets: tuple[str, ...], again: bool, jobs: int | None, version: str, home: str | None) -> None:
    """Try every probe, or those of the sets named, and write tests/truth/<harness>/<version>/<set>.json."""
    adapter, place = get_adapter(harness), lab_home(home)
    wanted = chosen(harness, sets)
    sandbox.require()
    program = installed(adapter, place, version)
    path = place / "journal" / f"{harness}-{program.version}.jsonl"
    if again:
        path.unlink(missing_ok=True)
    try:
        for written in record_probes(adapter, program, wanted, Journal(path), jobs or adapter.jobs, click.echo):
            click.echo(f"wrote {written.relative_to(TRUTH)}")
    except KeyboardInterrupt:
        raise LabError("stopped; the same command goes on where it was") from None


@cli.command()
@click.argument("harness")
@click.option("--since", default="HEAD", show_default=True, help="The commit whose recordings to compare with.")
def diff(harness: str, since: str) -> None:
    """What the harness does now and did not do in the recordings of a commit."""
    get_adapter(harness)
    before, after = recorded_before(harness, since), recordings(harness)
    found = list(changes(before, after))
    for line in change_lines(found):
        click.echo(line)
    click.echo(f"{harness}: of {in_both(before, after)} probes, {len(found)} came out differently than at {since}")


@cli.command()
@click.argument("harness")
def facts(harness: str) -> None:
    """Which facts of its table the recordings contradict; ends with 1 where there are any.

    HARNESS may have a version: claude-code@2.1.197.
    """
    id, version = split_reference(harness)
    found = list(lines(wrong_facts(get_adapter(id), recordings(id, version))))
    click.echo("\n".join(found) if found else f"{harness}: every fact is as recorded")
    sys.exit(1 if found else 0)


@cli.command()
def outdated() -> None:
    """Which tables are about an older version than the registry has; ends with 1 where one can be renewed."""
    found = list(behind())
    for each in found:
        why = "" if each.is_there else ", though not yet its program for Linux"
        click.echo(f"{each.harness.id}: the table is about {each.harness.version}, and npm has {each.newest}{why}")
    if not found:
        click.echo("every table is about the newest version")
    sys.exit(1 if any(each.is_there for each in found) else 0)


@cli.command()
@click.argument("harness")
@VERSION
@click.option("--quick", is_flag=True, help="Only what a new version changes first, and write no recordings.")
@AGAIN
@JOBS
@HOME
@click.pass_context
def renew(
    context: click.Context, harness: str, version: str, quick: bool, again: bool, jobs: int | None, home: str | None
) -> None:
    """Install, record, say what changed, and print the `[[was]]` section and the facts to correct.

    What a new version changes first is tried first: the inventory, the names, and some shapes. A change that few probes
    show is tried a second time.
    """
    sandbox.require()
    adapter, place = get_adapter(harness), lab_home(home)
    before = recordings(harness)
    program = install_harness(adapter, place, version)
    path = place / "journal" / f"{harness}-{program.version}.jsonl"
    if again:
        path.unlink(missing_ok=True)
    journal, count = Journal(path), jobs or adapter.jobs
    sets = probe_sets(harness)
    _print_changes(adapter, before, observe_sets(adapter, program, likely_to_change(sets), journal, count, click.echo))
    if quick:
        return
    after = observe_sets(adapter, program, sets, journal, count, click.echo)
    doubtful = {each.id for each in rare(changes(before, after))}
    probes = [probe for own in sets.values() for probe in own if probe.id in doubtful]
    for probe in try_again(adapter, program, probes, journal, count):
        click.echo(f"{probe.id} came out differently when it was tried again")
    context.invoke(record, harness=harness, version=program.version, jobs=jobs, home=home)
    _print_changes(adapter, before, recordings(harness, program.version))
    context.invoke(facts, harness=harness)


def _print_changes(adapter: Adapter, before: Recordings, after: Recordings) -> None:
    found = list(changes(before, after))
    for line in change_lines(found):
        click.echo(line)
    click.echo(f"of {in_both(before, after)} probes, {len(found)} came out differently")
    if found and version_of(before) != version_of(after):
        click.echo("\n" + "\n".join(was_section(adapter, before, after, found)) + "\n")


@cli.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False))
@click.option("--sample", "size", type=click.IntRange(1), default=200, show_default=True, help="How many conversions.")
@click.option("--seed", default="1", show_default=True, help="Another one chooses other files.")
@click.option("--harness", "harnesses", multiple=True, help="Only between these [all that are installed].")
@JOBS
@HOME
def conversions(
    folder: str, size: int, seed: str, harnesses: tuple[str, ...], jobs: int | None, home: str | None
) -> None:
    """Convert agent files of the repositories in FOLDER, and run them before and after; ends with 1 on disagreements."""
    sandbox.require()
    place = lab_home(home)
    adapters = {id: each for id, each in available(place).items() if not harnesses or id in harnesses}
    cases, refused = sample(agent_files(folder), adapters, size, seed)
    try:
        seen = run_conversions(cases, adapters, place, jobs or 2, click.echo)
    except KeyboardInterrupt:
        raise LabError("stopped; the same command goes on where it was") from None
    done = [case for case in cases if all(trial.key in seen for trial in case.trials)]
    found = [each for case in done for each in disagreements(case, seen, adapters)]
    for line in disagreement_lines(found):
        click.echo(line)
    bad = {each.case.source.probe.id + each.case.pair[1] for each in found}
    click.echo(f"{len(done)} conversions run, {refused} refused, {len(cases) - len(done)} not observed")
    click.echo(f"{len(bad)} with disagreements: " + ", ".join(f"{sum(e.sort == s for e in found)} {s}" for s in SORTS))
    sys.exit(1 if found else 0)


@cli.command()
@click.argument("harnesses", nargs=-1)
@HOME
def hooks(harnesses: tuple[str, ...], home: str | None) -> None:
    """Have installed harnesses write a wrong agent, set up as docs/hooks.md says: are they told what is wrong with it?"""
    sandbox.require()
    for harness in harnesses or SETUPS:
        program = installed(get_adapter(harness), lab_home(home))
        if EXPECTED not in what_it_is_told(harness, program):
            raise LabError(f"{harness} {program.version}: the model is not told of {EXPECTED}")
        click.echo(f"{harness} {program.version}: the model is told of {EXPECTED}")


def main() -> None:
    try:
        cli(prog_name="python -m conformance")
    except LabError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
