"""The record of a harness table for placeholders in the prompt of a command, a prompt file or a skill."""

from __future__ import annotations

from fsagent_lint._fast import Record


class Notation(Record):
    """How a prompt refers to what the user types, to the output of a command and to a file."""

    arguments: tuple[str, ...] = ()
    """Everything that the user types; the first one is written."""
    argument: tuple[str, ...] = ()
    """One argument by its number, with {n}; the first one is written."""
    first: int = 1
    """The number of the first argument."""
    input: str = ""
    """A text that the user is asked for, with {name}."""
    command: str = ""
    """The output of a command, with {command}."""
    file: str = ""
    """The content of a file, with {path}."""
    variables: tuple[str, ...] = ()
    """Other placeholders, which stand for something that only this harness knows."""


NO_NOTATION = Notation()
