"""`fsagent-lint hook`: for harnesses that run a command after an agent has written a file."""

from __future__ import annotations

import sys

import click

from fsagent_lint.errors import UserError

_SHOWN_TO_THE_AGENT = 2
_SHOWN_TO_THE_USER = 1
"""The exit codes of a hook, as Claude Code defines them."""


@click.command("hook", short_help="Check the file that an agent has just written.")
def command() -> int:
    """Check the file that an agent has just written, and tell the agent what to correct.

    Standard input is what Claude Code passes to a hook of PostToolUse; docs/hooks.md shows how to set it up.

    Exit status, as hooks define it: 0 nothing to correct, or not an agent file; 2 errors or warnings, printed to standard
    error for the agent; 1 the check failed.
    """
    try:
        path = _written_file(sys.stdin.buffer.read())
        problems = _problems(path) if path else ""
    except UserError as error:
        from fsagent_lint.report.escape import MESSAGE, escape

        click.echo(f"fsagent-lint: {escape(str(error), MESSAGE)}", err=True)
        return _SHOWN_TO_THE_USER
    click.echo(problems, err=True, nl=False)
    return _SHOWN_TO_THE_AGENT if problems else 0


def _written_file(event: bytes) -> str:
    """The path of the file; empty for an event of another tool."""
    import json

    try:
        value = json.loads(event)
    except (ValueError, RecursionError):
        raise UserError("standard input is not the JSON of a hook; see docs/hooks.md.") from None
    tool = value.get("tool_input") if isinstance(value, dict) else None
    path = tool.get("file_path") if isinstance(tool, dict) else None
    return path if isinstance(path, str) else ""


def _problems(path: str) -> str:
    """What fails a check of the file, each on a line; empty for a file that is not an agent's."""
    from fsagent_lint.cli.check import find_copies
    from fsagent_lint.linter.run import Request, check, prepare
    from fsagent_lint.report import render

    result = check(prepare(Request(paths=(path,)), find_copies)).result
    if result.errors:
        raise UserError("; ".join(f"{each.path}: {each.message}" for each in result.errors))
    result.findings = [each for each in result.findings if each.finding.severity in result.failing]
    return render("text", result, concise=True, quiet=True) if result.findings else ""
