"""The command line: the commands, each in its own module, and the one place where errors become exit codes."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from fsagent_lint import __version__
from fsagent_lint.cli.streams import OutputError
from fsagent_lint.errors import UserError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = (
    *("check", "convert", "sync", "export", "explain", "audit"),
    *("tools", "rules", "harnesses", "init", "schema", "server", "hook"),
)

USUAL_OPTIONS = {
    "Fix": ("fix", "unsafe_fixes", "diff"),
    "Choose files": ("changed", "since", "harness", "show_files"),
    "Choose rules": ("select", "ignore"),
    "Report": ("formats", "statistics", "fail_on", "quiet"),
    "Config": ("config", "show_settings"),
}
"""The options of `check` that people use first, by their names in the code."""

_EXPECTED = {
    "lint": "check",
    "fix": "check --fix",
    "format": "check --fix",
    "diff": "check --diff",
    "version": "--version",
}
"""What other programs call a command, and what it is called here."""


class _Commands(click.Group):
    """Imports the module of a command when it is needed; without a command, the arguments are for `check`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        if name not in COMMANDS:
            return None
        from importlib import import_module

        command: click.Command = import_module(f"fsagent_lint.cli.{name}").command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and ctx.resilient_parsing:  # a shell completes the first word
            return super().parse_args(ctx, args)
        if args and args[0] == "help" and not _exists("help"):
            args = [*args[1:], "--help"]
        if len(args) == 1 and args[0] in COMMANDS and not ctx.resilient_parsing:
            _warn_of_folder(args[0])
        if not args or args[0] not in (*COMMANDS, "--help", "-h", "--version", "-V"):
            if args and not args[0].startswith("-") and not ctx.resilient_parsing:
                _check_misspelt(args[0])
            args = ["check", *args]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands first, then the usual options of `check`, then those of the program itself."""
        self.format_commands(ctx, formatter)
        check = self.get_command(ctx, "check")
        assert check is not None
        known = {option.name: option for option in check.params}
        for title, names in USUAL_OPTIONS.items():
            rows = [record for name in names if (record := known[name].get_help_record(ctx)) is not None]
            with formatter.section(title):
                formatter.write_dl(rows)
        with formatter.section("Other options"):
            formatter.write_dl([record for each in self.get_params(ctx) if (record := each.get_help_record(ctx))])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The first word: a command, or an option or a path for `check`."""
        found = super().shell_complete(ctx, incomplete)
        check = self.get_command(ctx, "check")
        if incomplete.startswith("-") and check is not None:
            known = {item.value for item in found}
            return [*found, *(item for item in check.shell_complete(ctx, incomplete) if item.value not in known)]
        from fsagent_lint.cli.completion import files

        return found or files(incomplete)


def _check_misspelt(name: str) -> None:
    """UserError for a path that does not exist and looks like a misspelt command."""
    if name.isalpha() and not _exists(name):
        from fsagent_lint.suggest import nearest

        if command := _EXPECTED.get(name) or nearest(name, COMMANDS):
            raise UserError(f"There is no command, file or folder `{name}`. Did you mean `{command}`?")


def _warn_of_folder(command: str) -> None:
    """A job that was to check the folder `tools` must not pass because there is a command of that name."""
    if _exists(command):
        click.echo(
            f"note: running the command `{command}`; to check the path of that name, pass `./{command}`", err=True
        )


def _exists(path: str) -> bool:
    from fsagent_lint.files.read import exists

    return exists(path)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", prog_name="fsagent-lint")
def cli() -> None:
    """Check, fix and convert agent files for Claude Code, OpenCode, Copilot and other harnesses.

    \b
    fsagent-lint                        check the current project
    fsagent-lint PATHS                  check files and folders
    fsagent-lint --fix                  apply safe fixes
    fsagent-lint --diff                 show what --fix would change
    fsagent-lint explain FILE           show what each harness grants an agent
    fsagent-lint explain RULE           explain a rule

    The default command is `check`. Its most common options are listed below; `fsagent-lint check --help` lists all.

    Exit status: 0 no errors or warnings; 1 errors or warnings; 2 the run failed.
    """


def run(args: Sequence[str]) -> int:
    """Run a command line, and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        # In every locale, names and messages are UTF-8, and what cannot be encoded is escaped.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        status = cli.main(list(args), prog_name="fsagent-lint", standalone_mode=False)
        sys.stdout.flush()
        _print_version_notes()
        return status if isinstance(status, int) else 0
    except (click.ClickException, UserError) as error:
        message = _message_of(error)
        if isinstance(error, click.UsageError) and error.ctx is not None:
            line = " ".join(message.split())  # click puts choices on separate lines
            message = f"{line}{'' if line.endswith(('.', ')', '?')) else '.'} See `{error.ctx.command_path} --help`."
        _print_error(message)
        return 2
    except (click.Abort, KeyboardInterrupt):
        return 130
    except OutputError as error:
        if error.reason:
            _print_error(f"cannot write the report: {error.reason}")
        return 2
    except OSError as error:
        _print_error(_os_error_message(error))
        return 2


def _print_version_notes() -> None:
    """What to know about the versions of harnesses that were asked for."""
    tables = sys.modules.get("fsagent_lint.harnesses.tables")
    for note in tables.active_tables().notes if tables is not None else ():
        from fsagent_lint.report.escape import MESSAGE, escape

        click.echo(f"note: {escape(note, MESSAGE)}", err=True)


def _print_error(message: str) -> None:
    from fsagent_lint.report.escape import MESSAGE, escape

    with contextlib.suppress(OutputError):  # the exit code still reports the error
        click.echo(f"error: {escape(message, MESSAGE)}", err=True)


def _os_error_message(error: OSError) -> str:
    try:
        os.getcwd()
    except OSError:
        return "the current folder no longer exists."
    where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, (str, bytes)) else ""
    return where + (error.strerror or str(error))


def _message_of(error: click.ClickException | UserError) -> str:
    if isinstance(error, click.NoSuchOption):  # click's own message changes from version to version
        from fsagent_lint.suggest import nearest

        like = nearest(error.option_name, error.possibilities or ())
        return f"There is no option `{error.option_name}`." + (f" Did you mean `{like}`?" if like else "")
    return error.format_message() if isinstance(error, click.ClickException) else str(error)
