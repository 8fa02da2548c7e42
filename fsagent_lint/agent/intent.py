"""What the author of a file intended: read leniently, regardless of what the harness does with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.tool_values import WITH_ACTIONS, ToolItem, ToolValue
from fsagent_lint.model.policy import Action, Policy, PolicyRule
from fsagent_lint.model.tool import Tool


class Intent(NamedTuple):
    policy: Policy
    guess: str = ""
    """Why this reading is only the most likely one; the narrower reading is used then."""


def intent(values: Iterable[tuple[str, ToolValue]], meaning: Callable[[str], tuple[Tool, ...]]) -> Intent:
    """The policy of all tool keys together; each value comes with its role: allow, deny, switch or permission.

    `*` always means every tool, even if the harness does not support it.
    """
    default, guess = Action.ALLOW, ""
    rules: list[PolicyRule] = []
    denials: list[PolicyRule] = []
    pairs = list(values)
    # If one key denies something, the other keys are rules over every tool too.
    rules_only = any(role == "permission" and _denies(value) for role, value in pairs)
    for role, value in pairs:
        if role == "deny":
            denials += _rules(value.items, Action.DENY, meaning)
        elif value.shape in WITH_ACTIONS:
            if _is_allow_list(role, value) and not rules_only:
                default, guess = Action.DENY, f"`{value.key}` only enables tools"
            own = list(_rules(_unscoped_first(value.items), None, meaning))
            rules += [*own, *_overriding_denials(value.items, own, meaning)]
        elif value.shape == "null":
            default, guess = Action.DENY, f"`{value.key}` is empty"
        else:
            default = Action.DENY
            rules += _rules(value.items, Action.ALLOW, meaning)
        for item in value.items:
            if item.name == "*":
                default = Action.DENY if role == "deny" else item.action or Action.ALLOW
    maps = [value for role, value in pairs if role != "deny" and value.shape in WITH_ACTIONS]
    denials += _contradicted_denials(maps, rules, meaning) if len(maps) > 1 else ()
    return Intent(Policy(default, (*rules, *denials)), guess)


def _denies(value: ToolValue) -> bool:
    return any(item.action is Action.DENY for item in value.items)


def _unscoped_first(items: Iterable[ToolItem]) -> list[ToolItem]:
    """People read `{"git *": allow, "*": deny}` as an exception to a rule, in any order."""
    ordered = list(items)
    first = {item.name: at for at, item in reversed(list(enumerate(ordered)))}
    return sorted(ordered, key=lambda item: (first[item.name], item.scope is not None))


def _overriding_denials(
    items: Iterable[ToolItem], rules: list[PolicyRule], meaning: Callable[[str], tuple[Tool, ...]]
) -> Iterator[PolicyRule]:
    """Of two entries about one tool, the denial counts: `{write: false, edit: true}` means no writing."""
    not_denied = {item.name for item in items if item.action is not Action.DENY}
    policy = Policy(Action.ALLOW, tuple(rules))
    for item in items:
        if item.action is Action.DENY and item.scope is None and item.name not in not_denied and item.name != "*":
            yield from (
                PolicyRule(tool, Action.DENY) for tool in meaning(item.name) if policy.action(tool) is not Action.DENY
            )


def _contradicted_denials(
    values: Iterable[ToolValue], rules: list[PolicyRule], meaning: Callable[[str], tuple[Tool, ...]]
) -> Iterator[PolicyRule]:
    """Of two keys about one tool, the denial counts, unless the other key allows some uses only."""
    policy = Policy(Action.ALLOW, tuple(rules))
    for item in (item for value in values for item in value.items):
        if item.action is Action.DENY and item.scope is None and item.name != "*":
            for tool in meaning(item.name):
                if policy.action(tool) is not Action.DENY and not policy.scopes(tool):
                    yield PolicyRule(tool, Action.DENY)


def _is_allow_list(role: str, value: ToolValue) -> bool:
    """A map with only `true` values restricts nothing in its harness, but was most likely intended to."""
    return (
        role in ("allow", "switch")
        and bool(value.items)
        and all(item.action is Action.ALLOW and item.name != "*" for item in value.items)
    )


def _rules(
    items: Iterable[ToolItem], action: Action | None, meaning: Callable[[str], tuple[Tool, ...]]
) -> Iterator[PolicyRule]:
    for item in items:
        decided = action or item.action
        if decided is not None and item.name != "*":
            for tool in meaning(item.name):
                yield PolicyRule(tool, decided, item.scope)
