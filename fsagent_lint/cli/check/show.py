"""What a check would do: `--show-files` and `--show-settings`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, get_type_hints

import click

from fsagent_lint._fast import Record
from fsagent_lint.errors import UserError

if TYPE_CHECKING:
    from fsagent_lint.linter.run import Request
    from fsagent_lint.project.settings import Settings

_LONGEST_LINE = 100_000
"""A line of settings that is cut off would not be TOML."""


def show_files(request: Request) -> int:
    """Print each file that would be checked, with its harness and kind."""
    from fsagent_lint.linter.run import find_files, prepare
    from fsagent_lint.report import describe_problem
    from fsagent_lint.report.escape import MESSAGE, escape

    if "-" in request.paths:
        raise UserError("--show-files lists files; standard input is not one.")
    scan = find_files(prepare(request))
    for target in scan.targets:
        click.echo(escape(f"{target.path}: {target.harness or 'unclear'} {target.kind}", MESSAGE))
    for problem in scan.errors:
        click.echo(f"error: {describe_problem(problem)}", err=True)
    return 2 if scan.errors else 0


def show_settings(request: Request) -> int:
    """Print the settings in force, those of the command line included, as a config file."""
    from fsagent_lint.linter.run import start_run
    from fsagent_lint.report.escape import escape

    settings = start_run(request.config, plugins=request.plugins)
    for line in _settings(_in_force(request, settings)):
        click.echo(escape(line, _LONGEST_LINE))
    return 0


def _in_force(request: Request, settings: Settings) -> Settings:
    from fsagent_lint.linter.selection import parse_codes

    return settings.replace(
        select=parse_codes(request.select) or settings.select or ("default",),
        ignore={**settings.ignore, **dict.fromkeys(parse_codes(request.ignore), "")},
        fail_on=request.fail_on or settings.fail_on,
        target=request.target or settings.target,
        tool_format={"*": request.tool_format} if request.tool_format else settings.tool_format,
        baseline=request.baseline or settings.baseline,
        enrichers=(*settings.enrichers, *request.enrichers),
    )


def _settings(settings: Settings) -> Iterator[str]:
    from fsagent_lint.files.paths import relative, to_posix
    from fsagent_lint.frontmatter.dump import to_toml
    from fsagent_lint.project.settings import Options

    file = to_posix(settings.file)
    yield f"# from {relative(file, to_posix(os.getcwd())) or file}" if file else "# no config file"
    yield from to_toml(_entries(settings, Options)).splitlines()


def _entries(record: Record, fields: type[Record]) -> dict[str, Any]:
    """The fields of a record, as config files write them."""
    return {name.replace("_", "-"): _plain(getattr(record, name)) for name in get_type_hints(fields)}


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return _entries(value, type(value))
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, (tuple, list)) else value
