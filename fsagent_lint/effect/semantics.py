"""How tool keys become tools: the named gate semantics that tables refer to.

Agents that say the same about tools are worked out once for a whole run.
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


def given_tools(data: Layer, harness: Harness, kind: Kind, owner: str) -> Outcome | Refusal:
    """What a file gives by itself. There must be no aliases behind the data: written out, they may have no end."""
    decisive = _decisive(harness, kind)
    said = "" if decisive.isdisjoint(data) else repr([each for each in data.items() if each[0] in decisive])
    key = harness, kind, owner, said
    found = _known.get(key)
    if found is None:
        if len(_known) >= _MAX_KNOWN:
            _known.clear()
        found = _known[key] = SEMANTICS[harness.semantics](data, harness, kind, owner)
    return found


@cache
def _decisive(harness: Harness, kind: Kind) -> frozenset[str]:
    """The settings that decide about tools."""
    adding = [name for name, field in kind.fields.items() if field.adds]
    return frozenset((*kind.keys, *adding, *(("model",) if harness.model_dependent_tools else ())))
