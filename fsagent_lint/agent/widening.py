"""The one definition of wider: what an agent would be granted beyond what its author meant.

Fixes, conversions, copies, Python sources, lists of agents, `explain` and the rules all ask here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fsagent_lint.agent.subject import Subject
from fsagent_lint.effect.effect import Effect
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.model.policy import Action, Policy, scope_pattern
from fsagent_lint.model.tool import HARMFUL, Tool

EVERY_TOOL = "*"


def exceeds(meant: Policy, tool: Tool) -> bool:
    """Would this tool be more than was meant? Another one of a risk that the agent has anyway is not."""
    if meant.action(tool) is not Action.DENY:
        return False
    named = meant.named()
    if tool in named or tool.risk not in HARMFUL:
        return tool in named
    return not any(each.risk is tool.risk and meant.action(each) is not Action.DENY for each in named)


def excess(meant: Policy, harness: Harness, natives: Iterable[str]) -> list[Tool]:
    """The canonical tools that native ones grant beyond what was meant."""
    granted = dict.fromkeys(tool for native in natives for tool in harness.tools[native].granted)
    return [tool for tool in granted if exceeds(meant, tool)]


def is_excess(meant: Policy, harness: Harness, native: str) -> bool:
    """Is a native tool more than was meant, with all that it grants?"""
    granted = harness.tools[native].granted
    return bool(granted) and all(exceeds(meant, tool) for tool in granted)


def wider(effect: Effect, harness: Harness, meant: Policy) -> tuple[str, ...]:
    """The native tools of a running agent that are more than was meant; what is always there is nobody's doing."""
    if not effect.loads:
        return ()
    if effect.open and meant.default is Action.DENY:
        return (EVERY_TOOL,)
    given = (*effect.tools, *effect.ask)
    removable = (native for native in given if harness.tools[native].presence != "always")
    return tuple(native for native in removable if is_excess(meant, harness, native))


def gained(before: Subject, after: Subject) -> list[str]:
    """What an agent has after a change that it had not before, and was not meant to have."""
    meant, had = before.intent.policy, before.effect
    unlimited = loosened(after.intent.policy, meant)
    is_comparable = after.harness is before.harness and had.loads
    if is_comparable and had.open:
        return unlimited
    known = {*had.tools, *had.ask} if is_comparable else set()
    return [*(tool for tool in wider(after.effect, after.harness, meant) if tool not in known), *unlimited]


def loosened(after: Policy, meant: Policy) -> list[str]:
    """Tools whose use was limited and no longer is."""
    found = []
    for tool in meant.named():
        scopes, exceptions = _patterns(meant.scopes(tool)), _patterns(meant.exceptions(tool))
        if after.action(tool) is Action.DENY or not (scopes or exceptions):
            continue
        kept = _patterns(after.scopes(tool))
        if not (kept and kept <= scopes) if scopes else not (kept or exceptions <= _patterns(after.exceptions(tool))):
            found.append(f"{tool} without limit")
    return found


def _patterns(scopes: Sequence[str]) -> frozenset[str]:
    """One by one: `Agent(a, b)` names two."""
    return frozenset(scope_pattern(part.strip()) for scope in scopes for part in scope.split(","))


def unlimited(meant: Policy, harness: Harness, kind: Kind, natives: Iterable[str]) -> list[str]:
    """Those of some native tools that were meant for some uses only, where the harness cannot tell uses apart."""
    if any(key.role == "permission" for key in kind.keys.values()):
        return []
    if any(key.role in ("allow", "approve") and key.scopes == "honoured" for key in kind.keys.values()):
        return []
    scoped = [name for key in kind.keys.values() for name in key.scoped if key.role == "allow"]
    kept = {native for name in scoped for native in (name, *harness.natives(name))}
    limited = (native for native in natives if native not in kept)
    return [native for native in limited if any(meant.scopes(tool) for tool in harness.tools[native].granted)]
