"""What a harness does with an agent that another agent delegates to: not every tool is handed on."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.effect.effect import Effect, effect
from fsagent_lint.effect.surroundings import NO_SURROUNDINGS, Surroundings
from fsagent_lint.effect.syntax import LISTS, NamesRead, read_names
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.harnesses.gates import gate_of
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind


def effect_as_subagent(
    document: Document, harness: Harness, kind: Kind, owner: str = "", around: Surroundings = NO_SURROUNDINGS
) -> Effect:
    found = effect(document, harness, kind, owner, around)
    return delegated(found, harness, kind) if found.loads else found


def delegated(found: Effect, harness: Harness, kind: Kind) -> Effect:
    """What is left of what an agent is given when a person asks for it."""
    for name, field in kind.fields.items():
        if field.private is not None and found.data.get(name) is field.private:
            return Effect(False, f"`{name}` keeps other agents from it", name, data=found.data)
    gone = frozenset(_gone(found, harness, kind))
    return found._replace(
        tools=tuple(name for name in found.tools if name not in gone),
        ask=tuple(name for name in found.ask if name not in gone),
        conditional=tuple(name for name in found.conditional if name not in gone),
        denied=tuple(name for name in harness.tools if name in found.denied or name in gone),
    )


def _gone(found: Effect, harness: Harness, kind: Kind) -> Iterator[str]:
    for name, field in kind.fields.items():
        if field.undelegated and found.data.get(name) is True:
            yield from field.undelegated
    named = frozenset(_named(found, harness, kind))
    for name, tool in harness.tools.items():
        is_named = gate_of(name, tool) in named
        if tool.delegated == "never" or (tool.delegated == "named" and not is_named):
            yield name
        if tool.delegated == "listed" and not is_named and not found.open:
            yield name


def _named(found: Effect, harness: Harness, kind: Kind) -> Iterator[str]:
    """Gates and native tools that the file speaks of."""
    for name, key in kind.keys.items():
        value = found.data.get(name)
        if key.syntax not in LISTS:
            yield from value if isinstance(value, dict) else ()
        elif name in found.data and isinstance(names := read_names(value, key), NamesRead):
            yield from (native for each in names.names for native in harness.natives(each))
