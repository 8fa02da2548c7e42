"""What someone may have meant who wrote a name that is not known."""

from __future__ import annotations

from collections.abc import Iterable

_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def nearest(name: str, known: Iterable[str], likeness: float = 0.75) -> str | None:
    import difflib

    by_lower = {each.translate(_LOWER): each for each in known}
    close = difflib.get_close_matches(name.translate(_LOWER), by_lower, 1, likeness)
    return by_lower[close[0]] if close else None


def hint(name: str, known: Iterable[str], listing: str = "") -> str:
    """The likeliest of the known names; without one, all of them, or `listing`, a command that prints them."""
    names = list(known)
    guess = nearest(name, names, 0.6)
    if guess:
        return f"Did you mean `{guess}`?"
    return f"`{listing}` lists them." if listing else f"There are {', '.join(names)}."
