"""The native names of the canonical tools: a line for each tool, or a column for each harness."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from fsagent_lint._fast import NamedTuple


class Row(NamedTuple):
    tool: str
    risk: str
    names: Mapping[str, Sequence[str]]
    """Harness to its native names for the tool."""


def by_tool(rows: Sequence[Row], width: int) -> Iterator[str]:
    """Every name with the harnesses that use it, wrapped to the width of the terminal."""
    margin = max(len(row.tool) for row in rows) + 2
    for row in rows:
        users: dict[str, list[str]] = {}
        for harness, names in row.names.items():
            if names:
                users.setdefault(" + ".join(names), []).append(harness)
        text = "; ".join(f"{names} ({', '.join(ids)})" for names, ids in users.items()) or "no harness has it"
        for number, line in enumerate(textwrap.wrap(text, max(width - margin, 40), break_on_hyphens=False)):
            yield f"{'' if number else row.tool:<{margin}}{line}"


def by_harness(rows: Sequence[Row], harnesses: Sequence[str]) -> Iterator[str]:
    cells = [("tool", "risk", *harnesses)]
    cells += [(row.tool, row.risk, *(", ".join(row.names[id]) or "-" for id in harnesses)) for row in rows]
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    for line in cells:
        yield "  ".join(f"{text:<{width}}" for text, width in zip(line, widths, strict=True)).rstrip()
