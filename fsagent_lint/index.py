"""What is asked of all harnesses at once, from the compiled index: no table is loaded for a question about the others."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from fsagent_lint.harness import Harness, Outline, ascii_lower
from fsagent_lint.tables import Tables, builtin_ids, get_harness, harness_ids, table_checksum, tables_in_force

if TYPE_CHECKING:
    from collections.abc import Iterator


def outlines() -> tuple[Outline, ...]:
    """Every harness, in order: where its files lie, and what lies beside them."""
    return _outlines(tables_in_force(), _indexed())


@lru_cache(maxsize=8)
def _outlines(tables: Tables, indexed: frozenset[str]) -> tuple[Outline, ...]:  # noqa: ARG001
    return tuple(map(outline, harness_ids()))


def outline(id: str) -> Outline:
    from fsagent_lint.compiled.all_outlines import OUTLINES

    return OUTLINES[id] if id in _indexed() else get_harness(id)


def whole(outline: Outline) -> Harness:
    """The table behind an outline."""
    return outline if isinstance(outline, Harness) else get_harness(outline.id)


def lenders(id: str, kind: str) -> list[str]:
    """The harnesses whose files of a kind this one reads as well."""
    others = [(each.id, each.kinds.get(kind)) for each in outlines()]
    return [owner for owner, place in others if place is not None and id in (*place.shared_with, *place.read_by)]


def harnesses_with(name: str) -> list[Harness]:
    """Those that may know a tool's name: in some spelling, and whatever stands before a slash."""
    from fsagent_lint.compiled.all_names import NAMES

    lower = ascii_lower(name)
    words = {lower, lower.rpartition("/")[2]}
    found = {id for word in words for id in NAMES.get(word, ())}
    indexed = _indexed()
    return [
        get_harness(id)
        for id in harness_ids()
        if (id in found if id in indexed else not words.isdisjoint(get_harness(id).spelling))
    ]


def owners_of_field(name: str, kind: str) -> Iterator[str]:
    """The harnesses to which a field means something in files of a kind."""
    from fsagent_lint.compiled.all_names import FIELDS

    found = FIELDS.get(kind, {}).get(name, ())
    indexed = _indexed()
    for id in harness_ids():
        if id in found if id in indexed else has_field(get_harness(id), name, kind):
            yield id


def has_field(harness: Harness, name: str, kind: str) -> bool:
    field = harness.kinds[kind].fields.get(name) if kind in harness.kinds else None
    return field is not None and bool(field.meaning)


def _indexed() -> frozenset[str]:
    """The harnesses that the index speaks of truly: their tables are in force, and have not changed since."""
    own = tables_in_force().own
    return _current().difference(own) if own else _current()


@cache
def _current() -> frozenset[str]:
    from fsagent_lint.compiled.all_outlines import SOURCES

    return frozenset(id for id in builtin_ids() if SOURCES.get(id) == table_checksum(id))
