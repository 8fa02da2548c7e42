"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, get_args

import click

from fsagent_lint.errors import UserError
from fsagent_lint.model.choices import NO_CONFIG, Config, ToolFormat

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = Callable[..., Any]
Completer = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]
TOOL_FORMATS = click.Choice(get_args(ToolFormat))


def _completer(name: str) -> Completer:
    """A function of `completion`, which is imported when a shell asks for completions."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
        from fsagent_lint.cli import completion

        found: list[CompletionItem] = getattr(completion, name)(incomplete)
        return found

    return complete


HARNESSES, RULES, RULES_AND_FILES, OUTPUT_FORMATS, AUDIT_FORMATS, TOOLS = map(
    _completer, ("harnesses", "rules", "rules_and_files", "formats", "audit_formats", "tools")
)
"""What shells complete."""


def plugin_options(function: Command) -> Command:
    """What commands take that let code of installed packages run."""
    allow = click.option(
        "--plugins",
        is_flag=True,
        envvar="FSAGENT_LINT_PLUGINS",
        help="Run code of installed packages: enrichers that the config names, and tool plugins.",
    )
    name = click.option("--enricher", "enrichers", multiple=True, metavar="NAME", help="Run this installed enricher.")
    return name(allow(function))


def chosen_config(config: str | None, *, isolated: bool) -> Config:
    """What `--config` and `--isolated` say together."""
    if isolated and config:
        raise UserError("--isolated and --config exclude each other.")
    return NO_CONFIG if isolated else config


def writing_options(function: Command) -> Command:
    """What commands take that write agents for another harness."""
    unsafe = click.option(
        "--unsafe-fixes", is_flag=True, help="Write agents even if they are granted more than intended."
    )
    config = click.option("--config", metavar="FILE", type=click.Path(), help="Use this config file.")
    return unsafe(plugin_options(config(function)))
