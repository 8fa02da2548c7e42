"""Which preset to write for a policy, for harnesses that only have presets."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.widening import Bounds, exceeds
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Key
from fsagent_lint.model.tool import Risk, Tool, accepts

_WORK = (Risk.WRITE, Risk.EXECUTE)
"""An agent that was intended to do this is useless without it."""


class Choice(NamedTuple):
    value: str
    """Empty if no preset fits."""
    missing: tuple[Tool, ...] = ()
    """Intended tools that it does not grant."""
    gained: tuple[Tool, ...] = ()
    """If none fits: tools that cannot be denied, although they were not intended."""


def choose_preset(
    bounds: Bounds, wanted: Collection[Tool], harness: Harness, key: Key, accept: frozenset[str]
) -> Choice:
    """The preset that grants most of the wanted tools and none beyond the intent."""
    fitting = []
    for value, names in key.presets.items():
        granted = _granted(harness, [native for name in names for native in harness.natives(name)])
        missing = tuple(tool for tool in wanted if tool not in granted)
        gained = [tool for tool in granted if exceeds(bounds, tool) and not accepts(accept, tool)]
        if granted and not gained and not any(tool.risk in _WORK for tool in missing):
            fitting.append(Choice(value, missing))
    if fitting:
        return min(fitting, key=lambda choice: len(choice.missing))
    gained = [tool for tool in _granted(harness, harness.default_tools) if exceeds(bounds, tool)]
    return Choice("", (), tuple(gained) or (Tool.mcp("*"),))


def _granted(harness: Harness, natives: Iterable[str]) -> dict[Tool, None]:
    """The canonical tools of native ones, except for those that may be missing."""
    sure = [facts for native in natives if (facts := harness.tools[native]).presence != "conditional"]
    return {tool: None for facts in sure for tool in facts.granted}
