"""Suggestions for unknown names: the known name that the author probably intended."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

MAX_LENGTH = 100
"""How many characters a name may have to be compared with others: the time grows with the square."""
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def ascii_lower(text: str) -> str:
    """Lower case for A to Z only: `str.lower` would turn a Kelvin sign into `k`."""
    return text.translate(_LOWER)


def nearest(name: str, known: Iterable[str], cutoff: float = 0.75) -> str | None:
    """The known name most similar to `name`, ignoring ASCII case; None if none reaches the cutoff (0 to 1)."""
    if len(name) > MAX_LENGTH:
        return None
    word = ascii_lower(name)
    by_lower, letters = _spellings(tuple(known))
    size, min_share = len(word), cutoff / 2
    # Words that share too few letters, in any order, cannot be similar, so difflib need not compare them.
    candidates = [
        each
        for each, contains in letters
        if min(size, len(each)) >= min_share * (size + len(each)) <= sum(map(contains, word))
    ]
    if not candidates:
        return None
    import difflib

    close = difflib.get_close_matches(word, candidates, 1, cutoff)
    return by_lower[close[0]] if close else None


@lru_cache(maxsize=64)
def _spellings(known: tuple[str, ...]) -> tuple[dict[str, str], list[tuple[str, Callable[[str], bool]]]]:
    """A map from lower case to the correct spelling, and each lower-case name with a test for the letters in it."""
    by_lower = {ascii_lower(each): each for each in known}
    return by_lower, [(each, frozenset(each).__contains__) for each in by_lower]


def hint(name: str, known: Iterable[str], listing: str = "") -> str:
    """The most likely known name; otherwise all known names, or `listing`, a command that prints them."""
    names = list(known)
    guess = nearest(name, names, 0.6)
    if guess:
        return f"Did you mean `{guess}`?"
    return f"`{listing}` lists them." if listing else f"There are {', '.join(names)}."
