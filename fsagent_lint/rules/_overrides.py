"""Maps of switches and permissions, where the last match wins: values, gates, and overridden entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.tool_values import SWITCHES, ToolValue
from fsagent_lint.agent.verdicts import ClassifiedItem, switched
from fsagent_lint.frontmatter.nodes import Entry, Map, Node, Scalar
from fsagent_lint.harnesses.gates import gate_of, matches_wildcard
from fsagent_lint.harnesses.kind import Key
from fsagent_lint.model.policy import Action

_MAX_PAIRS = 500_000
"""How many pairs of entries are compared at most; beyond that, only the last patterns of a map are."""
_MAX_LENGTH = 500
"""Longer patterns are not compared."""


class Switch(NamedTuple):
    """One value of a tool map: `bash: no` is the name `bash`, the text `no`."""

    name: str
    node: Node
    text: str | None
    """None if the value is not a scalar."""
    plain: bool

    @property
    def action(self) -> Action | None:
        return SWITCHES.get(self.text.lower()) if self.text is not None else None


def switch_values(tool_value: ToolValue, key: Key) -> Iterator[Switch]:
    """Every value of a map, and of its nested maps if the key accepts patterns."""
    if isinstance(tool_value.entry.value, Map):
        for entry in tool_value.entry.value.entries:
            nests = key.role == "permission" and entry.name not in key.flat
            if isinstance(entry.value, Map) and nests:
                yield from (_switch(each) for each in entry.value.entries)
            else:
                yield _switch(entry)


def _switch(entry: Entry) -> Switch:
    value = entry.value
    text = value.value if isinstance(value, Scalar) else None
    return Switch(entry.name or "", value, text, isinstance(value, Scalar) and value.plain and not value.tag)


class Overridden(NamedTuple):
    """Two entries of one map: the late one overrides the early one."""

    early: Entry
    late: Entry
    action: Action
    later: Action
    within: str = ""
    """The tool whose patterns they are; empty for entries about whole tools."""


def shadowed_rules(subject: Subject) -> Iterator[Overridden]:
    values = {value.key: value.entry.value for value in subject.values}
    places: dict[str, Entry] = {}
    for name, key in subject.kind.keys.items():
        value = values.get(name)
        if key.role == "permission" and isinstance(value, Scalar):
            # `permission: allow` means `"*": allow`, after every entry of `tools`.
            tool_value = next(each for each in subject.values if each.key == name)
            places["*"] = Entry(tool_value.entry.key, value)
        if key.role not in ("switch", "permission") or not isinstance(value, Map):
            continue
        for entry in value.entries:
            # An entry that is repeated under another key replaces the first one in place.
            places[key.gates.get(entry.name or "", entry.name or "")] = entry
            if isinstance(entry.value, Map):
                yield from _shadowed([(each.name or "", each) for each in entry.value.entries], entry.name or "")
    yield from _shadowed(list(places.items()))


def overridden_denials(subject: Subject) -> Iterator[Overridden]:
    """Denials that an entry about the same gate replaces, because its key is read later."""
    values = {value.key: value.entry.value for value in subject.values}
    denials: dict[str, Entry] = {}
    for name, key in subject.kind.keys.items():
        value = values.get(name)
        if key.role not in ("switch", "permission") or not isinstance(value, Map):
            continue
        entries = {key.gates.get(entry.name or "", entry.name or ""): entry for entry in value.entries}
        for gate, late in entries.items():
            later = _general_action(late)
            if gate in denials and later not in (Action.DENY, None):
                yield Overridden(denials[gate], late, Action.DENY, later)
        denials.update({gate: entry for gate, entry in entries.items() if action_of(entry) is Action.DENY})


def _general_action(entry: Entry) -> Action | None:
    """What an entry says about uses that no pattern is about: they are allowed if it says nothing."""
    if not isinstance(entry.value, Map):
        return action_of(entry)
    general = [action_of(each) for each in entry.value.entries if each.name == "*"]
    return general[-1] if general else Action.ALLOW


def _shadowed(entries: Sequence[tuple[str, Entry]], within: str = "") -> Iterator[Overridden]:
    general = [
        (place, pattern, late)
        for place, (pattern, late) in enumerate(entries)
        if "*" in pattern and len(pattern) <= _MAX_LENGTH
    ][-max(_MAX_PAIRS // max(len(entries), 1), 1) :]
    for index, (gate, early) in enumerate(entries) if general else ():
        action = action_of(early)
        for place, pattern, late in general:
            later = action_of(late)
            if place <= index or action is None or later is None or later is action:
                continue
            if len(gate) <= _MAX_LENGTH and matches_wildcard(pattern, gate):
                yield Overridden(early, late, action, later, within)
                break


def action_of(entry: Entry) -> Action | None:
    """The action of a whole entry; for a nested map, which has several, the last one."""
    if isinstance(entry.value, Map):
        actions = [action_of(each) for each in entry.value.entries]
        return actions[-1] if actions else None
    return SWITCHES.get(entry.value.value.lower()) if isinstance(entry.value, Scalar) else None


def switches_nothing(subject: Subject, entry: ClassifiedItem) -> bool:
    """Does the entry's gate control no tool?"""
    gates = subject.kind.keys[entry.value.key].gates
    return not switched(subject.harness, gates.get(entry.item.name, entry.item.name))


def gates_of(subject: Subject, natives: Sequence[str]) -> tuple[str, ...]:
    """The gates that control native tools."""
    return tuple(dict.fromkeys(gate_of(name, subject.harness.tools[name]) for name in natives))
