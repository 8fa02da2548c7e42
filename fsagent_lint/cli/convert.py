"""`fsagent-lint convert`: write whole files for another harness, where it looks for them."""

from __future__ import annotations

import sys
from typing import Any

import click

from fsagent_lint.cli.options import HARNESSES, TOOL_FORMATS, chosen_config, writing_options
from fsagent_lint.cli.terminal import painted


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
    from fsagent_lint.api import convert_all, harness_id
    from fsagent_lint.report.summary import count

    outcome = convert_all(
        options["paths"],
        options["to"],
        from_=harness_id(options["from_"]) if options["from_"] else None,
        out=options["out"],
        tool_format=options["tool_format"],
        with_mcp=options["with_mcp"],
        force=options["force"],
        write=not options["diff"],
        unsafe=options["unsafe_fixes"],
        enrich=options["enrichers"],
        plugins=options["plugins"],
        config=chosen_config(options["config"], isolated=options["isolated"]),
    )
    if options["diff"]:
        sys.stdout.write(painted("".join(outcome.diffs), sys.stdout))
    click.echo(outcome.render(quiet=options["quiet"], diff=options["diff"]), nl=False)
    if outcome.left and not options["quiet"]:
        left = count(outcome.left, "file")
        click.echo(f"note: {left} with agents in JSON or TOML not converted; such agents are only checked")
    return outcome.exit_code
