"""What someone may have meant who wrote a name that is not known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def nearest(name: str, known: Iterable[str], likeness: float = 0.75) -> str | None:
    word = name.translate(_LOWER)
    by_lower, letters = _spellings(tuple(known))
    size, least = len(word), likeness / 2
    # Two words with too few letters in common, in whatever order, cannot be alike: difflib need not look at them.
    like = [
        each
        for each, contains in letters
        if min(size, len(each)) >= least * (size + len(each)) <= sum(map(contains, word))
    ]
    if not like:
        return None
    import difflib

    close = difflib.get_close_matches(word, like, 1, likeness)
    return by_lower[close[0]] if close else None


@lru_cache(maxsize=64)
def _spellings(known: tuple[str, ...]) -> tuple[dict[str, str], list[tuple[str, Callable[[str], bool]]]]:
    """Lower case to the right spelling, and to a test for the letters in it."""
    by_lower = {each.translate(_LOWER): each for each in known}
    return by_lower, [(each, frozenset(each).__contains__) for each in by_lower]


def hint(name: str, known: Iterable[str], listing: str = "") -> str:
    """The likeliest of the known names; without one, all of them, or `listing`, a command that prints them."""
    names = list(known)
    guess = nearest(name, names, 0.6)
    if guess:
        return f"Did you mean `{guess}`?"
    return f"`{listing}` lists them." if listing else f"There are {', '.join(names)}."
