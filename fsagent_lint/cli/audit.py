"""`fsagent-lint audit`: who can do what, in every harness that reads the files."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from fsagent_lint.cli.check import find_copies
from fsagent_lint.cli.options import AUDIT_FORMATS, HARNESSES, chosen_config, plugin_options
from fsagent_lint.cli.outputs import Output, parse_outputs, write_file
from fsagent_lint.cli.terminal import progress_bar
from fsagent_lint.errors import UserError
from fsagent_lint.model.finding import SEVERITIES

if TYPE_CHECKING:
    from fsagent_lint.audit.facts import Audit
    from fsagent_lint.audit.run import Before
    from fsagent_lint.linter.run import Request

JOB_SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable that names the file in which GitHub Actions expects the summary of a job."""


@click.command("audit", short_help="Show what every agent can do, in every harness that reads it.")
@click.argument("paths", nargs=-1, type=click.Path())
@click.option(
    "--output-format", "formats", multiple=True, metavar="FORMAT[:FILE]", shell_complete=AUDIT_FORMATS,
    help="text, html, csv, json, markdown, github; repeat for several reports, each in its own file.",
)  # fmt: skip
@click.option("--output-file", metavar="FILE", type=click.Path(dir_okay=False), help="Write the report to a file.")
@click.option("--since", metavar="REV", help="Compare with a revision: what agents gained, and new findings.")
@click.option(
    "--baseline-report",
    metavar="FILE",
    type=click.Path(),
    help="Compare with an earlier audit in JSON, as with --since.",
)
@click.option(
    "--harness",
    metavar="HARNESS",
    shell_complete=HARNESSES,
    help="Treat files as this harness's when their path does not determine it.",
)
@click.option(
    "--fail-on",
    type=click.Choice([*SEVERITIES, "policy"]),
    help="Exit 1 for findings from this severity on (default: warning), or for violations of the policy only.",
)
@click.option("--exit-zero", is_flag=True, help="Exit 0 even if there are findings or violations.")
@plugin_options
@click.option("--config", metavar="FILE", type=click.Path(), help="Use this config file.")
@click.option("--isolated", is_flag=True, help="Disregard all config files.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def command(**options: Any) -> int:
    """Show what every agent, skill, command and mode in PATHS, or in the current project, can do: read, write, run
    commands, reach the network, call other agents, ask the user, use MCP servers.

    [audit] in the config says what agents must not be able to do: forbid = ["execute+network", "unrestricted"].

    Exit status: 0 nothing forbidden, no errors or warnings; 1 a violation of the policy, errors or warnings; 2 the run
    failed. With --since or --baseline-report, only what is new counts.
    """
    from fsagent_lint.audit.formats import FORMATS

    outputs = parse_outputs(options["formats"], options["output_file"], FORMATS)
    from fsagent_lint.audit.run import audit
    from fsagent_lint.linter.run import Request
    from fsagent_lint.project.target import Watch

    options["config"] = chosen_config(options["config"], isolated=options["isolated"])
    names = ("paths", "harness", "config", "enrichers", "plugins")
    request = Request(**{name: options[name] for name in names})
    before = _before(options, request)
    with progress_bar(quiet=options["quiet"]) as progress:
        done = audit(request, Watch(progress), find_copies, before)
    fail_on = options["fail_on"]
    if fail_on is not None:
        done = done._replace(failing=SEVERITIES[: SEVERITIES.index(fail_on) + 1] if fail_on in SEVERITIES else ())
    for output in outputs:
        _write(done, output)
    return 0 if options["exit_zero"] and done.exit_code == 1 else done.exit_code


def _before(options: dict[str, Any], request: Request) -> Before | None:
    since, report = options["since"], options["baseline_report"]
    if since is not None and report is not None:
        raise UserError("--since and --baseline-report exclude each other.")
    if since is None and report is None:
        return None
    from fsagent_lint.audit import before

    return before.at(since, request, find_copies) if since is not None else before.read_report(report)


def _write(done: Audit, output: Output) -> None:
    """Nothing is written before the whole report is there."""
    from fsagent_lint.audit.formats import render

    text = render(output.format, done)
    if output.file is not None:
        write_file(output.file, text)
        return
    if output.format == "github" and (summary := os.environ.get(JOB_SUMMARY)):
        write_file(summary, render("markdown", done), append=True)
    sys.stdout.write(text)
