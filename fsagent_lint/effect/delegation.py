"""The effect of a file when another agent delegates to the agent: not every tool is granted then."""

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
    document: Document, harness: Harness, kind: Kind, owner: str = "", surroundings: Surroundings = NO_SURROUNDINGS
) -> Effect:
    direct = effect(document, harness, kind, owner, surroundings)
    return delegated(direct, harness, kind) if direct.loads else direct


def delegated(direct: Effect, harness: Harness, kind: Kind) -> Effect:
    """The effect for a delegated agent; `direct`: the effect when the user invokes the agent."""
    for name, field in kind.fields.items():
        value = direct.data.get(name)
        if (field.private is not None and value is field.private) or value in field.private_values:
            return Effect(False, f"`{name}` keeps other agents from it", name, data=direct.data)
    withheld = frozenset(_withheld(direct, harness, kind))
    found = direct._replace(
        tools=tuple(name for name in direct.tools if name not in withheld),
        ask=tuple(name for name in direct.ask if name not in withheld),
        conditional=tuple(name for name in direct.conditional if name not in withheld),
        denied=tuple(name for name in harness.tools if name in direct.denied or name in withheld),
    )
    if kind.delegated_without_tools == "refused" and not (found.natives or found.custom or found.open):
        if key := _without_meaning(direct, kind):
            return Effect(False, f"nothing in `{key}` grants a tool", key, data=direct.data)
    return found


def _without_meaning(direct: Effect, kind: Kind) -> str:
    """The key whose entries grant nothing; empty if no key has entries."""
    for name, key in kind.keys.items():
        if key.role == "allow" and name in direct.data:
            names = read_names(direct.data[name], key)
            if isinstance(names, NamesRead) and names.names:
                return name
    return ""


def _withheld(direct: Effect, harness: Harness, kind: Kind) -> Iterator[str]:
    for name, field in kind.fields.items():
        if field.undelegated and direct.data.get(name) is True:
            yield from field.undelegated
    named = frozenset(_named(direct, harness, kind))
    for name, tool in harness.tools.items():
        is_named = gate_of(name, tool) in named
        if tool.delegated in ("never", "foreground") or (tool.delegated == "named" and not is_named):
            yield name
        if tool.delegated == "listed" and not is_named and not direct.open:
            yield name


def _named(direct: Effect, harness: Harness, kind: Kind) -> Iterator[str]:
    """Gates and native tools that the file names."""
    for name, key in kind.keys.items():
        value = direct.data.get(name)
        if key.syntax not in LISTS:
            yield from value if isinstance(value, dict) else ()
        elif name in direct.data and isinstance(names := read_names(value, key), NamesRead):
            yield from (native for each in names.names for native in harness.natives(each))
