"""What the author of a file meant: read leniently, whatever the harness will make of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.tool_values import ToolItem, ToolValue
from fsagent_lint.model.policy import Action, Policy, PolicyRule
from fsagent_lint.model.tool import Tool


class Intent(NamedTuple):
    policy: Policy
    guess: str = ""
    """Why this reading is only the likeliest one; then the narrower reading is taken."""


def intent(written: Iterable[tuple[str, ToolValue]], meaning: Callable[[str], tuple[Tool, ...]]) -> Intent:
    """The policy of all tool keys together; each comes with its role: allow, deny, switch or permission.

    `*` means everything to every reader, whether or not the harness agrees.
    """
    default, guess = Action.ALLOW, ""
    rules: list[PolicyRule] = []
    denials: list[PolicyRule] = []
    values = list(written)
    # Where one key denies something, the others are rules over everything too.
    rules_only = any(role == "permission" and _denies(value) for role, value in values)
    for role, value in values:
        if role == "deny":
            denials += _rules(value.items, Action.DENY, meaning)
        elif value.shape in ("map", "permission"):
            if _is_allow_list(role, value) and not rules_only:
                default, guess = Action.DENY, f"`{value.key}` names only tools to have"
            mine = list(_rules(_whole_first(value.items), None, meaning))
            rules += [*mine, *_overruled(value.items, mine, meaning)]
        elif value.shape == "null":
            default, guess = Action.DENY, f"`{value.key}` is empty"
        else:
            default = Action.DENY
            rules += _rules(value.items, Action.ALLOW, meaning)
        for item in value.items:
            if item.name == "*":
                default = Action.DENY if role == "deny" else item.action or Action.ALLOW
    return Intent(Policy(default, (*rules, *denials)), guess)


def _denies(value: ToolValue) -> bool:
    return any(item.action is Action.DENY for item in value.items)


def _whole_first(items: Iterable[ToolItem]) -> list[ToolItem]:
    """Readers take `{"git *": allow, "*": deny}` for an exception to a rule, whatever the order."""
    ordered = list(items)
    first = {item.name: at for at, item in reversed(list(enumerate(ordered)))}
    return sorted(ordered, key=lambda item: (first[item.name], item.scope is not None))


def _overruled(
    items: Iterable[ToolItem], rules: list[PolicyRule], meaning: Callable[[str], tuple[Tool, ...]]
) -> Iterator[PolicyRule]:
    """Of two entries that speak of one tool, the denial counts: `{write: false, edit: true}` is not to write."""
    spared = {item.name for item in items if item.action is not Action.DENY}
    policy = Policy(Action.ALLOW, tuple(rules))
    for item in items:
        if item.action is Action.DENY and item.scope is None and item.name not in spared and item.name != "*":
            yield from (
                PolicyRule(tool, Action.DENY) for tool in meaning(item.name) if policy.action(tool) is not Action.DENY
            )


def _is_allow_list(role: str, value: ToolValue) -> bool:
    """A map of nothing but `true` restricts nothing where it is read, and was most likely meant to."""
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
