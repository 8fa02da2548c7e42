"""The one definition of wider: what an agent would be granted beyond the intent.

Fixes, conversions, copies, Python sources, lists of agents, `explain` and the rules all use it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.intent import intent
from fsagent_lint.agent.subject import Subject
from fsagent_lint.effect.effect import Effect
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.model.policy import Action, Policy, scope_pattern
from fsagent_lint.model.tool import HARMFUL, Risk, Tool, accepts

EVERY_TOOL = "*"
_NONE = Policy(Action.DENY)


class _Bounds(NamedTuple):
    policy: Policy
    had: frozenset[Tool] = frozenset()


class Bounds(_Bounds):
    """The most that an agent may be granted: a policy, and what the agent's own harness grants it.

    A list of denials leaves to the agent what it had, and other tools of the same risk, but no new risk.
    """

    @cached_property
    def named(self) -> frozenset[Tool]:
        return frozenset(self.policy.named())

    @cached_property
    def allowed_risks(self) -> frozenset[Risk | None]:
        """The risks of the tools that are allowed by name."""
        return self.policy.risks

    @cached_property
    def denied_risks(self) -> frozenset[Risk | None]:
        """The harmful risks of the tools that are denied by name."""
        denied = (tool for tool in self.named if self.policy.action(tool) is Action.DENY)
        return frozenset(tool.risk for tool in denied if tool.risk in HARMFUL)

    @cached_property
    def risks_had(self) -> frozenset[Risk | None]:
        return frozenset(tool.risk for tool in self.had)

    @cached_property
    def is_everything(self) -> bool:
        """Is nothing denied at all?"""
        actions = (self.policy.default, *map(self.policy.action, self.named))
        return Action.DENY not in actions


def bounds_of(subject: Subject, policy: Policy | None = None) -> Bounds:
    """The bounds of a file; `policy`: the tools to write, if not those that the file names."""
    effect = subject.effect
    sure: Iterable[str] = (*effect.tools, *effect.ask)
    perhaps: Iterable[str] = effect.conditional
    if not effect.loads and effect.key not in subject.kind.keys:
        # It does not load for a reason that has nothing to do with its tools.
        sure, perhaps = subject.harness.default_tools, ()
    bounds = Bounds(policy or subject.intent.policy, frozenset(subject.harness.granted(sure)))
    # What the agent may have counts, except where something like it is denied.
    more = (tool for tool in subject.harness.granted(perhaps) if tool.risk not in bounds.denied_risks)
    return Bounds(bounds.policy, bounds.had.union(more))


def exceeds(bounds: Bounds, tool: Tool) -> bool:
    """Is this tool beyond the intent? Another tool of a risk that the agent was given is not."""
    if tool in bounds.named:
        return bounds.policy.action(tool) is Action.DENY
    if tool.risk not in HARMFUL:
        return False
    if bounds.policy.action(tool) is Action.DENY:
        return tool.risk not in bounds.allowed_risks
    if bounds.is_everything or tool in bounds.had:
        return False
    return tool.risk in bounds.denied_risks or tool.risk not in bounds.risks_had


def excess(bounds: Bounds, harness: Harness, natives: Iterable[str]) -> list[Tool]:
    """The canonical tools that native ones grant beyond the intent."""
    return [tool for tool in harness.granted(natives) if exceeds(bounds, tool)]


def is_excess(bounds: Bounds, harness: Harness, native: str) -> bool:
    """Does a native tool grant something harmful, or the very thing that people name it for, beyond the intent?"""
    facts = harness.tools[native]
    return any(exceeds(bounds, tool) for tool in facts.granted if tool.risk in HARMFUL or tool in facts.main)


def wider(effect: Effect, harness: Harness, bounds: Bounds, *, known: Collection[str] = frozenset()) -> tuple[str, ...]:
    """The native tools of a running agent beyond the intent, except those that every agent always has.

    `known`: tools that do not count, because the agent has them already.
    """
    if not effect.loads:
        return ()
    if effect.open and bounds.policy.default is Action.DENY:
        return (EVERY_TOOL,) if EVERY_TOOL not in known else ()
    granted = (native for native in (*effect.tools, *effect.ask) if native not in known)
    removable = (native for native in granted if harness.tools[native].presence != "always")
    return tuple(native for native in removable if is_excess(bounds, harness, native))


def grants(effect: Effect) -> frozenset[str]:
    """The native tools that a running agent has, as `wider` counts them."""
    if not effect.loads:
        return frozenset()
    return frozenset((*effect.tools, *effect.ask, *((EVERY_TOOL,) if effect.open else ())))


def gained(before: Subject, after: Subject) -> list[str]:
    """What an agent has after a change beyond the intent and what enrichers add to it, and did not have before."""
    found = _gained(before, after, bounds_of(before))
    if not found or not before.goal.enrichers:
        return found
    from fsagent_lint.agent.enrich import wanted

    return [each for each in _gained(before, after, bounds_of(before, wanted(before))) if each in found]


def _gained(before: Subject, after: Subject, bounds: Bounds) -> list[str]:
    accept = before.goal.accept
    limits = loosened(after.intent.policy, bounds.policy) if bounds.policy.has_scopes else ()
    loose = [f"{tool} without a limit" for tool in limits if not accepts(accept, tool)]
    known = grants(before.effect) if after.harness is before.harness else frozenset()
    more = wider(after.effect, after.harness, bounds, known=known)
    return [*(tool for tool in more if not accepted(tool, after.harness, bounds, accept)), *loose]


def accepted(native: str, harness: Harness, bounds: Bounds, accept: frozenset[str]) -> bool:
    """Did the user accept that the agent gets what a native tool grants beyond the intent?"""
    facts = harness.tools.get(native)
    if "*" in accept or facts is None:
        return "*" in accept
    return all(accepts(accept, tool) for tool in facts.granted if exceeds(bounds, tool))


def in_words(natives: Sequence[str]) -> str:
    """Native tools as a message lists them."""
    return "every tool" if EVERY_TOOL in natives else ", ".join(natives)


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
    if all(rule.scope is None for rule in intended.rules):
        return []
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
    """Tools that may run without asking after a change, or without their limit, and did not before."""
    known, found = approvals(before), approvals(after)
    if found.default is not Action.DENY and known.default is Action.DENY:
        return [Tool.native(EVERY_TOOL)]
    fresh = (tool for tool in found.named() if known.action(tool) is Action.DENY)
    return [*(tool for tool in fresh if tool.risk is None or exceeds(Bounds(known), tool)), *loosened(found, known)]
