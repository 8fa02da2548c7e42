"""The man page, from the help of every command: for packagers, and in the wheel for `man fsagent-lint`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc

import click

from fsagent_lint.cli.main import cli

NAME = "fsagent-lint"
WORD = re.compile(r"`([^`]+)`")


def page() -> str:
    context = click.Context(cli, info_name=NAME, **cli.context_settings)
    overview, *details = _paragraphs(cli)
    lines = [
        f'.TH "{NAME.upper()}" "1" "" "{NAME}" "User Commands"',
        ".SH NAME",
        rf"{NAME} \- {_text(overview).rstrip('.')}",
        ".SH SYNOPSIS",
        *_usage(context),
        ".SH DESCRIPTION",
        *_separated(details),
        ".SH OPTIONS",
        *_options(context),
        ".SH COMMANDS",
    ]
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        own = click.Context(command, info_name=name, parent=context)
        lines += [f".SS {_text(name)}", *_usage(own), *_separated(_paragraphs(command)), *_options(own)]
    lines += [
        ".SH SEE ALSO",
        _text("The pages in the folder docs of the source, and `fsagent-lint explain` with the name of a rule."),
    ]
    return "\n".join(lines) + "\n"


def _usage(context: click.Context) -> Iterator[str]:
    pieces = context.command.collect_usage_pieces(context)
    yield f".B {_text(context.command_path)}"
    yield _text(" ".join(pieces))


def _options(context: click.Context) -> Iterator[str]:
    records = [record for each in context.command.get_params(context) if (record := each.get_help_record(context))]
    for option, text in records:
        if not text:  # an argument, which the usage names
            continue
        yield from (".TP", rf"\fB{_text(option)}\fR", _text(text))


def _paragraphs(command: click.Command) -> list[str]:
    """The help of a command in roff; what click must not wrap keeps its lines."""
    blocks = cleandoc(command.help or "").split("\n\n")
    return [
        ".nf\n" + "\n".join(map(_text, block.split("\n")[1:])) + "\n.fi" if block.startswith("\b") else _text(block)
        for block in blocks
    ]


def _separated(blocks: list[str]) -> Iterator[str]:
    for block in blocks:
        yield from (".PP", block)


def _text(text: str) -> str:
    """Text in roff: code is bold, a hyphen is one that can be copied, and no line is a request."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    escaped = WORD.sub(r"\\fB\1\\fR", escaped)
    return re.sub(r"(?m)^([.'])", r"\\&\1", escaped)
