"""`fsagent-lint check`: check agent files, and report what their harnesses do with them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from fsagent_lint.cli.options import HARNESSES, OUTPUT_FORMATS, RULES, TOOL_FORMATS, chosen_config, plugin_options
from fsagent_lint.cli.outputs import FORMATS, MACHINE, WITH_RULES, Output, parse_outputs, write_file
from fsagent_lint.cli.terminal import painted, progress_bar, terminal_columns, wants_color
from fsagent_lint.errors import UserError
from fsagent_lint.model.finding import SEVERITIES

if TYPE_CHECKING:
    from fsagent_lint.linter.run import Checked, Run


@click.command("check", short_help="Check agent files (the default command).")
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--fix", is_flag=True, help="Apply safe fixes to the files.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also apply fixes that need review.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, without writing.")
@click.option(
    "--target",
    metavar="HARNESS",
    shell_complete=HARNESSES,
    help="Check the tools for another harness; with --fix, rewrite them for it.",
)
@click.option("--from", "from_", metavar="HARNESS", shell_complete=HARNESSES, help="Check only files of this harness.")
@click.option(
    "--tool-format",
    type=TOOL_FORMATS,
    help="Require this tool format; with --fix, rewrite tools in it.",
)
@click.option(
    "--harness",
    metavar="HARNESS",
    shell_complete=HARNESSES,
    help="Treat files as this harness's when their path does not determine it.",
)
@click.option("--changed", is_flag=True, help="Check only files that differ from HEAD or are new.")
@click.option("--since", metavar="REV", help="Check only files that changed since a revision.")
@click.option(
    "--select",
    multiple=True,
    metavar="RULES",
    shell_complete=RULES,
    help="Rules to run: codes, names, families (FA3), `default` or `all`.",
)
@click.option("--ignore", multiple=True, metavar="RULES", shell_complete=RULES, help="Rules to skip.")
@click.option(
    "--output-format", "formats", multiple=True, metavar="FORMAT[:FILE]", shell_complete=OUTPUT_FORMATS,
    help=f"{', '.join(FORMATS)}; repeat for several reports, each in its own file.",
)  # fmt: skip
@click.option("--output-file", metavar="FILE", type=click.Path(dir_okay=False), help="Write the report to a file.")
@click.option("--stdin-filename", metavar="PATH", help="Check standard input (path `-`) as the file PATH.")
@click.option("--baseline", metavar="FILE", help="Leave out the findings that are recorded in this file.")
@click.option("--write-baseline", metavar="FILE", help="Record all findings in this file, and exit 0.")
@click.option("--statistics", is_flag=True, help="Count findings per rule.")
@click.option("--fail-on", type=click.Choice(SEVERITIES), help="Exit 1 from this severity on (default: warning).")
@click.option("--show-files", is_flag=True, help="List the files to check, with harness and kind.")
@click.option("--show-settings", is_flag=True, help="Print the effective settings and their config file.")
@click.option("--watch", is_flag=True, help="Check again whenever files change, and print what is new.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 even if there are findings.")
@click.option("--no-ignores", is_flag=True, help="Disregard `# fsagent: ignore` comments.")
@plugin_options
@click.option("--config", metavar="FILE", type=click.Path(), help="Use this config file.")
@click.option("--isolated", is_flag=True, help="Disregard all config files.")
@click.option("-q", "--quiet", is_flag=True, help="Print findings only.")
@click.option("-v", "--verbose", is_flag=True, help="Print which files were read and skipped.")
def command(**options: Any) -> int:
    """Check the agents, skills, commands, prompts and chat modes in PATHS, or in the current project.

    `fsagent-lint rules` lists the rules, `fsagent-lint harnesses` the harnesses and the places that they read.

    Exit status: 0 no errors or warnings; 1 errors or warnings, or --diff shows changes; 2 the run failed.
    """
    outputs = parse_outputs(options["formats"], options["output_file"])
    from fsagent_lint.linter.run import Request, check, prepare
    from fsagent_lint.project.target import Watch

    options["config"] = chosen_config(options["config"], isolated=options["isolated"])
    request = Request(**{name: options[name] for name in Request.__annotations__ if name in options})
    if options["show_files"] or options["show_settings"]:
        from fsagent_lint.cli.check import show

        return show.show_settings(request) if options["show_settings"] else show.show_files(request)
    if options["watch"]:
        return _watch(request, outputs, options)
    run = prepare(request, find_copies)
    if "-" in request.paths or (request.stdin_filename and not request.paths):
        checked = _check_stdin(run)
    else:
        with progress_bar(quiet=options["quiet"]) as progress:
            checked = check(run, Watch(progress))
    result = checked.result
    if options["write_baseline"]:
        from fsagent_lint.linter import baseline

        baseline.write(options["write_baseline"], result)
        from fsagent_lint.report.escape import escape
        from fsagent_lint.report.summary import count

        click.echo(f"Recorded {count(len(result.findings), 'finding')} in {escape(options['write_baseline'])}.")
        return 2 if result.errors else 0
    if checked.output is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(checked.output)
    if options["diff"]:
        is_reserved = any(each.file is None and each.format in MACHINE for each in outputs)
        stream = sys.stderr if is_reserved else sys.stdout
        stream.write(painted(checked.diff, stream))
    _report(result, outputs, options, to_stderr=checked.output is not None)
    status = 1 if options["diff"] and result.changed and result.exit_code == 0 else result.exit_code
    return 0 if options["exit_zero"] and status == 1 else status


def _check_stdin(run: Run) -> Checked:
    from fsagent_lint.linter.check_text import check_text
    from fsagent_lint.project.find import is_excluded

    path = run.request.stdin_filename
    if path is None:
        raise UserError("Standard input needs a path: --stdin-filename PATH.")
    checked = check_text(run, path, sys.stdin.buffer.read())
    if not checked.result.files and not is_excluded(path, run.settings):
        raise UserError(f"{path}: the path does not determine the harness. Set it with --harness.")
    return checked


_WITHOUT_WATCH = {
    "fix": "--fix",
    "diff": "--diff",
    "write_baseline": "--write-baseline",
    "stdin_filename": "--stdin-filename",
}


def _watch(request: Any, outputs: list[Output], options: dict[str, Any]) -> int:
    from fsagent_lint.cli.check.watch import watch
    from fsagent_lint.linter.run import check, prepare

    if excluded := [name for key, name in _WITHOUT_WATCH.items() if options[key]]:
        raise UserError(f"--watch excludes {', '.join(excluded)}.")
    if any(each.format in MACHINE or each.file is not None for each in outputs):
        raise UserError("--watch prints text: choose the output format text or concise, without a file.")
    return watch(
        request.paths,
        lambda: check(prepare(request, find_copies)).result,
        lambda result, whole: _report(
            result, outputs, options if whole else {**options, "quiet": True}, to_stderr=False
        ),
    )


def find_copies(*context: Any) -> Any:
    """Who knows the copies of [sync]; imported only where there are any."""
    from fsagent_lint.converter.copy_states import CopyStates

    return CopyStates(*context)


def _report(result: Any, outputs: list[Output], options: dict[str, Any], *, to_stderr: bool) -> None:
    from fsagent_lint.linter.selection import rule_infos
    from fsagent_lint.report import render
    from fsagent_lint.report.escape import WIDTH

    columns = terminal_columns(sys.stdout)
    for name, file in outputs:
        text = render(
            "text" if name == "concise" else name,
            result,
            rule_infos() if name in WITH_RULES else (),
            color=file is None and wants_color(sys.stderr if to_stderr else sys.stdout),
            statistics=options["statistics"],
            concise=name == "concise",
            quiet=options["quiet"],
            diff=options["diff"],
            width=min(WIDTH, max(columns - 8, 40)) if columns and file is None else WIDTH,
            columns=columns if file is None and not to_stderr else 0,
        )
        if file is None:
            (sys.stderr if to_stderr else sys.stdout).write(text)
            continue
        write_file(file, text)
