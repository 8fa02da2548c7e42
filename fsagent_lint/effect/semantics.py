"""How tool keys determine the tools: the semantics that tables refer to by name.

Agents with the same tool settings are computed only once in a run.
"""

from __future__ import annotations

from functools import cache

from fsagent_lint.effect.allow_list import allow_list
from fsagent_lint.effect.last_match import last_match
from fsagent_lint.effect.outcome import Outcome, Refusal, Semantics
from fsagent_lint.effect.surroundings import Layer
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind

SEMANTICS: dict[str, Semantics] = {"allow-list": allow_list, "last-match": last_match}

_MAX_KNOWN = 4096
_known: dict[tuple[Harness, Kind, str, str], Outcome | Refusal] = {}


def granted_tools(data: Layer, harness: Harness, kind: Kind, owner: str) -> Outcome | Refusal:
    """The tools that a file grants by itself. The data must not come from aliases: its `repr` could be huge."""
    relevant = _tool_settings(harness, kind)
    settings = "" if relevant.isdisjoint(data) else repr([each for each in data.items() if each[0] in relevant])
    key = harness, kind, owner, settings
    found = _known.get(key)
    if found is None:
        if len(_known) >= _MAX_KNOWN:
            _known.clear()
        found = _known[key] = SEMANTICS[harness.semantics](data, harness, kind, owner)
    return found


@cache
def _tool_settings(harness: Harness, kind: Kind) -> frozenset[str]:
    """The keys that affect which tools are granted."""
    adding = [name for name, field in kind.fields.items() if field.adds]
    return frozenset(
        (*kind.keys, *adding, *(("model",) if harness.model_dependent_tools or harness.certain_tools else ()))
    )
