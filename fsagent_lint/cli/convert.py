"""`fsagent-lint convert`: write whole files for another harness, where it looks for them."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import click

from fsagent_lint.cli.options import HARNESSES, TOOL_FORMATS, writing_options
from fsagent_lint.cli.terminal import painted
from fsagent_lint.errors import UserError


@click.command("convert", short_help="Write agents for another harness, as new files.")
@click.argument("paths", nargs=-1, type=click.Path())
@click.option(
    "--to",
    required=True,
    multiple=True,
    metavar="HARNESS",
    shell_complete=HARNESSES,
    help="The harness to write for; repeatable.",
)
@click.option(
    "--from",
    "from_",
    metavar="HARNESS",
    shell_complete=HARNESSES,
    help="Only files of this harness; also whose files in unknown places are.",
)
@click.option(
    "--out", metavar="DIR", default=".", show_default=True, help="The folder to write into; created if missing."
)
@click.option(
    "--tool-format",
    type=TOOL_FORMATS,
    default="auto",
    help="How to write tools; auto: as the harness likes them best.",
)
@click.option("--with-mcp", is_flag=True, help="Also define the MCP servers that the agents name, where HARNESS looks.")
@click.option("--force", is_flag=True, help="Overwrite files that are there.")
@click.option("--diff", is_flag=True, help="Show what would be written, and write nothing.")
@writing_options
@click.option("--isolated", is_flag=True, help="Use no config file at all.")
@click.option("-q", "--quiet", is_flag=True, help="Print losses and errors only.")
def command(**options: Any) -> int:
    """Convert the files below PATHS, or in the current project: tools, fields, name and place. The prompt is copied.
    A skill is converted with its folder: scripts, references and assets are copied.

    What the other harness cannot say is reported. Exit status: 0 all is said, 1 something was lost, 2 something failed.
    """
    from fsagent_lint.converter.job import Job
    from fsagent_lint.converter.run import convert_files
    from fsagent_lint.harnesses.tables import get_harness, plain_id
    from fsagent_lint.linter.run import start_run
    from fsagent_lint.linter.selection import loss_filter
    from fsagent_lint.project.enrichers import load_enrichers
    from fsagent_lint.project.find import find
    from fsagent_lint.project.session import accepted, check_readable, load_harnesses
    from fsagent_lint.project.subjects import Subjects
    from fsagent_lint.project.target import split_unclear

    settings = start_run(options["config"], isolated=options["isolated"], plugins=options["plugins"])
    harnesses = load_harnesses(*options["to"], options["from_"])
    to = list(dict.fromkeys(map(plain_id, options["to"])))
    options["from_"] = plain_id(options["from_"]) if options["from_"] else None
    check_readable(options["from_"])
    scan = find(options["paths"], settings, harnesses, harness=options["from_"])
    known, unclear = split_unclear(scan.targets)
    scan.errors.extend(unclear)
    targets = [each for each in known if options["from_"] in (None, each.harness) and {*to} - {each.harness}]
    if not targets and not scan.errors:
        raise UserError("There is nothing to convert: no agent files of another harness were found.")
    out = options["out"]
    _check_folder(out)
    common = Job(
        get_harness(to[0]),
        out,
        form=options["tool_format"],
        accept=accepted(settings, unsafe=options["unsafe_fixes"]),
        force=options["force"],
        write=not options["diff"],
        with_mcp=options["with_mcp"],
        enrichers=load_enrichers(settings, options["enrichers"], plugins=options["plugins"]),
        subjects=Subjects(settings),
    )
    outcome = convert_files(targets, [dataclasses.replace(common, target=get_harness(id)) for id in to])
    outcome.errors[:0] = scan.errors
    is_ignored = loss_filter(settings)
    outcome.losses = [(path, loss) for path, loss in outcome.losses if not is_ignored(path, loss.code)]
    if options["diff"]:
        sys.stdout.write(painted("".join(outcome.diffs), sys.stdout))
    click.echo(outcome.render(quiet=options["quiet"], diff=options["diff"]), nl=False)
    return outcome.exit_code


def _check_folder(out: str) -> None:
    """UserError for what is not a folder, or lies behind a link in the project that leads out of it."""
    from fsagent_lint.files.border import Border, PathError
    from fsagent_lint.files.paths import absolute
    from fsagent_lint.files.read import exists, is_folder

    if exists(out) and not is_folder(out):
        raise UserError(f"{out}: not a folder.")
    try:
        Border().check_folder(absolute(out))
    except PathError:
        raise UserError(f"{out}: leaves the project; not written.") from None
