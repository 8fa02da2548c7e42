"""How two files of one agent differ in effect: in what both harnesses could express, not in how the files are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.abilities import Abilities, Limit
from fsagent_lint.effect.presets import FORM
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.mcp import mcp_names
from fsagent_lint.harnesses.model_names import model_family, write_model
from fsagent_lint.model.policy import Action
from fsagent_lint.model.tool import COMPANIONS, HARMFUL, TOOLS, Risk, Tool

_SHELL = Tool.Shell


class Differences(NamedTuple):
    """Seen from one of the two files."""

    here: tuple[str, ...] = ()
    """Tools that only this agent has."""
    there: tuple[str, ...] = ()
    harmful: bool = False
    """Does one of them have a tool of a harmful risk that the other has no tool of, or without a limit?"""
    limits: tuple[tuple[str, str, str], ...] = ()
    """Tools that are limited to other uses, with the limits here and there."""
    models: tuple[str, str] = ("", "")
    prompt: int = 0
    """How many sentences are in one prompt only."""

    def __bool__(self) -> bool:
        return self != Differences()


def is_copy(one: Abilities, other: Abilities) -> bool:
    """Is one prompt a copy of the other? At least half of the sentences of the shorter one are in the other, too.

    Two agents that merely have the same name are not to be compared.
    """
    return _shares_half(one, other, min(len(one.prompt), len(other.prompt)))


def is_near_copy(one: Abilities, other: Abilities) -> bool:
    """Are at least half of the sentences of the longer one in the other, too? Then one was not rewritten for its harness."""
    return _shares_half(one, other, max(len(one.prompt), len(other.prompt)))


def _shares_half(one: Abilities, other: Abilities, sentences: int) -> bool:
    if one.letters == other.letters:
        return True
    return 2 * (Counter(one.prompt) & Counter(other.prompt)).total() >= sentences > 0


def differences(here: Abilities, there: Abilities) -> Differences:
    tools_here, tools_there, limits, harmful = [], [], [], False
    if here.kind.restricts and there.kind.restricts:
        only_here, only_there = list(_surplus(here, there)), list(_surplus(there, here))
        tools_here = [*map(str, only_here), *map(str, _surplus_servers(here, there))]
        tools_there = [*map(str, only_there), *map(str, _surplus_servers(there, here))]
        limits = list(_limits(here, there))
        harmful = any(_adds_risk(tool, there) for tool in only_here) or any(
            _adds_risk(tool, here) for tool in only_there
        )
    return Differences(
        tuple(tools_here),
        tuple(tools_there),
        harmful or bool(limits),
        tuple(limits),
        _models(here, there),
        _sentences(here, there),
    )


def _surplus(one: Abilities, other: Abilities) -> Iterator[Tool]:
    """The tools that one agent has and the other lacks because its file says so, if both files could say otherwise."""
    for tool in sorted(one.granted - other.granted - other.doubtful):
        lacks = other.policy.action(tool) is Action.DENY and tool in _writable(other.harness)
        has = (
            one.policy.action(tool) is not Action.DENY
            and tool not in _fixed(one.harness)
            and not _is_doubtful(tool, one)
        )
        if tool in one.limits and not _takes_limits(other, tool):
            continue
        if not (lacks and has) or _is_along(tool, one, other) or _brings_more(tool, other, one):
            continue
        if tool.risk in HARMFUL or _is_decided(tool, one, other):
            yield tool


def _is_decided(tool: Tool, one: Abilities, other: Abilities) -> bool:
    """Does a file name a harmless tool? Which of them an agent has by default depends on the harness."""
    if tool.risk is Risk.READ and _has_whole_shell(other):
        return False  # a shell can read every file
    is_main = any(tool in facts.main for facts in one.harness.tools.values())
    return is_main and tool in one.policy.named()


def _is_along(tool: Tool, one: Abilities, other: Abilities) -> bool:
    """Does the harness grant the tool only together with something of its risk that the other agent has, too?"""
    names = {each.name for each in other.granted}
    if COMPANIONS.get(tool.name) in names or any(COMPANIONS.get(each) == tool.name for each in names):
        return True
    if presets := _presets(one.kind):
        return tool in frozenset[Tool]().union(*(_granted_by(one.harness, names) for names in presets))
    bundles = ((each, _bundle(one.harness, each)) for each in other.granted)
    return any(tool in found and (each.risk is tool.risk or tool.risk not in HARMFUL) for each, found in bundles)


def _brings_more(tool: Tool, other: Abilities, one: Abilities) -> bool:
    """Would the other harness grant something harmful with the tool that this agent does not have, or is denied?"""
    risks = {each.risk for each in one.granted if one.policy.action(each) is not Action.DENY}
    denied, harness = {*_denied(one)}, other.harness
    presets = _presets(other.kind)
    more = _bundle(harness, tool) if not presets else frozenset(harness.granted(harness.default_tools))
    return any((each.risk in HARMFUL and each.risk not in risks) or each in denied for each in more)


def _is_doubtful(tool: Tool, one: Abilities) -> bool:
    """Is another tool of this harmful risk denied? A list for another harness then leaves out all tools of the risk."""
    return tool.risk in HARMFUL and any(each.risk is tool.risk for each in _denied(one))


def _denied(one: Abilities) -> Iterator[Tool]:
    """The tools that are denied by name, while others are allowed."""
    if one.policy.default is not Action.DENY:
        yield from (tool for tool in one.policy.named() if one.policy.action(tool) is Action.DENY)


def _adds_risk(tool: Tool, other: Abilities) -> bool:
    if tool.risk not in HARMFUL or _has_whole_shell(other):
        return False
    return tool.risk not in {each.risk for each in other.granted}


def _has_whole_shell(agent: Abilities) -> bool:
    return _SHELL in agent.granted and _SHELL not in agent.limits and _SHELL not in agent.asks


def _surplus_servers(one: Abilities, other: Abilities) -> Iterator[Tool]:
    """MCP tools that one file names and the other does not allow."""
    if other.harness.only_names or _presets(other.kind):
        return
    for (server, name), tool in one.servers.items():
        written = mcp_names(tool, other.harness)
        if not written or not other.names.isdisjoint(written):
            continue  # it cannot be named there; or `db_query` is, which may be any tool as long as nobody knows the server
        known = [other.servers[key] for key in ((server, name), (server, "*"), ("*", "*")) if key in other.servers]
        part = [each for (of, _), each in other.servers.items() if of == server] if name == "*" else []
        granted = one.policy.action(tool) is not Action.DENY
        allowed = [other.policy.action(each) is not Action.DENY for each in (*known, *part)] or [
            other.policy.action(tool) is not Action.DENY
        ]
        if granted and not any(allowed):
            yield tool


def _limits(here: Abilities, there: Abilities) -> Iterator[tuple[str, str, str]]:
    """Tools that both have, limited to different uses, if both harnesses know limits."""
    for tool in sorted((here.limits.keys() | there.limits.keys()) & here.granted & there.granted):
        if _takes_limits(here, tool) and _takes_limits(there, tool):
            one, other = here.limits.get(tool), there.limits.get(tool)
            if one != other:
                yield str(tool), _show(one), _show(other)


def _takes_limits(agent: Abilities, tool: Tool) -> bool:
    keys = [key for key in agent.kind.keys.values() if key.role != "approve"]
    names = agent.harness.write.get(tool.name, ())
    return any(
        (key.scopes == "honoured" and set(names).isdisjoint(key.flat)) or not set(names).isdisjoint(key.scoped)
        for key in keys
    )


def _show(limit: Limit | None) -> str:
    if limit is None:
        return "any use"
    if limit.allowed:
        return ", ".join(f"`{each}`" for each in sorted(limit.allowed))
    return f"all but {', '.join(f'`{each}`' for each in sorted(limit.denied))}"


def _models(here: Abilities, there: Abilities) -> tuple[str, str]:
    """The models, if they are of different families although each harness has the other's."""
    one, other = _model(here), _model(there)
    mine, theirs = (model_family(text) for text in (one, other))
    if not mine or not theirs or mine == theirs:
        return "", ""
    can_change = write_model(one, there.harness.models) or write_model(other, here.harness.models)
    return (one, other) if can_change else ("", "")


