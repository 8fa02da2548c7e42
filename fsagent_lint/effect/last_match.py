"""Rules over gates, where the last match wins: the semantics of harnesses where a key enables or disables tools."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from fsagent_lint._fast import NamedTuple, pattern
from fsagent_lint.effect.outcome import Outcome, Refusal, make_outcome
from fsagent_lint.effect.surroundings import NO_SURROUNDINGS, Layer, Surroundings
from fsagent_lint.frontmatter.values import Date, Value, type_name
from fsagent_lint.harnesses.gates import gate_of, matches_wildcard
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Key, Kind
from fsagent_lint.harnesses.mcp import native_mcp
from fsagent_lint.model.policy import Action

_SPECIAL = frozenset("*?\\")
_WHOLE_NUMBER = pattern(r"0|[1-9][0-9]{0,9}")


class _Rule(NamedTuple):
    gate: str
    pattern: str
    action: Action


def last_match(
    data: Layer,
    harness: Harness,
    kind: Kind,
    owner: str,  # noqa: ARG001
    surroundings: Surroundings = NO_SURROUNDINGS,
    settings: Layer | None = None,
) -> Outcome | Refusal:
    """Everything is allowed; each entry is a rule, and the last one that matches a tool's gate decides."""
    shared, own = (
        _merge_layers(surroundings.shared, kind),
        _merge_layers((*surroundings.under, data, *surroundings.over), kind),
    )
    for merged in (shared, own, _merge_layers(surroundings.others, kind)):
        if isinstance(merged, Refusal):
            return merged
    rules = [*_default_rules(harness)]
    for entries in (shared, own):
        for gate, value in _javascript_order(entries):  # type: ignore[arg-type]
            if isinstance(value, dict):
                rules += [_Rule(gate, scope, _ACTIONS[action]) for scope, action in _javascript_order(value)]
            else:
                rules.append(_Rule(gate, "*", _ACTIONS[value]))
    decide = _Rules(rules).decide
    decided = {name: decide(gate) for name, gate in _gates(harness).items()}
    return make_outcome(
        frozenset(name for name, action in decided.items() if action is not Action.DENY),
        frozenset(name for name, action in decided.items() if action is Action.ASK),
        harness,
        data if settings is None else settings,
        is_open=decide("\0") is not Action.DENY,
    )._replace(custom=tuple(name for name in _added_tools(surroundings, harness) if decide(name) is not Action.DENY))


_ACTIONS = {action.value: action for action in Action}


@cache
def _default_rules(harness: Harness) -> tuple[_Rule, ...]:
    """The rules that apply before those of any file."""
    listed = [gate_of(name, tool) for name, tool in harness.tools.items() if tool.presence == "listed"]
    return (_Rule("*", "*", Action.ALLOW), *(_Rule(gate, "*", Action.DENY) for gate in listed))


@cache
def _gates(harness: Harness) -> dict[str, str]:
    return {name: gate_of(name, tool) for name, tool in harness.tools.items()}


def _added_tools(surroundings: Surroundings, harness: Harness) -> tuple[str, ...]:
    """Tools that exist in addition to the harness's own."""
    return (*surroundings.custom, *(native_mcp(server, tool, harness) for server, tool in surroundings.mcp))


def _merge_layers(layers: tuple[Layer, ...], kind: Kind) -> dict[str, Value] | Refusal:
    """The entries of all layers; a later value replaces an earlier one in its position, as in a JavaScript object."""
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


class _Rules:
    """Rules in their order; the first one covers everything. Indexed, because there may be thousands."""

    def __init__(self, rules: list[_Rule]) -> None:
        self.rules = rules
        self.exact = {rule.gate: number for number, rule in enumerate(rules)}
        self.wildcards = [number for number, rule in enumerate(rules) if not _SPECIAL.isdisjoint(rule.gate)][::-1]

    def decide(self, gate: str) -> Action:
        """A tool is removed only if every use is denied; with a narrower rule the harness decides at each use."""
        last = self.exact.get(gate, -1)
        for number in self.wildcards:
            if number < last or matches_wildcard(self.rules[number].gate, gate):
                last = max(last, number)
                break
        rule = self.rules[last]
        return rule.action if rule.pattern == "*" else Action.ALLOW


def _javascript_order(entries: dict[str, Value]) -> list[tuple[str, Value]]:
    """The order of a JavaScript object: integer keys first, in ascending order."""
    keys: Iterable[str] = entries
    if any(key[:1].isdecimal() for key in entries):
        numbers = [key for key in entries if _WHOLE_NUMBER.fullmatch(key) and int(key) < 2**32 - 1]
        keys = dict.fromkeys((*sorted(numbers, key=int), *entries))
    return [(key, entries[key]) for key in keys if key != "__proto__"]


def _switches(value: Value) -> dict[str, Value] | str:
    if isinstance(value, Date):
        return {}  # in JavaScript, an object without keys
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
            return f"`{name}` must be allow, ask or deny, without patterns"
        for each in action.values() if isinstance(action, dict) else [action]:
            if each not in ("allow", "ask", "deny"):
                return f"`{name}` must be allow, ask or deny"
    return value


def _without_nulls(value: Value) -> Value:
    if isinstance(value, dict):
        return {name: _without_nulls(each) for name, each in value.items() if each is not None}
    return {} if value is None else value
