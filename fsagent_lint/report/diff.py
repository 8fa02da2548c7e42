"""A unified diff of two versions of a file, safe to print."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from itertools import takewhile

from fsagent_lint.frontmatter.source import Source
from fsagent_lint.report.escape import escape

_LINE = 2000
"""How many characters of a line are shown."""
_CONTEXT = 2
_BINARY = 8000
"""A NUL in so many bytes at the start makes a file binary, as in git."""
_MAX_PAIRS = 4_000_000
"""How many pairs of lines are compared at most; beyond that, all changed lines are shown as one block."""


def diff(path: str, before: bytes, after: bytes) -> str:
    """A unified diff; only of the frontmatter if the bodies are equal, and one line if a file is binary."""
    if b"\0" in before[:_BINARY] or b"\0" in after[:_BINARY]:
        return "Binary files {} and {} differ\n".format(*_names(path, is_new=not before))
    old, new = Source(path, before), Source(path, after)
    same = before[old.body :] == after[new.body :]
    texts = (old.text, new.text) if same else (before.decode("utf-8", "replace"), after.decode("utf-8", "replace"))
    return "".join(f"{line}\n" for line in _unified(path, _lines(texts[0]), _lines(texts[1])))


_COLORS = {"-": "31", "+": "32", "@": "36"}


def paint(text: str) -> str:
    """Diffs in the colours of git, for a terminal; the lines are those of `diff`, so they hold no codes of their own."""
    return "".join(map(_painted, text.splitlines(keepends=True)))


def _painted(line: str) -> str:
    content = line.removesuffix("\n")
    color = "1" if content.startswith(("--- ", "+++ ")) else _COLORS.get(content[:1], "")
    return f"\x1b[{color}m{content}\x1b[0m{line[len(content) :]}" if color else line


def _unified(path: str, old: list[str], new: list[str]) -> Iterator[str]:
    head = _common(old, new)
    tail = min(_common(old[::-1], new[::-1]), len(old) - head, len(new) - head)
    removed, added = old[head : len(old) - tail], new[head : len(new) - tail]
    names = _names(path, is_new=not old)
    if len(removed) * len(added) <= _MAX_PAIRS:
        yield from difflib.unified_diff(old, new, *names, n=_CONTEXT, lineterm="")
        return
    start = max(head - _CONTEXT, 0)
    above, below = old[start:head], old[len(old) - tail :][:_CONTEXT]
    context = len(above) + len(below)
    yield f"--- {names[0]}"
    yield f"+++ {names[1]}"
    yield f"@@ -{start + 1},{context + len(removed)} +{start + 1},{context + len(added)} @@"
    for mark, lines in ((" ", above), ("-", removed), ("+", added), (" ", below)):
        yield from (mark + line for line in lines)


def _names(path: str, *, is_new: bool) -> tuple[str, str]:
    """The two names of a file; an absolute path has no second slash, as in git."""
    name = escape(path).lstrip("/")
    return "/dev/null" if is_new else f"a/{name}", f"b/{name}"


def _common(one: list[str], other: list[str]) -> int:
    """How many lines two texts have in common at the start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _lines(text: str) -> list[str]:
    """The lines to compare: a missing final line break is not a difference, and a missing file has no lines."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n") if text else []
    return [escape(line, _LINE) for line in lines]
