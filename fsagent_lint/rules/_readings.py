"""How other harnesses, and the file's own, read a file differently from what its author intended."""

from __future__ import annotations

from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.tool_values import ToolValue
from fsagent_lint.agent.widening import bounds_of, excess
from fsagent_lint.effect.effect import effect
from fsagent_lint.effect.syntax import NamesRead, read_names
from fsagent_lint.harnesses.kind import Key
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.tool import HARMFUL, Tool


def wider_elsewhere(subject: Subject) -> dict[str, tuple[Tool, ...]]:
    """For each other reader: the harmful tools that it grants beyond the intended ones."""
    gained = {}
    for id in subject.kind.read_by:
        harness = get_harness(id)
        kind = harness.kinds.get(subject.kind_name)
        result = effect(subject.document, harness, kind, owner=subject.harness.id) if kind is not None else None
        if result is not None and result.loads:
            extra = excess(bounds_of(subject), harness, (*result.tools, *result.ask))
            if harmful := tuple(tool for tool in extra if tool.risk in HARMFUL):
                gained[id] = harmful
    return gained


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
    return names.names if {name.partition("(")[0] for name in strict} != seen else None
