"""Does a file look like an agent? From its first kilobyte, without parsing it: for files that nobody asked about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from fsagent_lint._fast import NamedTuple, pattern

if TYPE_CHECKING:
    from fsagent_lint.harnesses.harness import Harness
    from fsagent_lint.harnesses.kind import Kind

SIZE = 1024

_START = pattern(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n")
_END = pattern(rb"(?m)^---[ \t]*\r?$")
_KEY = pattern(rb"(?m)^([A-Za-z][\w-]*)[ \t]*:(?=\s)")

# In the description of many an agent of Claude Code. Its lines may look like keys, and it may fill the kilobyte.
_EXAMPLE = b"<example>"
# What a field of an agent means, where files of other sorts rarely have one.
_TELLING = frozenset(("model", "color", "mode", "temperature", "permission-mode", "argument-hint", "mcp-servers"))
# Keys of pages, rules, instructions and workflows.
_OTHER_SORTS = frozenset(
    (b"title", b"layout", b"permalink", b"slug", b"date", b"globs", b"alwaysApply", b"applyTo", b"inclusion", b"on")
)


class _Keys(NamedTuple):
    tools: frozenset[bytes]
    unmistakable: frozenset[bytes]
    """Tool keys that are no common words: `allowed-tools`, whatever else a generator writes."""
    telling: frozenset[bytes]
    known: frozenset[bytes]


def looks_like_agent(head: bytes, harnesses: Sequence[Harness], *, is_among_agents: bool) -> bool:
    """`head`: the first `SIZE` bytes; `is_among_agents`: it lies in a folder that has the name of an agent folder."""
    start = _START.match(head)
    if start is None:
        return False
    end = _END.search(head, start.end())
    text = head[start.end() : end.start() if end else len(head)]
    found = {*_KEY.findall(text)}
    if b"description" not in found or not found.isdisjoint(_OTHER_SORTS):
        return False
    if b"name" in found and _EXAMPLE in text:
        return True
    keys = _keys(tuple(harnesses))
    if not found.isdisjoint(keys.unmistakable):
        return True
    if 2 * len(found & keys.known) <= len(found):
        return False
    clues = (b"name" in found, not found.isdisjoint(keys.telling))
    return not found.isdisjoint(keys.tools) or (any(clues) if is_among_agents else all(clues))


@cache
def _keys(harnesses: tuple[Harness, ...]) -> _Keys:
    kinds: list[Kind] = [kind for harness in harnesses for kind in harness.kinds.values()]
    tools = {name for kind in kinds for name in kind.keys}
    return _Keys(
        _encoded(tools),
        _encoded(name for name in tools if not (name.isalpha() and name.islower())),
        _encoded(name for kind in kinds for name, field in kind.fields.items() if field.meaning in _TELLING),
        _encoded(name for kind in kinds for name in kind.known_fields),
    )


def _encoded(names: Iterable[str]) -> frozenset[bytes]:
    return frozenset(name.encode() for name in names)
