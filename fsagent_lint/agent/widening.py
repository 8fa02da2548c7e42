"""The one definition of wider: what an agent would be granted beyond the intent.

Fixes, conversions, copies, Python sources, lists of agents, `explain` and the rules all use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fsagent_lint.agent.intent import intent
from fsagent_lint.agent.subject import Subject
from fsagent_lint.effect.effect import Effect
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.model.policy import Action, Policy, scope_pattern
from fsagent_lint.model.tool import HARMFUL, Tool

EVERY_TOOL = "*"
_NONE = Policy(Action.DENY)


def exceeds(intended: Policy, tool: Tool) -> bool:
    """Is this tool beyond the intent? Another tool of a risk that the agent has anyway is not."""
    if intended.action(tool) is not Action.DENY:
        return False
    named = intended.named()
    if tool in named or tool.risk not in HARMFUL:
        return tool in named
    return not any(each.risk is tool.risk and intended.action(each) is not Action.DENY for each in named)


def excess(intended: Policy, harness: Harness, natives: Iterable[str]) -> list[Tool]:
    """The canonical tools that native ones grant beyond the intent."""
    granted = dict.fromkeys(tool for native in natives for tool in harness.tools[native].granted)
    return [tool for tool in granted if exceeds(intended, tool)]


def is_excess(intended: Policy, harness: Harness, native: str) -> bool:
    """Is everything that a native tool grants beyond the intent?"""
    granted = harness.tools[native].granted
    return bool(granted) and all(exceeds(intended, tool) for tool in granted)


def wider(effect: Effect, harness: Harness, intended: Policy) -> tuple[str, ...]:
    """The native tools of a running agent beyond the intent, except those that every agent always has."""
    if not effect.loads:
        return ()
    if effect.open and intended.default is Action.DENY:
        return (EVERY_TOOL,)
    granted = (*effect.tools, *effect.ask)
    removable = (native for native in granted if harness.tools[native].presence != "always")
    return tuple(native for native in removable if is_excess(intended, harness, native))


def gained(before: Subject, after: Subject) -> list[str]:
    """What an agent has after a change beyond the intent and what enrichers add to it, and did not have before."""
    found = _gained(before, after, before.intent.policy)
    if not found or before.wanted is before.intent.policy:
        return found
    return [each for each in _gained(before, after, before.wanted) if each in found]


def _gained(before: Subject, after: Subject, intended: Policy) -> list[str]:
    had = before.effect
    loose = [f"{tool} without limit" for tool in loosened(after.intent.policy, intended)]
    is_comparable = after.harness is before.harness and had.loads
    if is_comparable and had.open:
        return loose
    known = {*had.tools, *had.ask} if is_comparable else set()
    return [*(tool for tool in wider(after.effect, after.harness, intended) if tool not in known), *loose]


def loosened(after: Policy, intended: Policy) -> list[Tool]:
    """Tools whose use was limited before and no longer is."""
    found = []
    for tool in intended.named():
        scopes, exceptions = _patterns(intended.scopes(tool)), _patterns(intended.exceptions(tool))
        if after.action(tool) is Action.DENY or not (scopes or exceptions):
            continue
        kept = _patterns(after.scopes(tool))
        if not (kept and kept <= scopes) if scopes else not (kept or exceptions <= _patterns(after.exceptions(tool))):
            found.append(tool)
    return found


def _patterns(scopes: Sequence[str]) -> frozenset[str]:
    """The patterns of scopes, one by one: `Agent(a, b)` names two; a regular expression is one, or the same wildcards."""
    if not scopes:
        return frozenset()
    from fsagent_lint.effect.js_regex import regex_of_scope, to_wildcards

    parts = [part for scope in scopes for part in ([scope] if regex_of_scope(scope) else scope.split(","))]
    patterns = [scope_pattern(part.strip()) for part in parts]
    return frozenset(wildcard for each in patterns for wildcard in to_wildcards(each) or (each,))


def unlimited(intended: Policy, harness: Harness, kind: Kind, natives: Iterable[str]) -> list[str]:
    """The native tools that were intended for some uses only, if the harness cannot distinguish uses."""
    if any(key.role == "permission" for key in kind.keys.values()):
        return []
    if any(key.role in ("allow", "approve") and key.scopes == "honoured" for key in kind.keys.values()):
        return []
    scoped = [name for key in kind.keys.values() for name in key.scoped if key.role == "allow"]
    kept = {native for name in scoped for native in (name, *harness.natives(name))}
    limited = (native for native in natives if native not in kept)
    return [native for native in limited if any(intended.scopes(tool) for tool in harness.tools[native].granted)]


def approvals(subject: Subject) -> Policy:
    """The tools that a file lets run without asking; they are not thereby allowed, nor others denied."""
    values = [value for value in subject.values if subject.kind.keys[value.key].role == "approve"]
    if not values:
        return _NONE
    return intent((("allow", value) for value in values), lambda name: subject.meaning(name).tools).policy


def newly_approved(before: Subject, after: Subject) -> list[Tool]:
    """Tools that may run without asking after a change, or without their limit, and that the author did not approve."""
    # In a key that only the new harness reads, the author approved them all the same.
    readings = (before, before.like(after.harness, after.kind_name))
    known = next((each for each in map(approvals, readings) if each != _NONE), _NONE)
    found = approvals(after)
    if found.default is not Action.DENY and known.default is Action.DENY:
        return [Tool(EVERY_TOOL)]
    fresh = (tool for tool in found.named() if known.action(tool) is Action.DENY)
    return [*(tool for tool in fresh if tool.risk is None or exceeds(known, tool)), *loosened(found, known)]
