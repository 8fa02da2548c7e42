"""What a tool name in a file means: in its own harness, in another one, or in none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Literal

from fsagent_lint._fast import NamedTuple
from fsagent_lint.errors import UserError
from fsagent_lint.harnesses.gates import gate_of, matches_wildcard
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.mcp import has_ambiguous_names, mcp_names, parse_mcp
from fsagent_lint.harnesses.tables import (
    Tables,
    active_tables,
    all_harnesses,
    find_harness,
    get_harness,
    harnesses_with_field,
    harnesses_with_name,
)
from fsagent_lint.model.tool import TOOLS, Tool, parse_tools
from fsagent_lint.suggest import ascii_lower, nearest

How = Literal["own", "case", "mcp", "custom", "foreign-mcp", "foreign", "unknown"]


class Meaning(NamedTuple):
    """`how`: own (the harness knows it), case (known in another letter case), mcp (its form of an MCP tool), custom (a
    known custom tool, or its form of one if that is not the bare name), foreign-mcp and foreign (another harness's
    form or name), or unknown."""

    how: How
    tools: tuple[Tool, ...]
    harness: str = ""
    """The harness whose name it is."""
    spelling: str = ""
    """The correct spelling, for `case`."""


def identify(name: str, harness: Harness, servers: frozenset[str] = frozenset()) -> Meaning:
    """What a name means in a file of this harness; `servers`: the known MCP servers."""
    return _identify(name, harness, servers, active_tables())


@lru_cache(maxsize=1 << 17)  # no file has more names, and each is looked up many times
def _identify(name: str, harness: Harness, servers: frozenset[str], tables: Tables) -> Meaning:
    """The tables are part of the cache key: with other tables a name may belong to another harness."""
    own = _tools_of(name, harness)
    if own is not None:
        if name == harness.mcp.every:
            own = (Tool.mcp("*"), *(tool for tool in own if not tool.is_native))
        return Meaning("own", own, harness.id, name)
    if "*" in name and (tools := _tools_matching(name, harness)):
        return Meaning("own", tools, harness.id, name)
    if (known := _known_custom(harness, tables).get(name)) is not None:
        return Meaning("custom", (known,), harness.id, name)
    tool = parse_mcp(name, harness, servers)
    if tool is not None:
        return Meaning("mcp", (tool,), harness.id, name)
    if (custom := harness.custom_name(name)) is not None:
        return Meaning("custom", (Tool.custom(custom),), harness.id, name)
    if "**" in name and (tool := parse_mcp(name.replace("**", "__"), harness, servers)) is not None:
        # A markdown formatter turns `mcp__server__tool` into this.
        return Meaning("foreign-mcp", (tool,), harness.id, name)
    spelling = harness.spelling.get(ascii_lower(name))
    if spelling is not None:
        return Meaning("case", _tools_of(spelling, harness) or (), harness.id, spelling)
    return _identify_foreign(name, harness, servers)


def main_tools(meaning: Meaning) -> tuple[Tool, ...]:
    """The canonical tools that a name of this meaning is written for, without those that only come along."""
    return _main_tools(meaning, active_tables())


@lru_cache(maxsize=4096)
def _main_tools(meaning: Meaning, tables: Tables) -> tuple[Tool, ...]:  # noqa: ARG001
    main = get_harness(meaning.harness).main_tools(meaning.spelling) if meaning.harness else ()
    return tuple(tool for tool in meaning.tools if not main or tool.name in main or tool.risk is None)


def _tools_of(name: str, harness: Harness) -> tuple[Tool, ...] | None:
    """The tools that a name in the harness's table stands for: itself, if no canonical tool is like it."""
    canonical, known = harness.canonical(name), harness.lookup(name)
    if canonical is None or known is None:
        return None
    if canonical or known.status != "current":
        return _to_tools(canonical)
    return tuple(map(Tool.native, known.gives))


def _tools_matching(pattern: str, harness: Harness) -> tuple[Tool, ...]:
    """The tools whose gates match a pattern, if the harness accepts patterns at all."""
    if not any(key.role == "permission" for kind in harness.kinds.values() for key in kind.keys.values()):
        return ()
    natives = (facts for name, facts in harness.tools.items() if matches_wildcard(pattern, gate_of(name, facts)))
    return _to_tools(tuple(dict.fromkeys(tool for facts in natives for tool in facts.grants)))


