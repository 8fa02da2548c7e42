"""The effective tools of an agent in each harness, compared with the intended ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.intent import Intent
from fsagent_lint.agent.readers import readers_of
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.widening import Bounds, excess, unlimited
from fsagent_lint.effect.delegation import delegated
from fsagent_lint.effect.effect import Effect, effect
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.model.policy import Action


def explain(subject: Subject, harnesses: Sequence[Harness]) -> dict[str, Any]:
    """The effect of one agent in each harness, as if its file lay in that harness's folder; and where it really lies."""
    name = {"name": subject.document.stem} if subject.kind.under else {}
    return {
        "path": subject.document.source.path,
        **name,
        "intent": _intent(subject.intent),
        "effects": {
            harness.id: _effect(effect_in(subject, harness), subject, harness)
            for harness in harnesses
            if _reads(harness, subject)
        },
        "readers": {
            reader.harness.id: _effect(effect_in(subject, reader.harness, reader.owner), subject, reader.harness)
            for reader in readers_of(subject.document.source.path)
            if _reads(reader.harness, subject)
        },
    }


def _reads(harness: Harness, subject: Subject) -> bool:
    """Only its own harness reads a list of agents."""
    return harness is subject.harness if subject.kind.under else harness.reads(subject.kind_name)


def effect_in(subject: Subject, harness: Harness, owner: str = "") -> Effect:
    """What a harness does with a file that lies in its folder, or in the owner's, including the file's neighbours."""
    if subject.kind.under:
        return subject.effect
    kind = harness.kinds[subject.kind_name]
    return effect(subject.document, harness, kind, owner, subject.surroundings_in(harness))


def _intent(intent: Intent) -> dict[str, Any]:
    tools = {str(tool): intent.policy.action(tool).value for tool in intent.policy.named()}
    return {"default": intent.policy.default.value, "tools": tools}


def _effect(result: Effect, subject: Subject, harness: Harness) -> dict[str, Any]:
    loads, error = result.loads, result.error
    if loads and result.name != subject.document.stem:
        # The harness finds no agent under the file's name.
        loads, error = False, f"known as `{result.name}`, not by the name of the file"
    return {
        "loads": loads,
        "error": error or None,
        "tools": [*result.tools, *result.custom] if loads else [],
        "ask": list(result.ask) if loads else [],
        "conditional": list(result.conditional) if loads else [],
        "denied": list(result.denied) if loads else [],
        "subagent": _as_subagent(result, harness, subject.kind_name) if loads else None,
    }


def _as_subagent(result: Effect, harness: Harness, kind: str) -> dict[str, Any] | None:
    """What differs when another agent delegates to this one; None for a file that is not an agent."""
    if kind != "agent":
        return None
    other = delegated(result, harness, harness.kinds[kind])
    left = frozenset((*other.tools, *other.ask))
    without = [name for name in (*result.tools, *result.ask) if name not in left] if other.loads else []
    return {"loads": other.loads, "error": other.error or None, "without": without}


class Distance(NamedTuple):
    """The difference between a harness's effect and the intent, in canonical tools."""

    more: tuple[str, ...]
    """Granted but not intended."""
    less: tuple[str, ...]
    """Intended but not granted."""


def distances(subject: Subject, harnesses: Sequence[Harness]) -> dict[str, Distance]:
    """The distance from the intent for each harness that loads the file; readers of its place read it there."""
    bounds = Bounds(subject.intent.policy, subject.granted)
    found = {}
    owners = {reader.harness: reader.owner for reader in readers_of(subject.document.source.path)}
    for harness in harnesses:
        result = effect_in(subject, harness, owners.get(harness, "")) if _reads(harness, subject) else None
        if result is not None and result.loads:
            natives = result.natives
            found[harness.id] = distance(bounds, harness, harness.kinds[subject.kind_name], natives)
    return found


def distance(bounds: Bounds, harness: Harness, kind: Kind, natives: Iterable[str]) -> Distance:
    """The distance between the intent and the native tools that a harness grants."""
    policy = bounds.policy
    known = [native for native in natives if native in harness.tools]
    granted = harness.granted(known)
    free = harness.granted(unlimited(policy, harness, kind, known))
    more = [str(tool) for tool in excess(bounds, harness, known)]
    more += [f"{tool} without its limit" for tool in granted if tool in free and policy.scopes(tool)]
    intended = [tool for tool in policy.named() if policy.action(tool) is not Action.DENY and tool.risk is not None]
    return Distance(tuple(more), tuple(str(tool) for tool in intended if tool not in granted))
