"""Maps of switches and permissions, where the last match decides: values, gates, and what overrides what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fsagent_lint.entries import ToolEntry, switched
from fsagent_lint.nodes import Entry, Map, Node, Scalar
from fsagent_lint.policy import Action
from fsagent_lint.semantics import gate_of, wildcard
from fsagent_lint.subject import Subject
from fsagent_lint.written import SWITCHES, Written


class Switch(NamedTuple):
    """One value of a tool map: `bash: no` is the name `bash`, the text `no`."""

    name: str
    node: Node
    text: str | None
    """None for a value that is no scalar."""
    plain: bool

    @property
    def action(self) -> Action | None:
        return SWITCHES.get(self.text.lower()) if self.text is not None else None


def switch_values(written: Written) -> Iterator[Switch]:
    """Every value of a map, those of nested maps included."""
    if isinstance(written.entry.value, Map):
        yield from _switch_values(written.entry.value.entries)


def _switch_values(entries: Sequence[Entry]) -> Iterator[Switch]:
    for entry in entries:
        value = entry.value
        if isinstance(value, Map):
            yield from _switch_values(value.entries)
        else:
            text = value.value if isinstance(value, Scalar) else None
            yield Switch(entry.name or "", value, text, isinstance(value, Scalar) and value.plain)


class Overridden(NamedTuple):
    """Two entries of one map: the late one makes the early one pointless."""

    early: Entry
    late: Entry
    action: Action
    later: Action


def shadowed_rules(subject: Subject) -> Iterator[Overridden]:
    for written in subject.written:
        key = subject.kind.keys[written.key]
        if key.role in ("switch", "permission") and isinstance(written.entry.value, Map):
            yield from _shadowed(written.entry.value.entries, key.gates)
            for entry in written.entry.value.entries:
                if isinstance(entry.value, Map):
                    yield from _shadowed(entry.value.entries, {})


def _shadowed(entries: Sequence[Entry], gates: dict[str, str]) -> Iterator[Overridden]:
    for number, early in enumerate(entries):
        mine = _action(early)
        if mine is None or early.name is None or gates.get(early.name) is not None:
            continue
        for late in entries[number + 1 :]:
            later = _action(late)
            if later is None or late.name is None or "*" not in late.name or later is mine:
                continue
            if wildcard(late.name).fullmatch(early.name):
                yield Overridden(early, late, mine, later)
                break


def _action(entry: Entry) -> Action | None:
    """What an entry says as a whole; a nested map says more than one thing, so its last word counts."""
    if isinstance(entry.value, Map):
        words = [_action(each) for each in entry.value.entries]
        return words[-1] if words else None
    return SWITCHES.get(entry.value.value.lower()) if isinstance(entry.value, Scalar) else None


def switches_nothing(subject: Subject, entry: ToolEntry) -> bool:
    """Is there no tool that the entry's gate guards?"""
    gates = subject.kind.keys[entry.written.key].gates
    return not switched(subject.harness, gates.get(entry.item.name, entry.item.name))


def gates_of(subject: Subject, natives: Sequence[str]) -> tuple[str, ...]:
    """The gates that guard native tools."""
    return tuple(dict.fromkeys(gate_of(name, subject.harness.tools[name]) for name in natives))