def _identify_foreign(name: str, harness: Harness, servers: frozenset[str]) -> Meaning:
    others = [other for other in harnesses_with_name(name) if other.id != harness.id]
    # Of several harnesses that read the name, some in any letter case, its owner is the one that writes it so.
    others.sort(key=lambda other: (other.neutral, other.spelling.get(ascii_lower(name)) != name))
    for other in others:
        # A harness that ignores case may read a Kelvin sign as `k`; other harnesses do not.
        if name.isascii() and (tools := _tools_of(name, other)) is not None:
            return _foreign(name, name, tools, other)
    for other in _longest_notation_first(all_harnesses()) if _may_be_mcp(name) else ():
        tool = parse_mcp(name, other, servers) if other.id != harness.id else None
        if tool is not None and not (has_ambiguous_names(other) and tool.name != "*" and tool.server not in servers):
            return Meaning("foreign-mcp", (tool,), other.id, name)
    for other in others:
        if (spelling := other.spelling.get(ascii_lower(name))) is not None:
            return _foreign(name, spelling, _tools_of(spelling, other) or (), other)
    for other in all_harnesses():
        if other.id != harness.id and (custom := other.custom_name(name)) is not None:
            return Meaning("foreign", (Tool.custom(custom),), other.id, name)
    return Meaning("unknown", parse_tools(name) or (Tool.custom(name),))


def _may_be_mcp(name: str) -> bool:
    """Not a command, such as `rm -rf /*`."""
    return " /" not in name and " -" not in name and (not name.isalnum() or _means_every_mcp_tool(name))


def _foreign(name: str, spelling: str, tools: tuple[Tool, ...], owner: Harness) -> Meaning:
    if spelling == owner.mcp.every:
        return Meaning("foreign-mcp", (Tool.mcp("*"),), owner.id, name)
    return Meaning("foreign", tools, owner.id, spelling)


@lru_cache(maxsize=8)
def _longest_notation_first(harnesses: tuple[Harness, ...]) -> tuple[Harness, ...]:
    """Longest notation first, as the least ambiguous: `mcp:db/query` is not the tool `query` of a server `mcp:db`."""
    return tuple(sorted(harnesses, key=lambda harness: -len(harness.mcp.tool)))


def _means_every_mcp_tool(name: str) -> bool:
    """Does a harness use it for all MCP tools? Every other MCP name contains a punctuation character."""
    return any(name == harness.mcp.every for harness in all_harnesses())


def _to_tools(names: tuple[str, ...]) -> tuple[Tool, ...]:
    return tuple(TOOLS[name] for name in names)


@lru_cache(maxsize=1024)
def suggest(name: str, harness: Harness, *, sure: bool = False, more: tuple[str, ...] = ()) -> str | None:
    """The known name that a misspelt one most likely stands for; `sure`: only if nothing else is plausible.

    `more`: names that the project defines.
    """
    known = [*harness.names, *harness.tools, *more]
    tail = next((each for each in known if "/" in each and each.rpartition("/")[2] == name), None)
    if tail is not None:
        return tail
    guess = nearest(name, known)
    if guess is None or (sure and not _is_one_typo(ascii_lower(name), ascii_lower(guess))):
        return None
    known_as = harness.lookup(guess)
    return known_as.use[0] if known_as is not None and known_as.status != "current" and known_as.use else guess


@cache
def nearest_field(name: str, kind: Kind) -> str | None:
    """The field that a misspelt one most likely stands for."""
    return nearest(name, [*kind.fields, *kind.keys], 0.85)


def _is_one_typo(one: str, other: str) -> bool:
    """Do the words differ by one added, missing or wrong letter, or by two swapped letters?"""
    if len(one) < 3 or abs(len(one) - len(other)) > 1 or one == other:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, other_rest = one[start:], other[start:]
    swapped = rest[1:2] + rest[:1] + rest[2:]
    return rest[1:] in (other_rest, other_rest[1:]) or rest == other_rest[1:] or swapped == other_rest


