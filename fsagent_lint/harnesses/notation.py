"""The record of a harness table for placeholders in the prompt of a command, a prompt file or a skill."""

from __future__ import annotations

from fsagent_lint._fast import Record


class Notation(Record):
    """How a prompt refers to what the user types, to the output of a command and to a file."""

    arguments: tuple[str, ...] = ()
    """Everything that the user types; the first one is written."""
    argument: tuple[str, ...] = ()
    """One argument by its number, with {n}; the first one is written."""
    numbered: tuple[str, ...] = ()
    """What is replaced by an argument as well, but is more often part of a script or a price; it is not converted."""
    first: int = 1
    """The number of the first argument."""
    last_takes_rest: bool = False
    """Is the last argument that a prompt names everything from there on?"""
    clears: bool = False
    """Is the placeholder of an argument that the user did not type removed? Otherwise it stays as text."""
    escape: str = ""
    """What keeps a placeholder as text if it is written before it."""
    input: str = ""
    """A text that the user is asked for, with {name}."""
    command: str = ""
    """The output of a command, with {command}."""
    command_apart: bool = False
    """Does a command run only at the start of a line or after a blank?"""
    command_block: str = ""
    """The fence of a code block that is run."""
    file: str = ""
    """The content of a file, with {path}."""
    variables: tuple[str, ...] = ()
    """Other placeholders, which stand for something that only this harness knows."""


NO_NOTATION = Notation()
