"""How tool keys become tools: the named gate semantics that tables refer to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Protocol

from fsagent_lint.conditions import CONDITIONS
from fsagent_lint.harness import Harness, Key, Kind, NativeTool
from fsagent_lint.mcp import names_mcp, native_mcp, parse_mcp
from fsagent_lint.named import NamedTuple
from fsagent_lint.pattern import pattern
from fsagent_lint.policy import Action
from fsagent_lint.surroundings import NOTHING_AROUND, Layer, Surroundings
from fsagent_lint.syntax import Names, Refused, read_names, wrong_option
from fsagent_lint.values import Date, Value, type_name


class Given(NamedTuple):
    """Native tools, in the order of the table; `open`: unnamed tools (MCP, custom) are there too."""

    tools: tuple[str, ...]
    ask: tuple[str, ...]
    conditional: tuple[str, ...]
    denied: tuple[str, ...]
    open: bool
    custom: tuple[str, ...] = ()


class Refusal(NamedTuple):
    key: str
    problem: str


_NONE: frozenset[str] = frozenset()
_SPECIAL = frozenset("*?\\")
_WHOLE_NUMBER = pattern(r"0|[1-9][0-9]{0,9}")


class Semantics(Protocol):
    def __call__(
        self,
        data: Layer,
        harness: Harness,
        kind: Kind,
        owner: str,
        around: Surroundings = NOTHING_AROUND,
        said: Layer | None = None,
    ) -> Given | Refusal:
        """`said`: all that is said about the agent, in its file and beside it, where that is not `data` alone."""


def allow_list(
    data: Layer,
    harness: Harness,
    kind: Kind,
    owner: str,
    around: Surroundings = NOTHING_AROUND,
    said: Layer | None = None,
) -> Given | Refusal:
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
            denied |= gives(names, harness, owner)
        else:
            allowed = gives(names, harness, owner) | (allowed or set())
    there = harness.default_set
    if allowed is not None:
        there = frozenset((*harness.fixed_tools, *allowed, *_added(data, kind)))
    if around.denied:
        there = _without(there, _taken_away(around, harness), harness, is_open=allowed is None)
    left = there - denied if denied else there
    given = _given(left, _NONE, harness, data if said is None else said, is_open=allowed is None)
    return given._replace(custom=tuple(_mcp(data, harness, kind, around))) if around.mcp else given


def _mcp(data: Layer, harness: Harness, kind: Kind, around: Surroundings) -> Iterator[str]:
    """The tools of MCP servers that the agent is given."""
    lists: dict[str, list[str]] = {}
    for name, key in kind.keys.items():
        if name in data and isinstance(names := read_names(data[name], key), Names):
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


def _refusal(names: Names, value: Value, key: Key, harness: Harness) -> str:
    """The entry that keeps the file from loading, in words; empty where none does."""
    if (name_of_none := _unknown(names, harness)) is not None:
        return f"there is no tool `{name_of_none}`"
    if key.twice == "refused" and (again := _again(names, harness)) is not None:
        return f"`{again}` is there twice"
    return wrong_option(value, key) if key.option else ""


def _unknown(names: Names, harness: Harness) -> str | None:
    """The first entry that is the name of no tool."""
    for name in names.names:
        known = harness.lookup(name)
        if (known is None or known.status in ("removed", "inner")) and name not in harness.everything:
            if parse_mcp(name, harness) is None and harness.custom_name(name) is None:
                return name
    return None


def _again(names: Names, harness: Harness) -> str | None:
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


def gives(names: Names, harness: Harness, owner: str) -> set[str]:
    """The native tools that written names bring."""
    foreign = harness.foreign_names.get(owner)
    if foreign is not None:
        return {tool for name in names.names for tool in foreign.get(name, ())}
    return {tool for name in names.names for tool in harness.natives(name)}


def _given(
    wanted: frozenset[str], ask: frozenset[str], harness: Harness, data: dict[str, Value], *, is_open: bool
) -> Given:
    absent = [name for name, when in harness.uncertain_tools.items() if not CONDITIONS[when](data.get("model"))]
    return _in_order(wanted.difference(absent) if absent else wanted, ask, harness, is_open)


@lru_cache(maxsize=1024)
def _in_order(wanted: frozenset[str], ask: frozenset[str], harness: Harness, is_open: bool) -> Given:
    tools: list[str] = []
    asked: list[str] = []
    conditional: list[str] = []
    denied: list[str] = []
    for name, tool in harness.tools.items():
        if name not in wanted or not wanted.isdisjoint(tool.unless):
            denied.append(name)
        elif tool.presence == "conditional":
            conditional.append(name)
        else:
            (asked if name in ask else tools).append(name)
    return Given(tuple(tools), tuple(asked), tuple(conditional), tuple(denied), is_open)


class _Rule(NamedTuple):
    gate: str
    pattern: str
    action: Action


def last_match(
    data: Layer,
    harness: Harness,
    kind: Kind,
    owner: str,  # noqa: ARG001
    around: Surroundings = NOTHING_AROUND,
    said: Layer | None = None,
) -> Given | Refusal:
    """Everything is allowed; each entry is a rule, and the last one that matches a tool's gate decides."""
    shared, own = _merged(around.shared, kind), _merged((*around.under, data, *around.over), kind)
    for merged in (shared, own, _merged(around.others, kind)):
        if isinstance(merged, Refusal):
            return merged
    rules = [*_first_rules(harness)]
    for entries in (shared, own):
        for gate, value in _javascript_order(entries):  # type: ignore[arg-type]
            if isinstance(value, dict):
                rules += [_Rule(gate, uses, _ACTIONS[action]) for uses, action in _javascript_order(value)]
            else:
                rules.append(_Rule(gate, "*", _ACTIONS[value]))
    decide = _Rules(rules).decide
    decided = {name: decide(gate) for name, gate in _gates(harness).items()}
    return _given(
        frozenset(name for name, action in decided.items() if action is not Action.DENY),
        frozenset(name for name, action in decided.items() if action is Action.ASK),
        harness,
        data if said is None else said,
        is_open=decide("\0") is not Action.DENY,
    )._replace(custom=tuple(name for name in _more(around, harness) if decide(name) is not Action.DENY))