def harness_with_field(name: str, kind: str, harness: Harness) -> str | None:
    """The other harness that uses a field of this name in the same kind of file."""
    return _field_owner(name, kind, harness, active_tables())


@lru_cache(maxsize=1024)
def _field_owner(name: str, kind: str, harness: Harness, tables: Tables) -> str | None:  # noqa: ARG001
    others = (id for id in harnesses_with_field(name, kind) if id != harness.id)
    return next((id for id in others if not get_harness(id).neutral), None)


def native_names(tools: Sequence[Tool], harness: Harness) -> tuple[str, ...]:
    """The names to write for tools in a harness; none for tools that it lacks or cannot name."""
    names: list[str] = []
    for tool in tools:
        if tool.server is not None:
            names += mcp_names(tool, harness)
        elif tool.is_custom:
            names += _custom_names(tool, harness)
        elif tool.is_native:
            names += (tool.name,) if _tools_of(tool.name, harness) == (tool,) else ()
        else:
            names += harness.write.get(tool.name) or harness.substitutes.get(tool.name, ())
    return tuple(dict.fromkeys(names))


class _Vocabulary:
    """What a tool asks the tables in force, as `model/tool.py: Vocabulary` has it."""

    def names(self, tools: tuple[Tool, ...], harness: str) -> tuple[str, ...]:
        return native_names(tools, find_harness(harness))

    def tools(self, name: str, harness: str) -> tuple[Tool, ...]:
        owner = find_harness(harness)
        found = identify(name, owner)
        if found.how in ("own", "mcp", "custom"):
            return found.tools
        guess = found.spelling if found.how == "case" else suggest(name, owner)
        advice = f"Did you mean `{guess}`?" if guess else f"`fsagent-lint tools --harness {owner.id}` lists them."
        raise UserError(f"{owner.title} has no tool `{name}`. {advice}")


Tool.vocabulary = _Vocabulary()


def _custom_names(tool: Tool, harness: Harness) -> tuple[str, ...]:
    """What to write for a custom tool; empty if the harness cannot name it, or takes the name for another tool."""
    name = custom_name(tool.name, harness)
    is_name = bool(name) and _NO_NAME.isdisjoint(name)
    return (name,) if is_name and identify(name, harness).tools == (tool,) else ()


_NO_NAME = frozenset(" \t\r\n,()*")
"""Characters that separate names, limit them or make patterns of them."""


def custom_name(tool: str, harness: Harness, *, defined: bool = False) -> str:
    """The name of a custom tool in a harness; empty if the harness lacks it or cannot name it.

    `defined`: the project defines it for this harness.
    """
    custom, name = active_tables().custom, harness.custom.format(name=tool)
    given = custom.get(tool)
    if given is not None:
        return given.get(harness.id, "")
    is_known = defined or tool in custom or harness.open_names or harness.custom_name(name) is not None
    return name if is_known and harness.takes_custom else ""


def known_custom(harness: Harness) -> Mapping[str, Tool]:
    """The custom tools that the config and installed packages name, by their names in a harness."""
    return _known_custom(harness, active_tables())


@lru_cache(maxsize=64)
def _known_custom(harness: Harness, tables: Tables) -> dict[str, Tool]:
    return {name: Tool.custom(tool) for tool in tables.custom if (name := custom_name(tool, harness))}


# Cyrillic and Greek letters that look like Latin ones.
_LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеорсухіјѕԁԛԝһΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαιν" + "ſıǀ",
    "ABESIJKMHOPCTYXaeopcyxijsdqwhABEZHIKMNOPTYXoaiv" + "sil",
)


def skeleton(text: str) -> str:
    """The text as a person would read it; only for comparison, never for output."""
    import unicodedata

    folded = unicodedata.normalize("NFKC", text.translate(_LOOK_ALIKES)).translate(_LOOK_ALIKES)
    return "".join(char for char in unicodedata.normalize("NFD", folded) if not _is_invisible(char))


def _is_invisible(char: str) -> bool:
    import unicodedata

    return unicodedata.category(char) in ("Cf", "Mn", "Me", "Cc") or char in "\u3164\u115f\u1160\uffa0\u00a0"
