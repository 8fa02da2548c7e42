"""How other harnesses, and the file's own, read a file differently from what its author intended."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.readers import Reader, has_tools, readers_of_kind
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.tool_values import ToolValue
from fsagent_lint.agent.widening import bounds_of, exceeds
from fsagent_lint.effect.syntax import NamesRead, read_names
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Key
from fsagent_lint.model.policy import Action
from fsagent_lint.model.tool import COMPANIONS, HARMFUL, Risk, Tool


def wider_elsewhere(subject: Subject) -> dict[str, tuple[Tool, ...]]:
    """For each other reader: the harmful tools that it grants beyond the intended ones."""
    gained = {}
    for reader in readers_of_kind(subject.harness, subject.kind_name)[1:] if subject.is_passed_on else ():
        result = reader.effect(subject.document)
        if result.loads:
            bounds, harmful = bounds_of(subject), _harmful_tools(reader.harness, (*result.tools, *result.ask))
            if extra := tuple(tool for tool in harmful if exceeds(bounds, tool)):
                gained[reader.harness.id] = extra
    return gained


@lru_cache(maxsize=1024)
def _harmful_tools(harness: Harness, natives: tuple[str, ...]) -> tuple[Tool, ...]:
    granted = harness.granted(natives)
    return tuple(tool for tool in granted if tool.risk in HARMFUL and tool.name not in COMPANIONS)


class Shortfall(NamedTuple):
    """What a reader of the place withholds from an agent."""

    harness: Harness
    missing: tuple[Tool, ...]
    """Intended tools that it has, but does not grant."""
    names: tuple[str, ...]
    """What they are called there."""
    has_none: bool
    """It grants no tools at all."""


def shortfalls(subject: Subject) -> Iterator[Shortfall]:
    """The readers that grant less than was meant, although another one of them grants it.

    The file is intended for all harnesses that share its place. One that merely reads it counts if it grants nothing.
    """
    policy = subject.intent.policy
    written = (item.name for value in subject.values for item in value.items)
    entries = {name: subject.main_tools(name) for name in written if _is_tool(name, subject)}
    named = dict.fromkeys(tool for tools in entries.values() for tool in tools)
    meant = [tool for tool in named if policy.action(tool) is not Action.DENY and tool.risk is not None]
    if policy.default is not Action.DENY or not meant or not subject.is_passed_on:
        return
    if not has_tools(subject.effect, subject.harness) and not subject.kind.shared_with:
        return  # its own harness grants nothing either
    readers = readers_of_kind(subject.harness, subject.kind_name)
    effects = {reader: result for reader in readers if (result := reader.effect(subject.document)).loads}
    granted = {reader: reader.harness.granted(result.natives) for reader, result in effects.items()}
    somewhere = [tool for tool in meant if any(tool in tools for tools in granted.values())]
    intended = intended_readers(subject)
    for reader, tools in granted.items():
        harness = reader.harness
        if not (lacking := [tool for tool in somewhere if tool not in tools]):
            continue
        has_none = not has_tools(effects[reader], harness)
        # An entry that it reads gives what the author may have written it for.
        if not has_none:
            unread = {tool for name, wanted in entries.items() if not _is_read(name, reader) for tool in wanted}
            lacking = [tool for tool in lacking if tool in unread and not _is_minor(tool)]
        names = {tool: _names_in_place(reader, tool) for tool in lacking}
        missing = tuple(tool for tool, known in names.items() if known)
        shares = bool(subject.kind.shared_with) and harness.id not in subject.kind.read_by
        if missing and (shares or (has_none and reader.owner)) and (not intended or harness.id in intended):
            usual = dict.fromkeys(name for known in names.values() for name in known)
            yield Shortfall(harness, missing, tuple(usual), has_none)


def _is_minor(tool: Tool) -> bool:
    """Does an agent do its work without it?"""
    return tool.risk is Risk.INTERACT or tool.name in COMPANIONS


def _is_read(name: str, reader: Reader) -> bool:
    harness = reader.harness
    foreign = harness.foreign_names.get(reader.owner)
    return bool(harness.natives(name)) if foreign is None else name in foreign


def _is_tool(name: str, subject: Subject) -> bool:
    """Is it a tool's whole name? `docs/search` is an MCP tool, though a harness that reads only `search` grants that."""
    if "/" not in name or subject.harness.fold(name) in subject.harness.whole_names:
        return True
    return any(other.lookup(name) is not None for other in subject.shared_harnesses)


def _names_in_place(reader: Reader, tool: Tool) -> list[str]:
    """What a reader calls a tool in the files of this place; a folder of another harness may have names of its own."""
    harness = reader.harness
    foreign = harness.foreign_names.get(reader.owner)
    known = (
        foreign if foreign is not None else {name: harness.natives(name) for name in harness.write.get(tool.name, ())}
    )
    return [name for name, natives in known.items() if any(tool in harness.tools[each].main for each in natives)]


def intended_readers(subject: Subject) -> tuple[str, ...]:
    """The harnesses that a field of the file says it is for; empty if none does."""
    for name, field in subject.kind.fields.items():
        if field.intended and (wanted := field.intended.get(subject.document.text_of(name) or "")):
            return wanted
    return ()


def misread(subject: Subject, value: ToolValue, key: Key) -> tuple[str, ...] | None:
    """The names that the harness reads from a list or a string; None if they are the names that a person sees."""
    if value.key not in subject.effect.data:
        return None
    names = read_names(subject.effect.data[value.key], key)
    if not isinstance(names, NamesRead):
        return ()
    seen = {item.text if key.scopes == "dropped" else item.name for item in value.items}
    # Another rule reports a scope that the harness cannot read.
    strict = {name.partition("(")[0] if key.scopes == "dropped" else name for name in names.names}
    seen = {name.partition("(")[0] for name in seen}
    if key.blanks:  # a name with blanks is another harness's, which other rules report
        seen = {word for name in seen for word in name.split()}
    return names.names if {name.partition("(")[0] for name in strict} != seen else None
