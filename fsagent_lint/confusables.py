"""Characters that look like ASCII letters, or like nothing at all."""

from __future__ import annotations

import unicodedata

# Cyrillic and Greek letters that no reader tells from Latin ones.
_LETTERS = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеорсухіјѕԁԛԝһΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαιν" + "ſıǀ",
    "ABESIJKMHOPCTYXaeopcyxijsdqwhABEZHIKMNOPTYXoaiv" + "sil",
)


def skeleton(text: str) -> str:
    """The text as a person would read it; for comparing, never for writing."""
    folded = unicodedata.normalize("NFKC", text.translate(_LETTERS)).translate(_LETTERS)
    return "".join(char for char in unicodedata.normalize("NFD", folded) if not _is_invisible(char))


def _is_invisible(char: str) -> bool:
    return unicodedata.category(char) in ("Cf", "Mn", "Me", "Cc") or char in "\u3164\u115f\u1160\uffa0\u00a0"
