"""Which conversions to put to the real harnesses: a few for each pair of them, of files that differ in their tools."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeVar

from conformance.adapter import BODY, Adapter
from conformance.conversions.corpus import AgentFile, convert
from conformance.conversions.place import readers
from conformance.probe import Observation, Probe, Role
from fsagent_lint.agent.subject import Subject
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.edits import Edit, apply_edits
from fsagent_lint.frontmatter.source import Source

NAME = "probe"
"""The name that the lab calls every agent by."""
STARTERS = frozenset(("hooks", "mcpServers", "mcp-servers", "mcp"))
"""Fields that make a harness start programs, which nothing in a stranger's file may."""

T = TypeVar("T")
Pair = tuple[str, str]
Seen = Mapping[tuple[str, str], Observation]
"""What was observed: the key of a trial to what the harness did."""


class Trial(NamedTuple):
    """A file to run on a harness."""

    harness: str
    probe: Probe

    @property
    def key(self) -> tuple[str, str]:
        return self.harness, self.probe.id


class Case(NamedTuple):
    """A file, and its conversion: the first result is the one for the target, the others are its other readers'."""

    pair: Pair
    subject: Subject
    """The file as the lab has it: with its own name for the agent, and a body that says nothing."""
    source: Trial
    results: tuple[Trial, ...]
    document: Document
    """The converted file."""

    @property
    def trials(self) -> tuple[Trial, ...]:
        return (self.source, *self.results)


def spread(candidates: Mapping[Pair, Sequence[T]], seed: str) -> Iterator[tuple[Pair, T]]:
    """Candidates in turns, one of each pair as long as it has any, in an order that depends on the seed alone."""
    shuffled = {}
    for pair in sorted(candidates):
        shuffled[pair] = list(candidates[pair])
        random.Random(f"{seed} {pair}").shuffle(shuffled[pair])
    for turn in zip_longest(*([(pair, each) for each in found] for pair, found in shuffled.items())):
        yield from (each for each in turn if each is not None)


def sample(files: Iterable[AgentFile], adapters: Mapping[str, Adapter], size: int, seed: str) -> tuple[list[Case], int]:
    """So many conversions between the harnesses of these adapters, and how many were refused on the way."""
    candidates: dict[Pair, list[AgentFile]] = {}
    for file in _distinct(files):
        for target in adapters if file.harness in adapters else ():
            if target != file.harness:
                candidates.setdefault((file.harness, target), []).append(file)
    cases: list[Case] = []
    refused = 0
    for pair, file in spread(candidates, seed):
        if len(cases) == size:
            break
        case = _case(file, pair, adapters)
        cases += [case] if case is not None else []
        refused += case is None
    return cases, refused


def _distinct(files: Iterable[AgentFile]) -> Iterator[AgentFile]:
    """The agents that can be tried, one for each way of writing tools in each harness."""
    seen: set[tuple[str, ...]] = set()
    for file in files:
        document = file.subject.document
        if file.place.kind != "agent" or document.error is not None or document.source.problem is not None:
            continue
        if not STARTERS.isdisjoint(document.by_name):
            continue
        text = document.source.text
        values = (*file.subject.values, *file.subject.misplaced)
        written = (file.harness, *(text[value.entry.start : value.entry.end] for value in values))
        if written not in seen:
            seen.add(written)
            yield file


def _case(file: AgentFile, pair: Pair, adapters: Mapping[str, Adapter]) -> Case | None:
    """None for a conversion that is refused."""
    source, target = pair
    place = adapters[source].paths[_role(adapters[source])]
    subject = Subject(lay(file.subject.document, place), file.subject.harness, file.subject.kind_name)
    result = convert(AgentFile(file.place, subject.document.source.data, subject, file.shown), target)
    if result.error:
        return None
    document = Document(Source(result.path, result.data))
    others = [each.harness.id for each in readers(result.path, target, result.kind)]
    return Case(
        pair,
        subject,
        _trial(adapters[source], file.shown, subject.document),
        tuple(_trial(adapters[id], f"{file.shown} for {target}", document) for id in others if id in adapters),
        document,
    )


def lay(document: Document, path: str) -> Document:
    """The same frontmatter at the path that the lab uses, under the name that it calls, above a body that says nothing."""
    name = document.get("name")
    text = apply_edits(document.source.text, [Edit(name.value.span, NAME)] if name is not None else [])
    return Document(Source(path, f"{text.removeprefix(chr(0xFEFF)).rstrip()}\n{BODY}\n".encode()))


def _trial(adapter: Adapter, id: str, document: Document) -> Trial:
    role, path = _role(adapter), document.source.path
    where = "" if path == adapter.paths[role] else path
    return Trial(adapter.id, Probe(id, role, document=document.source.data.decode(), path=where))


def _role(adapter: Adapter) -> Role:
    """As the agent that a person starts, where there is such a thing."""
    return "agent" if "agent" in adapter.paths else "subagent"
