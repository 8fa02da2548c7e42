"""`fsagent-lint convert`: write whole files for another harness, where it looks for them."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import click

from fsagent_lint.cli.options import HARNESSES, TOOL_FORMATS, writing_options
from fsagent_lint.cli.terminal import painted
from fsagent_lint.errors import UserError


@click.command("convert", short_help="Convert agents to files for another harness.")
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
    help="Convert only files of this harness; files in unknown places are treated as its own.",
)
@click.option(
    "--out", metavar="DIR", default=".", show_default=True, help="The folder to write into; created if missing."
)
@click.option(
    "--tool-format",
    type=TOOL_FORMATS,
    default="auto",
    help="How to write tools; auto: in the harness's usual form.",
)
@click.option("--with-mcp", is_flag=True, help="Also add the MCP servers that the agents use to the config of HARNESS.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option("--diff", is_flag=True, help="Show what would be written, without writing.")
@writing_options
@click.option("--isolated", is_flag=True, help="Disregard all config files.")
@click.option("-q", "--quiet", is_flag=True, help="Print losses and errors only.")
def command(**options: Any) -> int:
    """Convert the files in PATHS, or in the current project: tools, fields, name and path. The prompt is copied, and
    with a skill the other files of its folder.

    Losses are reported: what the target harness cannot express.

    Exit status: 0 converted; 1 converted with losses; 2 at least one file failed.
    """
    from fsagent_lint.converter.job import Job
    from fsagent_lint.converter.run import convert_files, is_convertible
    from fsagent_lint.harnesses.tables import get_harness, plain_id
    from fsagent_lint.linter.run import start_run
    from fsagent_lint.linter.selection import loss_filter
    from fsagent_lint.project.enrichers import load_enrichers
    from fsagent_lint.project.find import find
    from fsagent_lint.project.session import accepted, check_readable, load_harnesses
    from fsagent_lint.project.subjects import Subjects
    from fsagent_lint.project.target import split_unclear
    from fsagent_lint.report.summary import count

    settings = start_run(options["config"], isolated=options["isolated"], plugins=options["plugins"])
    harnesses = load_harnesses(*options["to"], options["from_"])
    to = list(dict.fromkeys(map(plain_id, options["to"])))
    options["from_"] = plain_id(options["from_"]) if options["from_"] else None
    check_readable(options["from_"])
    scan = find(options["paths"], settings, harnesses, harness=options["from_"])
    known, unclear = split_unclear(scan.targets)
    scan.errors.extend(unclear)
    wanted = [each for each in known if options["from_"] in (None, each.harness) and {*to} - {each.harness}]
    targets = [each for each in wanted if each.path in options["paths"] or is_convertible(each)]
    if not targets and not scan.errors:
        raise UserError("No agent files of another harness found, so there is nothing to convert.")
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
    if len(targets) < len(wanted) and not options["quiet"]:
        left = count(len(wanted) - len(targets), "file")
        click.echo(f"note: {left} with agents in JSON or TOML not converted; such agents are only checked")
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
        raise UserError(f"{out}: is outside the project; not written.") from None