_ACTIONS = {action.value: action for action in Action}


@cache
def _first_rules(harness: Harness) -> tuple[_Rule, ...]:
    """What holds before a file says anything."""
    listed = [gate_of(name, tool) for name, tool in harness.tools.items() if tool.presence == "listed"]
    return (_Rule("*", "*", Action.ALLOW), *(_Rule(gate, "*", Action.DENY) for gate in listed))


@cache
def _gates(harness: Harness) -> dict[str, str]:
    return {name: gate_of(name, tool) for name, tool in harness.tools.items()}


def _more(around: Surroundings, harness: Harness) -> tuple[str, ...]:
    """Tools that are there beside the harness' own."""
    return (*around.custom, *(native_mcp(server, tool, harness) for server, tool in around.mcp))


def _merged(layers: tuple[Layer, ...], kind: Kind) -> dict[str, Value] | Refusal:
    """The entries of all layers; a later one replaces an entry where it stands, as a JavaScript object does."""
    merged: dict[str, Value] = {}
    for layer in layers:
        gates: dict[str, Value] = {}
        for name, key in kind.keys.items():
            if name not in layer:
                continue
            entries = _switches(layer[name]) if key.role == "switch" else _permissions(layer[name], key)
            if isinstance(entries, str):
                return Refusal(name, f"`{name}`: {entries}")
            gates.update({key.gates.get(entry, entry): action for entry, action in entries.items()})
        for gate, value in gates.items():
            before = merged.get(gate)
            merged[gate] = {**before, **value} if isinstance(before, dict) and isinstance(value, dict) else value
    return merged


def gate_of(name: str, tool: NativeTool) -> str:
    return tool.gate or name


class _Rules:
    """Rules in their order; the first one covers everything. There may be thousands."""

    def __init__(self, rules: list[_Rule]) -> None:
        self.rules = rules
        self.exact = {rule.gate: number for number, rule in enumerate(rules)}
        self.wild = [number for number, rule in enumerate(rules) if not _SPECIAL.isdisjoint(rule.gate)][::-1]

    def decide(self, gate: str) -> Action:
        """A tool is hidden only by a denial of every use; any narrower rule leaves it to be asked about in use."""
        last = self.exact.get(gate, -1)
        for number in self.wild:
            if number < last or matches_wildcard(self.rules[number].gate, gate):
                last = max(last, number)
                break
        rule = self.rules[last]
        return rule.action if rule.pattern == "*" else Action.ALLOW


def _javascript_order(entries: dict[str, Value]) -> list[tuple[str, Value]]:
    """JavaScript objects keep whole-number keys first, in order of size."""
    keys: Iterable[str] = entries
    if any(key[:1].isdecimal() for key in entries):
        numbers = [key for key in entries if _WHOLE_NUMBER.fullmatch(key) and int(key) < 2**32 - 1]
        keys = dict.fromkeys((*sorted(numbers, key=int), *entries))
    return [(key, entries[key]) for key in keys if key != "__proto__"]


def _switches(value: Value) -> dict[str, Value] | str:
    if isinstance(value, Date):
        return {}  # an object without keys
    if not isinstance(value, dict):
        return f"expected a map, got {type_name(value)}"
    for name, switch in value.items():
        if not isinstance(switch, bool):
            return f"`{name}` must be true or false, got {type_name(switch)}"
    return {name: "allow" if switch else "deny" for name, switch in value.items()}


def _permissions(value: Value, key: Key) -> dict[str, Value] | str:
    if key.nulls == "ignored":
        value = _without_nulls(value)
    if isinstance(value, Date):
        return {}
    if isinstance(value, str):
        value = {"*": value}
    if not isinstance(value, dict):
        return f"expected a map, got {type_name(value)}"
    for name, action in value.items():
        if isinstance(action, dict) and name in key.flat:
            return f"`{name}` takes allow, ask or deny, and no patterns"
        for each in action.values() if isinstance(action, dict) else [action]:
            if each not in ("allow", "ask", "deny"):
                return f"`{name}` must be allow, ask or deny"
    return value


def _without_nulls(value: Value) -> Value:
    if isinstance(value, dict):
        return {name: _without_nulls(each) for name, each in value.items() if each is not None}
    return {} if value is None else value


def matches_wildcard(glob: str, text: str) -> bool:
    """`*` is any text, `?` one character; what ends in ` *` also stands for the text before it.

    To go back to the latest star alone is enough, so the cost is pattern times text at most.
    """
    if glob == "*":
        return True
    glob = glob.replace("\\", "/")
    if glob.endswith(" *") and matches_wildcard(glob[:-2], text):
        return True
    place = at = resume = 0
    star = -1
    while at < len(text):
        char = glob[place : place + 1]
        if char == "*":
            star, resume = place, at
            place += 1
        elif char == text[at] or char == "?":
            place, at = place + 1, at + 1
        elif star >= 0:
            resume += 1
            place, at = star + 1, resume
        else:
            return False
    return not glob[place:].strip("*")


SEMANTICS: dict[str, Semantics] = {"allow-list": allow_list, "last-match": last_match}
