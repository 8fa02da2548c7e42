"""Allow and deny lists: the semantics of harnesses where a tool key lists tools."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.effect.outcome import Outcome, Refusal, make_outcome
from fsagent_lint.effect.surroundings import NO_SURROUNDINGS, Layer, Surroundings
from fsagent_lint.effect.syntax import NamesRead, Refused, option_problem, read_names
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Key, Kind
from fsagent_lint.harnesses.mcp import names_mcp, native_mcp, parse_mcp

_NONE: frozenset[str] = frozenset()


def allow_list(
    data: Layer,
    harness: Harness,
    kind: Kind,
    owner: str,
    surroundings: Surroundings = NO_SURROUNDINGS,
    settings: Layer | None = None,
) -> Outcome | Refusal:
    """A key that is there names all the tools; one that is not leaves the default inventory; denials win."""
    allowed: set[str] | None = None
    denied: set[str] = set()
    for name, key in kind.keys.items():
        if key.required and name not in data:
            return Refusal(name, f"`{name}` is missing")
        names = read_names(data[name], key) if name in data else None
        if isinstance(names, Refused):
            return Refusal(name, f"`{name}`: {names.problem}")
        if names is None or key.role not in ("allow", "deny"):
            continue
        if key.unknown == "refused" and (problem := _refusal(names, data[name], key, harness)):
            return Refusal(name, f"`{name}`: {problem}")
        if any(entry in names.names for entry in harness.everything):
            continue  # every tool is allowed, as without the key; denying everything denies nothing
        if key.role == "deny":
            denied |= _natives(names, harness, owner)
            denied |= _falling(denied, harness)
        else:
            allowed = _natives(names, harness, owner) | (allowed or set())
    available = harness.default_set
    if allowed is not None:
        available = frozenset((*harness.fixed_tools, *allowed, *_added(data, kind)))
    if surroundings.denied:
        available = _without(available, _denied_by_project(surroundings, harness), harness, is_open=allowed is None)
    granted = available - denied if denied else available
    outcome = make_outcome(granted, _NONE, harness, data if settings is None else settings, is_open=allowed is None)
    return (
        outcome._replace(custom=tuple(_mcp_tools(data, harness, kind, surroundings))) if surroundings.mcp else outcome
    )


def _mcp_tools(data: Layer, harness: Harness, kind: Kind, surroundings: Surroundings) -> Iterator[str]:
    """The tools of MCP servers that are granted to the agent."""
    lists: dict[str, list[str]] = {}
    for name, key in kind.keys.items():
        if name in data and isinstance(names := read_names(data[name], key), NamesRead):
            if not set(names.names) & set(harness.everything):
                lists.setdefault(key.role, []).extend(names.names)
    for server, tool in surroundings.mcp:
        allowed = "allow" not in lists or any(
            names_mcp(entry, server, tool, harness, allows=True) for entry in lists["allow"]
        )
        denied = (*lists.get("deny", ()), *surroundings.denied)
        if allowed and not any(
            entry == harness.mcp.every or names_mcp(entry, server, tool, harness) for entry in denied
        ):
            yield native_mcp(server, tool, harness)


def _refusal(names: NamesRead, value: Value, key: Key, harness: Harness) -> str:
    """Why an entry keeps the file from loading; empty if none does."""
    if (unknown := _first_unknown(names, harness)) is not None:
        return f"there is no tool `{unknown}`"
    if key.twice == "refused" and (repeated := _first_repeated(names, harness)) is not None:
        return f"`{repeated}` occurs twice"
    return option_problem(value, key) if key.option else ""


def _first_unknown(names: NamesRead, harness: Harness) -> str | None:
    """The first entry that does not name a tool."""
    for name in names.names:
        known = harness.lookup(name)
        if (known is None or known.status in ("removed", "inner")) and name not in harness.everything:
            if parse_mcp(name, harness) is None and harness.custom_name(name) is None:
                return name
    return None


def _first_repeated(names: NamesRead, harness: Harness) -> str | None:
    """The first duplicate entry; a tool that is never granted does not count."""
    seen: set[str] = set()
    for name in names.names:
        known = harness.lookup(name)
        if name in seen and not (known is not None and known.status == "withheld"):
            return name
        seen.add(name)
    return None


def _added(data: Layer, kind: Kind) -> set[str]:
    """The native tools that other fields grant, even if the file does not list them."""
    fields = (field for name, field in kind.fields.items() if field.adds and data.get(name) in field.values)
    return {tool for field in fields for tool in field.adds}


def _falling(denied: set[str], harness: Harness) -> set[str]:
    """The tools that these denials deny as well."""
    return {name for name, others in harness.falling_tools.items() if not denied.isdisjoint(others)}


def _without(available: frozenset[str], denied: set[str], harness: Harness, *, is_open: bool) -> frozenset[str]:
    """The tools without the denied ones, but with the substitutes for those."""
    substitutes = {name for name, tool in harness.tools.items() if tool.unless and denied.issuperset(tool.unless)}
    return (available | substitutes if is_open else available) - denied


def _denied_by_project(surroundings: Surroundings, harness: Harness) -> set[str]:
    """The native tools that the project denies to every agent.

    Substitutes for other tools are not there yet when the harness applies these denials.
    """
    denied: set[str] = set()
    for name in surroundings.denied:
        natives = harness.tools if name in harness.everything else harness.natives(name)
        denied |= {native for native in natives if not harness.tools[native].unless}
    return denied | _falling(denied, harness)


def _natives(names: NamesRead, harness: Harness, owner: str) -> set[str]:
    """The native tools that the names grant."""
    foreign = harness.foreign_names.get(owner)
    if foreign is not None:
        return {tool for name in names.names for tool in foreign.get(name, ())}
    return {tool for name in names.names for tool in harness.natives(name)}
