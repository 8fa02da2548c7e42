"""What is true of many probes, in one line each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

SHOWN = 4
"""How many probes are named."""


def grouped(said: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Pairs of a sentence and the probe that it is about, which may be none: every sentence once."""
    about: dict[str, list[str]] = {}
    for sentence, probe in said:
        about.setdefault(sentence, []).extend([probe] if probe else [])
    for sentence, probes in about.items():
        more = f" and {len(probes) - SHOWN} more" if len(probes) > SHOWN else ""
        yield sentence + (f" ({', '.join(probes[:SHOWN])}{more})" if probes else "")
