"""What a harness does with an agent that another agent delegates to: some tools are not handed on."""

from __future__ import annotations

from fsagent_lint.document import Document
from fsagent_lint.effect import Effect, effect
from fsagent_lint.harness import Harness, Kind
from fsagent_lint.semantics import gate_of
from fsagent_lint.surroundings import NOTHING_AROUND, Surroundings


def effect_as_subagent(
    document: Document, harness: Harness, kind: Kind, owner: str = "", around: Surroundings = NOTHING_AROUND
) -> Effect:
    found = effect(document, harness, kind, owner, around)
    return without_undelegated(found, harness, kind) if found.loads else found


def without_undelegated(found: Effect, harness: Harness, kind: Kind) -> Effect:
    """What is left of an agent's tools."""
    named = {entry for key in kind.keys for entry in _entries(found.data.get(key))}
    gone = frozenset(
        name
        for name, tool in harness.tools.items()
        if tool.delegated == "never" or (tool.delegated == "named" and gate_of(name, tool) not in named)
    )
    return found._replace(
        tools=tuple(name for name in found.tools if name not in gone),
        ask=tuple(name for name in found.ask if name not in gone),
        conditional=tuple(name for name in found.conditional if name not in gone),
        denied=tuple(name for name in harness.tools if name in found.denied or name in gone),
    )


def _entries(value: object) -> tuple[str, ...]:
    """The names in a map of switches or permissions."""
    return tuple(value) if isinstance(value, dict) else ()
