"""The effective tools of an agent in each harness, compared with the intended ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.intent import Intent
from fsagent_lint.agent.readers import Reader, readers_of
from fsagent_lint.agent.subject import OF_ONE_HARNESS, Subject, effect_in
from fsagent_lint.agent.verdicts import ClassifiedItem, Verdict
from fsagent_lint.agent.widening import Bounds, excess, unlimited
from fsagent_lint.effect.delegation import delegated
from fsagent_lint.effect.effect import Effect
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.policy import Action


def explain(subject: Subject, harnesses: Sequence[Harness]) -> dict[str, Any]:
    """The effect of one agent in each harness, as if its file lay in that harness's folder; and where it really lies."""
    name = {"name": subject.title} if subject.title else {}
    return {
        "path": subject.document.source.path,
        **name,
        "intent": _intent(subject.intent),
        "effects": {
            _key(harness): describe_effect(effect_in(subject, harness), subject, harness)
            for harness in harnesses
            if _reads(harness, subject)
        },
        "readers": {
            reader.harness.id: describe_effect(
                effect_in(subject, reader.harness, reader.owner), subject, reader.harness, reader.owner
            )
            for reader in readers_of_subject(subject)
        },
    }


def readers_of_subject(subject: Subject) -> list[Reader]:
    """The harnesses that load the file where it lies; an agent in a list or in a call has one."""
    return [reader for reader in readers_of(subject.document.source.path) if _reads(reader.harness, subject)]


def _key(harness: Harness) -> str:
    """The id; with the version, where that is not the one in force."""
    return harness.id if harness is get_harness(harness.id) else harness.full_id


def _reads(harness: Harness, subject: Subject) -> bool:
    return harness is subject.harness if subject.sort in OF_ONE_HARNESS else harness.reads(subject.kind_name)


def _intent(intent: Intent) -> dict[str, Any]:
    tools = {str(tool): intent.policy.action(tool).value for tool in intent.policy.named()}
    return {"default": intent.policy.default.value, "tools": tools}


def describe_effect(result: Effect, subject: Subject, harness: Harness, owner: str = "") -> dict[str, Any]:
    """An effect as plain data; `owner`: the harness that the file's folder belongs to, if it is another one."""
    read = read_in(subject, harness)
    mode = read.kind.slot("permission-mode")
    known_as = result.name if result.loads and result.name not in ("", subject.document.stem) else None
    return {
        # Whoever asks for the name of the file gets nothing if the harness knows it by another.
        "loads": result.loads and known_as is None,
        "error": f"Known as {known_as}, not {subject.document.stem}" if known_as else result.error or None,
        "known_as": known_as,
        "tools": [*result.tools, *result.custom],
        "mcp": ["*"] if result.open else [entry.item.text for entry in mcp_entries(result, read, owner)],
        "ask": list(result.ask),
        "conditional": list(result.conditional),
        "denied": list(result.denied),
        "approved": _approved(read) if result.loads else [],
        "permission_mode": read.document.text_of(mode) if result.loads and mode else None,
        "subagent": _as_subagent(result, harness, subject.kind_name) if result.loads else None,
    }


def read_in(subject: Subject, harness: Harness) -> Subject:
    """The file as a harness reads it."""
    return subject if harness is subject.harness else subject.like(harness)


def mcp_entries(result: Effect, read: Subject, owner: str) -> list[ClassifiedItem]:
    """The entries for MCP tools that a running agent has if their servers are there."""
    if not result.loads or read.harness.foreign_names.get(owner) is not None:
        return []  # in the owner's folder it understands only these names
    entries = [entry for entry in read.items if entry.verdict == Verdict.MCP and entry.role != "approve"]
    return [entry for entry in entries if entry.action is not Action.DENY]


def _approved(read: Subject) -> list[str]:
    """What runs without a confirmation."""
    values = (value for value in read.values if read.kind.keys[value.key].role == "approve")
    return [item.text for value in values for item in value.items]


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
            kind = subject.kind if subject.sort in OF_ONE_HARNESS else harness.kinds[subject.kind_name]
            found[_key(harness)] = distance(bounds, harness, kind, result.natives)
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
