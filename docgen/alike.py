"""Facts that are the same in several kinds of files, told once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from fsagent_lint._fast import Record

R = TypeVar("R", bound=Record)


def alike(kinds: Mapping[str, Mapping[str, R]]) -> list[tuple[str, str, R]]:
    """The kinds in which a key means the same, in one line; the key; what it means."""
    found: dict[tuple[str, str], tuple[list[str], str, R]] = {}
    for kind, keys in kinds.items():
        for key, facts in keys.items():
            found.setdefault((key, repr(facts)), ([], key, facts))[0].append(kind)
    order = list(dict.fromkeys(key for key, _ in found))
    return sorted(
        ((", ".join(names), key, facts) for names, key, facts in found.values()), key=lambda each: order.index(each[1])
    )
