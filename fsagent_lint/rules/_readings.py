"""Files that several harnesses read: what the others give the agent beyond what was meant."""

from __future__ import annotations

from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.tool_values import ToolValue
from fsagent_lint.effect.effect import effect
from fsagent_lint.effect.syntax import NamesRead, read_names
from fsagent_lint.harnesses.kind import Key
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.tool import HARMFUL, Tool


def wider_elsewhere(subject: Subject) -> dict[str, tuple[Tool, ...]]:
    """Harness to the tools that it gives the agent against the author's intent."""
    policy = subject.intent.policy
    result = {}
    for id in subject.kind.read_by:
        given = dict.fromkeys(_given(subject, id))
        gained = tuple(tool for tool in given if tool.risk in HARMFUL and policy.forbids(tool))
        if gained:
            result[id] = gained
    return result


def _given(subject: Subject, id: str) -> list[Tool]:
    """The canonical tools that a harness gives the agent of this file."""
    harness = get_harness(id)
    kind = harness.kinds.get(subject.kind_name)
    if kind is None:
        return []
    result = effect(subject.document, harness, kind, owner=subject.harness.id)
    if not result.loads:
        return []
    return [tool for native in (*result.tools, *result.ask) for tool in harness.tools[native].granted]


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
