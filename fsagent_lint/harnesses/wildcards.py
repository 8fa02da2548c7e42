"""Texts with `*` and `?`, matched without regular expressions."""

from __future__ import annotations


def matches_stars(glob: str, text: str) -> bool:
    """`*` matches any text, `?` one character.

    Backtracking to the latest star is enough, so the cost is at most pattern times text.
    """
    place = at = resume = 0
    star = -1
    while at < len(text):
        char = glob[place : place + 1]
        if char == "*":
            star, resume = place, at
            place += 1
        elif char == text[at] or char == "?":
            place, at = place + 1, at + 1
        elif star >= 0:
            resume += 1
            place, at = star + 1, resume
        else:
            return False
    return not glob[place:].strip("*")
