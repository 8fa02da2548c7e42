"""What a file gives an agent: the result that every semantics comes to."""

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
    """Native tools, in the order of the table; `open`: unnamed tools (MCP, custom) are there too."""

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
        around: Surroundings = NO_SURROUNDINGS,
        said: Layer | None = None,
    ) -> Outcome | Refusal:
        """`said`: all that is said about the agent, in its file and beside it, where that is not `data` alone."""


def in_order(
    wanted: frozenset[str], ask: frozenset[str], harness: Harness, data: dict[str, Value], *, is_open: bool
) -> Outcome:
    """The tools that are there, each where it belongs; `data` says which of the uncertain ones are."""
    absent = [name for name, when in harness.model_dependent_tools.items() if not CONDITIONS[when](data.get("model"))]
    return _sorted(wanted.difference(absent) if absent else wanted, ask, harness, is_open)


@lru_cache(maxsize=1024)
def _sorted(wanted: frozenset[str], ask: frozenset[str], harness: Harness, is_open: bool) -> Outcome:
    tools: list[str] = []
    asked: list[str] = []
    conditional: list[str] = []
    denied: list[str] = []
    for name, tool in harness.tools.items():
        if name not in wanted or not wanted.isdisjoint(tool.unless):
            denied.append(name)
        elif tool.presence == "conditional":
            conditional.append(name)
        else:
            (asked if name in ask else tools).append(name)
    return Outcome(tuple(tools), tuple(asked), tuple(conditional), tuple(denied), is_open)
