"""Which tools a file grants an agent: the result of every semantics."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from fsagent_lint._fast import NamedTuple
from fsagent_lint.effect.conditions import CONDITIONS
from fsagent_lint.effect.surroundings import NO_SURROUNDINGS, Layer, Surroundings
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind


class Outcome(NamedTuple):
    """Native tools, in the order of the table; `open`: unnamed tools (MCP, custom) are granted too."""

    tools: tuple[str, ...]
    ask: tuple[str, ...]
    conditional: tuple[str, ...]
    denied: tuple[str, ...]
    open: bool
    custom: tuple[str, ...] = ()


class Refusal(NamedTuple):
    key: str
    problem: str


class Semantics(Protocol):
    def __call__(
        self,
        data: Layer,
        harness: Harness,
        kind: Kind,
        owner: str,
        surroundings: Surroundings = NO_SURROUNDINGS,
        settings: Layer | None = None,
    ) -> Outcome | Refusal:
        """`settings`: all settings of the agent, from its file and its neighbours, if that is not `data` alone."""


def make_outcome(
    granted: frozenset[str], ask: frozenset[str], harness: Harness, data: dict[str, Value], *, is_open: bool
) -> Outcome:
    """Sort the granted tools into an outcome; `data` has the model that some tools depend on."""
    model = data.get("model")
    absent = [name for name, when in harness.model_dependent_tools.items() if not CONDITIONS[when](model)]
    certain = frozenset(name for name, when in harness.certain_tools.items() if CONDITIONS[when](model))
    return _sort_tools(granted.difference(absent) if absent else granted, ask, harness, is_open, certain)


@lru_cache(maxsize=1024)
def _sort_tools(
    granted: frozenset[str], ask: frozenset[str], harness: Harness, is_open: bool, certain: frozenset[str]
) -> Outcome:
    tools: list[str] = []
    asked: list[str] = []
    conditional: list[str] = []
    denied: list[str] = []
    for name, tool in harness.tools.items():
        if name not in granted or not granted.isdisjoint(tool.unless):
            denied.append(name)
        elif tool.presence == "conditional" and name not in certain:
            conditional.append(name)
        else:
            (asked if name in ask else tools).append(name)
    return Outcome(tuple(tools), tuple(asked), tuple(conditional), tuple(denied), is_open)
