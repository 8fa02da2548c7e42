"""What an agent may do and is told, as plain values: enough to compare it with another file after both are closed."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping
from functools import cache

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.subject import Subject
from fsagent_lint.effect.delegation import delegated
from fsagent_lint.effect.presets import FORM
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.tables import all_harnesses
from fsagent_lint.model.policy import Action, Policy, scope_pattern
from fsagent_lint.model.tool import Tool

# A sentence, or a line without one: what people add, remove and change in a prompt.
_SENTENCES = re.compile(rb"[\r\n]+|(?<=[.!?;:])[ \t]+")


class Limit(NamedTuple):
    """The uses of a tool that are allowed, or those that are denied, as wildcard patterns."""

    allowed: frozenset[str]
    denied: frozenset[str]


class Abilities(NamedTuple):
    harness: Harness
    kind: Kind
    policy: Policy
    granted: frozenset[Tool]
    """The canonical tools that the running agent has, may have, or has to ask for."""
    doubtful: frozenset[Tool]
    """The tools of which nobody knows whether it has them: a preset may leave them out."""
    limits: Mapping[Tool, Limit]
    """The tools that are limited to some uses."""
    asks: frozenset[Tool]
    """The tools that it has to ask for."""
    servers: Mapping[tuple[str, str], Tool]
    """The MCP tools that the file names, by server and tool in the spelling that all harnesses have in common."""
    names: frozenset[str]
    """The names in its tool keys, as they are written."""
    model: Value
    prompt: array[int]
    """A hash of each sentence, without those that name a harness: they are adapted to it."""
    letters: int
    """A hash of the whole prompt without its blanks."""


def abilities(subject: Subject) -> Abilities:
    policy, harness = subject.intent.policy, subject.harness
    named = policy.named()
    field = subject.kind.slot("model")
    prompt = subject.document.prompt
    return Abilities(
        harness,
        subject.kind,
        policy,
        _granted(subject),
        frozenset(_doubtful(subject)),
        {tool: limit for tool in named if (limit := _limit(policy, tool)) is not None},
        frozenset(tool for tool in named if policy.action(tool) is Action.ASK),
        {_common_name(tool): tool for tool in named if tool.server is not None},
        frozenset(item.name for value in subject.values for item in value.items),
        subject.effect.data.get(field) if field else None,
        array("q", map(hash, _sentences(prompt))),
        hash(prompt.translate(None, b" \t\r\n")),
    )


def _granted(subject: Subject) -> frozenset[Tool]:
    """What it has wherever it runs: an agent that only others invoke lacks what a delegated agent lacks."""
    field = subject.kind.slot("mode")
    if not field or subject.effect.data.get(field) != "subagent":
        return subject.granted
    return frozenset(subject.harness.granted(delegated(subject.effect, subject.harness, subject.kind).natives))


def _doubtful(subject: Subject) -> Iterator[Tool]:
    for value in subject.values:
        for name in subject.kind.keys[value.key].unverified if value.shape == FORM else ():
            yield from subject.harness.granted(subject.harness.natives(name))


def _sentences(prompt: bytes) -> Iterator[bytes]:
    names = _harness_names()
    for sentence in _SENTENCES.split(prompt):
        if (letters := b"".join(sentence.split())) and not names.search(sentence.lower()):
            yield letters


@cache
def _harness_names() -> re.Pattern[bytes]:
    """The names of harnesses, which their folders and the files with their instructions have, too."""
    harnesses = [each for each in all_harnesses() if not each.neutral and not {"agent", "mode"}.isdisjoint(each.kinds)]
    words = {word for each in harnesses for word in (each.id.split("-")[0], each.title.lower().split(" c")[0])}
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})\b".encode())


def _limit(policy: Policy, tool: Tool) -> Limit | None:
    allowed, denied = _patterns(policy.scopes(tool)), _patterns(policy.exceptions(tool))
    return Limit(allowed, denied) if allowed or denied else None


def _patterns(scopes: tuple[str, ...]) -> frozenset[str]:
    return frozenset(scope_pattern(part.strip()) for scope in scopes for part in scope.split(","))


def _common_name(tool: Tool) -> tuple[str, str]:
    """Harnesses replace different characters in the names of servers."""
    return re.sub(r"[^a-z0-9*]+", "_", (tool.server or "").lower()), tool.name
