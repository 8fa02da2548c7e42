"""What the author of a file meant: read leniently, whatever the harness will make of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from fsagent_lint.harness import Harness
from fsagent_lint.policy import Action, Policy, Rule
from fsagent_lint.tool import Tool
from fsagent_lint.vocabulary import identify
from fsagent_lint.written import Item, Written


class Intent(NamedTuple):
    policy: Policy
    guess: str = ""
    """Why this reading is only the likeliest one; then the narrower reading is taken."""


def intent(written: Iterable[tuple[str, Written]], harness: Harness, servers: frozenset[str] = frozenset()) -> Intent:
    """The policy of all tool keys together; each comes with its role: allow, deny, switch or permission."""
    default, guess = Action.ALLOW, ""
    rules: list[Rule] = []
    denials: list[Rule] = []
    for role, value in written:
        if role == "deny":
            denials += _rules(value.items, Action.DENY, harness, servers)
        elif value.shape in ("map", "permission"):
            mine = _rules(_general_first(value.items), None, harness, servers)
            if _is_allow_list(role, value):
                default, guess = Action.DENY, f"`{value.key}` names only tools to have"
            rules += mine
        elif value.shape == "null":
            default, guess = Action.DENY, f"`{value.key}` is empty"
        else:
            default = Action.DENY
            rules += _rules(value.items, Action.ALLOW, harness, servers)
    return Intent(Policy(default, (*rules, *denials)), guess)


def _general_first(items: Iterable[Item]) -> list[Item]:
    """Readers take `{read: allow, "*": deny}` for an exception to a rule, whatever the order."""
    ordered = sorted(items, key=lambda item: item.name != "*")
    first = {item.name: at for at, item in reversed(list(enumerate(ordered)))}
    return sorted(ordered, key=lambda item: (first[item.name], item.scope is not None))


def _is_allow_list(role: str, value: Written) -> bool:
    """A map of nothing but `true` restricts nothing where it is read, and was most likely meant to."""
    return (
        role in ("allow", "switch")
        and bool(value.items)
        and all(item.action is Action.ALLOW and item.name != "*" for item in value.items)
    )


def _rules(items: Iterable[Item], action: Action | None, harness: Harness, servers: frozenset[str]) -> Iterable[Rule]:
    for item in items:
        decided = action or item.action
        if decided is None:
            continue
        for tool in _tools(item.name, harness, servers):
            yield Rule(tool, decided, item.scope)


def _tools(name: str, harness: Harness, servers: frozenset[str]) -> tuple[Tool | None, ...]:
    # `*` means everything to every reader, whether or not the harness agrees.
    return (None,) if name == "*" else identify(name, harness, servers).tools
