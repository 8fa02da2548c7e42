"""Facts that several kinds of files share, each listed once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from fsagent_lint._fast import Record

R = TypeVar("R", bound=Record)


def shared_facts(kinds: Mapping[str, Mapping[str, R]]) -> list[tuple[str, str, R]]:
    """The kinds in which a key has the same facts, as one string; the key; the facts."""
    found: dict[tuple[str, str], tuple[list[str], str, R]] = {}
    for kind, keys in kinds.items():
        for key, facts in keys.items():
            found.setdefault((key, repr(facts)), ([], key, facts))[0].append(kind)
    order = list(dict.fromkeys(key for key, _ in found))
    return sorted(
        ((", ".join(names), key, facts) for names, key, facts in found.values()), key=lambda each: order.index(each[1])
    )
