"""Which preset to write for a policy, where sets of tools are all that a harness knows."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.widening import exceeds
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Key
from fsagent_lint.model.policy import Policy
from fsagent_lint.model.tool import Mcp, Risk, Tool, accepts

_WORK = (Risk.WRITE, Risk.EXECUTE)
"""An agent that was meant to do this is of no use without."""


class Choice(NamedTuple):
    value: str
    """Empty where no preset will do."""
    missing: tuple[Tool, ...] = ()
    """Tools that were meant and that it does not bring."""
    gained: tuple[Tool, ...] = ()
    """Where none will do: tools that nothing takes away, though they were not meant."""


def choose_preset(
    policy: Policy, wanted: Collection[Tool], harness: Harness, key: Key, accept: frozenset[str]
) -> Choice:
    """The preset that brings most of the wanted tools and none that the policy forbids."""
    fitting = []
    for value, names in key.presets.items():
        granted = _granted(harness, [native for name in names for native in harness.natives(name)])
        missing = tuple(tool for tool in wanted if tool not in granted)
        gained = [tool for tool in granted if exceeds(policy, tool) and not accepts(accept, tool)]
        if granted and not gained and not any(tool.risk in _WORK for tool in missing):
            fitting.append(Choice(value, missing))
    if fitting:
        return min(fitting, key=lambda choice: len(choice.missing))
    gained = [tool for tool in _granted(harness, harness.default_tools) if exceeds(policy, tool)]
    return Choice("", (), tuple(gained) or (Mcp("*"),))


def _granted(harness: Harness, natives: Iterable[str]) -> dict[Tool, None]:
    """The canonical tools of native ones, but for those that may not be there."""
    sure = [facts for native in natives if (facts := harness.tools[native]).presence != "conditional"]
    return {tool: None for facts in sure for tool in facts.granted}
