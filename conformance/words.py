"""Groups statements about probes: one line for each statement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

SHOWN = 4
"""How many probes a line names."""


def grouped(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Lines from pairs of a sentence and its probe, which may be empty: each sentence once."""
    probes_by_sentence: dict[str, list[str]] = {}
    for sentence, probe in pairs:
        probes_by_sentence.setdefault(sentence, []).extend([probe] if probe else [])
    for sentence, probes in probes_by_sentence.items():
        more = f" and {len(probes) - SHOWN} more" if len(probes) > SHOWN else ""
        yield sentence + (f" ({', '.join(probes[:SHOWN])}{more})" if probes else "")
