"""A unified diff of two versions of a file, safe to print."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from itertools import takewhile

from fsagent_lint.frontmatter.source import Source
from fsagent_lint.report.escape import escape

_LINE = 2000
"""How much of a line is shown."""
_CONTEXT = 2
_MAX_PAIRS = 4_000_000
"""How many pairs of lines may be compared; beyond that, the changed lines are shown in one piece."""


def diff(path: str, before: bytes, after: bytes) -> str:
    """Of the heads alone where the bodies are equal."""
    old, new = Source(path, before), Source(path, after)
    same = before[old.body :] == after[new.body :]
    texts = (old.text, new.text) if same else (before.decode("utf-8", "replace"), after.decode("utf-8", "replace"))
    return "".join(f"{line}\n" for line in _unified(path, _lines(texts[0]), _lines(texts[1])))


def _unified(path: str, old: list[str], new: list[str]) -> Iterator[str]:
    head = _common(old, new)
    tail = min(_common(old[::-1], new[::-1]), len(old) - head, len(new) - head)
    changed, made = old[head : len(old) - tail], new[head : len(new) - tail]
    names = (f"a/{escape(path)}" if old else "/dev/null", f"b/{escape(path)}")
    if len(changed) * len(made) <= _MAX_PAIRS:
        yield from difflib.unified_diff(old, new, *names, n=_CONTEXT, lineterm="")
        return
    start = max(head - _CONTEXT, 0)
    above, below = old[start:head], old[len(old) - tail :][:_CONTEXT]
    around = len(above) + len(below)
    yield f"--- {names[0]}"
    yield f"+++ {names[1]}"
    yield f"@@ -{start + 1},{around + len(changed)} +{start + 1},{around + len(made)} @@"
    for mark, lines in ((" ", above), ("-", changed), ("+", made), (" ", below)):
        yield from (mark + line for line in lines)


def _common(one: list[str], other: list[str]) -> int:
    """How many lines two texts begin with in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _lines(text: str) -> list[str]:
    """A missing line end at the end is none of a diff's business here; a file that is not there has no lines."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n") if text else []
    return [escape(line, _LINE) for line in lines]
