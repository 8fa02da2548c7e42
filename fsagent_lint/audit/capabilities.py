"""What the tools of an agent add up to: for each capability, how far it is granted, by which tools, for which uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.verdicts import ClassifiedItem
from fsagent_lint.agent.widening import approvals, unlimited
from fsagent_lint.audit.facts import CAPABILITIES, MCP, WIDEST, Grant, State
from fsagent_lint.effect.effect import Effect
from fsagent_lint.model.policy import Action, Policy, scope_pattern
from fsagent_lint.model.tool import Tool

_USED = ("skill", "command", "prompt")
"""Kinds of files that are no agents, but used by one."""


class _Use(NamedTuple):
    """One native tool, as far as it is granted, in one capability."""

    capability: str
    tool: str
    state: State
    scopes: tuple[str, ...] = ()


def capabilities(effect: Effect, read: Subject, servers: Sequence[ClassifiedItem]) -> Mapping[str, Grant]:
    """The capabilities of a file that loads. What a skill neither approves nor denies, the agent decides that uses it."""
    uses = [*_native(effect, read), *_others(effect, servers)]
    if inherits(read):
        uses = [*_approved(read), *(use._replace(state=State.INHERITED, scopes=()) for use in uses)]
    found = {}
    for capability in CAPABILITIES:
        mine = [use for use in uses if use.capability == capability]
        state = min((use.state for use in mine), key=WIDEST.index, default=State.DENIED)
        widest = [use for use in mine if use.state is state]
        scopes = dict.fromkeys(scope for use in widest for scope in use.scopes)
        shown = mine if state.is_granted and not inherits(read) else widest
        found[capability] = Grant(state, tuple(dict.fromkeys(use.tool for use in shown)), tuple(scopes))
    return found


def inherits(read: Subject) -> bool:
    """Does an agent use this file, whose tools it has, unless the file names those that it shall have?"""
    roles = (read.kind.keys[value.key].role for value in read.values)
    return read.kind_name in _USED and all(role in ("approve", "deny") for role in roles)


def _native(effect: Effect, read: Subject) -> Iterator[_Use]:
    harness, policy = read.harness, read.intent.policy
    is_limited = any(rule.scope is not None for rule in policy.rules)
    whole = frozenset(unlimited(policy, harness, read.kind, effect.natives))
    groups = ((State.GIVEN, effect.tools), (State.ASKS, effect.ask), (State.MAY, effect.conditional))
    for state, natives in groups:
        for native in natives:
            for tool in harness.tools[native].granted:
                if tool.risk is not None:
                    scopes = _limits(policy, tool) if is_limited and native not in whole else ()
                    limited = State.SCOPED if scopes and state is State.GIVEN else state
                    yield _Use(tool.risk.value, native, limited, scopes)


def _limits(policy: Policy, tool: Tool) -> tuple[str, ...]:
    """The uses that a tool is limited to, or those that are denied."""
    denied = tuple(f"not {scope_pattern(scope)}" for scope in policy.exceptions(tool))
    return (*map(scope_pattern, policy.scopes(tool)), *denied)


def _others(effect: Effect, servers: Sequence[ClassifiedItem]) -> Iterator[_Use]:
    if effect.open:
        yield _Use(MCP, "*", State.GIVEN)
    for entry in servers if not effect.open else ():
        yield _Use(MCP, entry.item.text, State.ASKS if entry.action is Action.ASK else State.GIVEN)
    for name in effect.custom:
        yield _Use(MCP, name, State.GIVEN)


def _approved(read: Subject) -> Iterator[_Use]:
    policy = approvals(read)
    if policy.default is not Action.DENY:
        yield from (_Use(capability, "*", State.GIVEN) for capability in CAPABILITIES)
    for tool in policy.named():
        if policy.action(tool) is not Action.DENY:
            scopes = _limits(policy, tool)
            capability = tool.risk.value if tool.risk is not None else MCP
            yield _Use(capability, str(tool), State.SCOPED if scopes else State.GIVEN, scopes)
