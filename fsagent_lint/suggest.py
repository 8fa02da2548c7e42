"""Suggestions for unknown names: the known name that the author probably intended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice

from fsagent_lint._fast import NamedTuple

MAX_LENGTH = 100
"""How many characters a name may have to be compared with others: the time grows with the square."""
MAX_KNOWN = 5000
"""How many known names are considered."""
MAX_LOOKED_AT = 300
"""How many known names are looked at one by one; of more, only those with three letters in a row of the name."""
MAX_COMPARED = 20
"""How many names are compared letter by letter."""
_Spelling = tuple[str, Callable[[object], bool]]
"""A name in lower case, and a test for the letters in it."""
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def ascii_lower(text: str) -> str:
    """Lower case for A to Z only: `str.lower` would turn a Kelvin sign into `k`."""
    return text.translate(_LOWER)


def nearest(name: str, known: Iterable[str], cutoff: float = 0.75) -> str | None:
    """The known name most similar to `name`, ignoring ASCII case; None if none reaches the cutoff (0 to 1).

    Names and known names may both come from a project, by the thousands, so only few are compared letter by letter.
    """
    if len(name) > MAX_LENGTH:
        return None
    word = ascii_lower(name)
    by_lower, spellings, index = _spellings(tuple(islice(known, MAX_KNOWN)))
    size, min_share = len(word), cutoff / 2
    # Words that share too few letters, in any order, cannot be similar, so difflib need not compare them.
    candidates = [
        each
        for each, contains in (spellings if index is None else _with_parts_of(word, index))
        if min(size, len(each)) >= min_share * (size + len(each)) <= sum(map(contains, word))
    ]
    if not candidates:
        return None
    if len(candidates) > MAX_COMPARED:
        parts = set(_parts(word, 2))
        candidates = sorted(candidates, key=lambda each: -len(parts.intersection(_parts(each, 2))))[:MAX_COMPARED]
    import difflib

    close = difflib.get_close_matches(word, candidates, 1, cutoff)
    return by_lower[close[0]] if close else None


class _Spellings(NamedTuple):
    by_lower: dict[str, str]
    """Lower case to the correct spelling."""
    all: list[_Spelling]
    by_part: dict[str, list[_Spelling]] | None
    """Three letters in a row to some names that have them, where there are too many names to look at each."""


@lru_cache(maxsize=64)
def _spellings(known: tuple[str, ...]) -> _Spellings:
    by_lower = {ascii_lower(each): each for each in known}
    found = [(each, frozenset(each).__contains__) for each in by_lower]
    if len(found) <= MAX_LOOKED_AT:
        return _Spellings(by_lower, found, None)
    index: dict[str, list[_Spelling]] = {}
    for each in found:
        for part in dict.fromkeys(_parts(each[0][:MAX_LENGTH], 3)):
            having = index.setdefault(part, [])
            if len(having) < MAX_COMPARED:
                having.append(each)
    return _Spellings(by_lower, found, index)


def _with_parts_of(word: str, index: dict[str, list[_Spelling]]) -> Iterable[_Spelling]:
    return dict.fromkeys(each for part in _parts(word, 3) for each in index.get(part, ()))


def _parts(word: str, size: int) -> Iterator[str]:
    return (word[at : at + size] for at in range(max(len(word) - size + 1, 1)))


def hint(name: str, known: Iterable[str], listing: str = "") -> str:
    """The most likely known name; otherwise all known names, or `listing`, a command that prints them."""
    names = list(known)
    guess = nearest(name, names, 0.6)
    if guess:
        return f"Did you mean `{guess}`?"
    return f"`{listing}` lists them." if listing else f"There are {', '.join(names)}."
