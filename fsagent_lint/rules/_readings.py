"""How harnesses read a file otherwise than it looks, or than its own harness does."""

from __future__ import annotations

from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.tool_values import ToolValue
from fsagent_lint.agent.widening import excess
from fsagent_lint.effect.effect import effect
from fsagent_lint.effect.syntax import NamesRead, read_names
from fsagent_lint.harnesses.kind import Key
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.tool import HARMFUL, Tool


def wider_elsewhere(subject: Subject) -> dict[str, tuple[Tool, ...]]:
    """Harness to the harmful tools that it grants the agent of this file beyond what was meant."""
    result = {}
    for id in subject.kind.read_by:
        harness = get_harness(id)
        kind = harness.kinds.get(subject.kind_name)
        there = effect(subject.document, harness, kind, owner=subject.harness.id) if kind is not None else None
        if there is not None and there.loads:
            more = excess(subject.intent.policy, harness, (*there.tools, *there.ask))
            if harmful := tuple(tool for tool in more if tool.risk in HARMFUL):
                result[id] = harmful
    return result


def misread(subject: Subject, written: ToolValue, key: Key) -> tuple[str, ...] | None:
    """The names that the harness takes from a list or a string; None where they are those that anyone would see."""
    if written.key not in subject.effect.data:
        return None
    names = read_names(subject.effect.data[written.key], key)
    if not isinstance(names, NamesRead):
        return ()
    seen = {item.text if key.scopes == "dropped" else item.name for item in written.items}
    # A scope that makes the harness stumble is another rule's business.
    strict = {name.partition("(")[0] if key.scopes == "dropped" else name for name in names.names}
    seen = {name.partition("(")[0] for name in seen}
    return names.names if {name.partition("(")[0] for name in strict} != seen else None