def _model(agent: Abilities) -> str:
    value: Value = agent.model
    if isinstance(value, list):
        value = value[0] if value else None
    return value if isinstance(value, str) and value != agent.harness.models.inherit else ""


def _sentences(here: Abilities, there: Abilities) -> int:
    if here.letters == there.letters:
        return 0
    one, other = Counter(here.prompt), Counter(there.prompt)
    return max((one - other).total(), (other - one).total())


def _presets(kind: Kind) -> list[tuple[str, ...]]:
    """The names that its presets stand for, if tools cannot be named in any other way: `readonly: true`."""
    keys = [key for key in kind.keys.values() if key.role != "approve"]
    if not all(key.forms == (FORM,) for key in keys):
        return []
    return [names for key in keys for names in key.presets.values() if "*" not in names]


def _granted_by(harness: Harness, names: Iterable[str]) -> frozenset[Tool]:
    return frozenset(harness.granted(native for name in names for native in harness.natives(name)))


@lru_cache(maxsize=1024)
def _bundle(harness: Harness, tool: Tool) -> frozenset[Tool]:
    """The canonical tools that are granted or denied together with one, itself included."""
    natives = {native for native, facts in harness.tools.items() if tool in facts.granted}
    gates = {harness.tools[native].gate or native for native in natives}
    natives |= {native for native, facts in harness.tools.items() if (facts.gate or native) in gates}
    names = (*harness.write.get(tool.name, ()), *harness.substitutes.get(tool.name, ()))
    natives |= {native for name in names for native in harness.natives(name)}
    return frozenset(harness.granted(natives))


@lru_cache(maxsize=256)
def _writable(harness: Harness) -> frozenset[Tool]:
    """The canonical tools that a file can name so that the harness grants them."""
    pairs = (
        (TOOLS[tool], native)
        for tool, names in harness.write.items()
        for name in names
        for native in harness.natives(name)
    )
    return frozenset(tool for tool, native in pairs if tool in harness.tools[native].granted)


@lru_cache(maxsize=256)
def _fixed(harness: Harness) -> frozenset[Tool]:
    """The canonical tools of every agent that lists its tools."""
    return frozenset(harness.granted(harness.fixed_tools))
