"""Lists that allow and deny: the semantics of harnesses where a key names tools."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.effect.outcome import Outcome, Refusal, in_order
from fsagent_lint.effect.surroundings import NO_SURROUNDINGS, Layer, Surroundings
from fsagent_lint.effect.syntax import NamesRead, Refused, read_names, wrong_option
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
    around: Surroundings = NO_SURROUNDINGS,
    said: Layer | None = None,
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
        if any(entry in harness.everything for entry in names.names):
            continue  # every tool is allowed, as without the key; and a denial of everything denies nothing
        if key.role == "deny":
            denied |= _gives(names, harness, owner)
        else:
            allowed = _gives(names, harness, owner) | (allowed or set())
    there = harness.default_set
    if allowed is not None:
        there = frozenset((*harness.fixed_tools, *allowed, *_added(data, kind)))
    if around.denied:
        there = _without(there, _taken_away(around, harness), harness, is_open=allowed is None)
    left = there - denied if denied else there
    given = in_order(left, _NONE, harness, data if said is None else said, is_open=allowed is None)
    return given._replace(custom=tuple(_mcp(data, harness, kind, around))) if around.mcp else given


def _mcp(data: Layer, harness: Harness, kind: Kind, around: Surroundings) -> Iterator[str]:
    """The tools of MCP servers that the agent is given."""
    lists: dict[str, list[str]] = {}
    for name, key in kind.keys.items():
        if name in data and isinstance(names := read_names(data[name], key), NamesRead):
            if not set(names.names) & set(harness.everything):
                lists.setdefault(key.role, []).extend(names.names)
    for server, tool in around.mcp:
        allowed = "allow" not in lists or any(
            names_mcp(entry, server, tool, harness, allows=True) for entry in lists["allow"]
        )
        denied = (*lists.get("deny", ()), *around.denied)
        if allowed and not any(
            entry == harness.mcp.every or names_mcp(entry, server, tool, harness) for entry in denied
        ):
            yield native_mcp(server, tool, harness)


def _refusal(names: NamesRead, value: Value, key: Key, harness: Harness) -> str:
    """The entry that keeps the file from loading, in words; empty where none does."""
    if (name_of_none := _unknown(names, harness)) is not None:
        return f"there is no tool `{name_of_none}`"
    if key.twice == "refused" and (again := _again(names, harness)) is not None:
        return f"`{again}` is there twice"
    return wrong_option(value, key) if key.option else ""


def _unknown(names: NamesRead, harness: Harness) -> str | None:
    """The first entry that is the name of no tool."""
    for name in names.names:
        known = harness.lookup(name)
        if (known is None or known.status in ("removed", "inner")) and name not in harness.everything:
            if parse_mcp(name, harness) is None and harness.custom_name(name) is None:
                return name
    return None


def _again(names: NamesRead, harness: Harness) -> str | None:
    """The first entry that is there already; one that no agent is given does not count."""
    seen: set[str] = set()
    for name in names.names:
        known = harness.lookup(name)
        if name in seen and not (known is not None and known.status == "withheld"):
            return name
        seen.add(name)
    return None


def _added(data: Layer, kind: Kind) -> set[str]:
    """The native tools that other fields bring, however few the file names."""
    fields = (field for name, field in kind.fields.items() if field.adds and data.get(name) in field.values)
    return {tool for field in fields for tool in field.adds}


def _without(there: frozenset[str], gone: set[str], harness: Harness, *, is_open: bool) -> frozenset[str]:
    """Where a tool is gone, those that stand in for it come."""
    stand_ins = {name for name, tool in harness.tools.items() if tool.unless and gone.issuperset(tool.unless)}
    return (there | stand_ins if is_open else there) - gone


def _taken_away(around: Surroundings, harness: Harness) -> set[str]:
    """The native tools that the project denies to every agent.

    Those that only stand in for others are not there yet when its denials are looked at.
    """
    gone: set[str] = set()
    for name in around.denied:
        natives = harness.tools if name in harness.everything else harness.natives(name)
        gone |= {native for native in natives if not harness.tools[native].unless}
    return gone


def _gives(names: NamesRead, harness: Harness, owner: str) -> set[str]:
    """The native tools that written names bring."""
    foreign = harness.foreign_names.get(owner)
    if foreign is not None:
        return {tool for name in names.names for tool in foreign.get(name, ())}
    return {tool for name in names.names for tool in harness.natives(name)}
