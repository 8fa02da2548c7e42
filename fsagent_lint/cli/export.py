"""`fsagent-lint export`: the normalised agent, for other programs."""

from __future__ import annotations

import sys

import click

from fsagent_lint.cli.options import HARNESSES, plugin_options
from fsagent_lint.errors import UserError


@click.command("export", short_help="Print an agent as JSON, YAML or markdown with canonical tool names.")
@click.argument("file", type=click.Path())
@click.option("--as", "form", type=click.Choice(["json", "yaml", "md"]), required=True, help="The format.")
@click.option(
    "--shape",
    type=click.Choice(["canonical", "opencode", "claude"]),
    default="canonical",
    show_default=True,
    help="Canonical, as in opencode.json, or as `claude --agents` expects.",
)
@click.option("--harness", metavar="HARNESS", shell_complete=HARNESSES, help="Treat FILE as this harness's.")
@click.option("--name", metavar="NAME", help="The agent to export, if FILE holds several.")
@plugin_options
def command(
    file: str, form: str, shape: str, harness: str | None, name: str | None, enrichers: tuple[str, ...], plugins: bool
) -> int:
    """Print the agent in FILE with canonical tool names, or in the shape of a harness, changed by its enrichers.

    Losses are reported on standard error.

    Exit status: 0 exported; 1 exported with losses; 2 the file cannot be read or exported.
    """
    from pathlib import Path
    from typing import cast

    from fsagent_lint.api import harness_id, load
    from fsagent_lint.model.choices import OutputType, Shape
    from fsagent_lint.model.finding import Consequence
    from fsagent_lint.report.escape import MESSAGE, escape

    if form == "md" and shape != "canonical":
        raise UserError(
            f"--shape {shape} needs --as json or yaml; `fsagent-lint convert` writes markdown for a harness."
        )
    if enrichers and shape == "canonical":
        raise UserError("--enricher needs --shape: it changes what is written for a harness.")
    agent = load(Path(file), harness=harness_id(harness) if harness else None, name=name, plugins=plugins)
    exported = agent.export(cast(OutputType, form), shape=cast(Shape, shape), enrich=enrichers, plugins=plugins)
    if agent.guess:
        click.echo(f"note: {escape(file)}: {escape(agent.guess, MESSAGE)}; read as the list of all its tools", err=True)
    for loss in exported.losses:
        click.echo(f"{escape(file)}: [{loss.code}] {escape(loss.message, MESSAGE)}", err=True)
    sys.stdout.flush()
    sys.stdout.buffer.write(exported.data)
    return 1 if any(loss.consequence is not Consequence.STYLE for loss in exported.losses) else 0
