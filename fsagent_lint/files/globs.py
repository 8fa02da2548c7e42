"""Globs in the style of .gitignore for POSIX paths, matched in time proportional to pattern times path length."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Test = Callable[[str], bool]
Part = Test | None
"""A test for one item (a path segment, or a character of a segment), or None for any sequence of items."""

MAX_LENGTH = 1024
SPECIAL = frozenset("*?[\\")


def glob_problem(pattern: str) -> str:
    """What is wrong with a glob from a config; empty if it is valid."""
    if not pattern.strip("/. "):
        return "an empty glob"
    if len(pattern) > MAX_LENGTH:
        return f"a glob of more than {MAX_LENGTH} characters"
    if pattern.startswith("!"):
        return "a glob cannot be negated here"
    if ".." in pattern.split("/"):
        return "a glob is relative to the config's folder and cannot leave it"
    return ""


class Glob:
    """`*` and `?` match within a segment, `**` matches any number of segments.

    A pattern without a slash matches at any depth, one with a slash only from the start, unless `anywhere`.
    A trailing slash matches folders only.
    """

    __slots__ = ("folders_only", "literals", "name", "parents", "pattern")

    def __init__(self, pattern: str, *, anywhere: bool = False) -> None:
        self.pattern = pattern
        self.folders_only = pattern.endswith("/")
        body = pattern.rstrip("/")
        floating = anywhere or "/" not in body
        segments = [segment for segment in body.split("/") if segment not in ("", ".")]
        if segments and _is_double_star(segments[-1]):
            segments.append("*")  # `x/**` matches what is in x, not x itself
        parts: list[Part] = [None] if floating else []
        for segment in segments:
            if not _is_double_star(segment):
                parts.append(_compile_segment(segment))
            elif not parts or parts[-1] is not None:
                parts.append(None)
        self.literals = tuple(segment for segment in segments if SPECIAL.isdisjoint(segment))
        # Separate, so that a caller can match a folder once for all the files in it.
        self.parents: tuple[Part, ...] = tuple(parts[:-1])
        self.name: Test = (parts[-1] if parts else None) or _match_none

    def matches(self, path: str, *, is_folder: bool = False) -> bool:
        """Does the pattern match exactly this path?"""
        if self.folders_only and not is_folder:
            return False
        *folders, name = path.split("/")
        return self.name(name) and match(self.parents, folders)

    def covers(self, path: str) -> bool:
        """Does the pattern match this file or a folder that contains it?"""
        below: tuple[Part, ...] = (_match_any, None) if self.folders_only else (None,)
        return match((*self.parents, self.name, *below), path.split("/"))


def match(parts: Sequence[Part], items: Sequence[str]) -> bool:
    """Match item by item. Backtracking to the latest None is enough, so the cost is at most parts times items."""
    part = item = 0
    star, resume = -1, 0
    while item < len(items):
        test = parts[part] if part < len(parts) else _match_none
        if test is None:
            star, resume = part, item
            part += 1
        elif test(items[item]):
            part, item = part + 1, item + 1
        elif star >= 0:
            resume += 1
            part, item = star + 1, resume
        else:
            return False
    return all(test is None for test in parts[part:])


def _is_double_star(segment: str) -> bool:
    return len(segment) > 1 and not segment.strip("*")


def _match_any(_: str) -> bool:
    return True


def _match_none(_: str) -> bool:
    return False


def _compile_segment(segment: str) -> Test:
    """A test for one segment; the forms found in nearly all globs are not matched character by character."""
    tail = segment.lstrip("*")
    if SPECIAL.isdisjoint(segment):
        return segment.__eq__
    if not tail:
        return _match_any
    if SPECIAL.isdisjoint(tail):
        return lambda text: text.endswith(tail)
    parts = _compile_characters(segment)
    return lambda text: match(parts, text)


def _compile_characters(segment: str) -> tuple[Part, ...]:
    parts: list[Part] = []
    at = 0
    while at < len(segment):
        char = segment[at]
        end = segment.find("]", at + 2 + (segment[at + 1 : at + 2] in ("!", "^"))) if char == "[" else -1
        at += 1
        if char == "*":
            if not parts or parts[-1] is not None:
                parts.append(None)
        elif char == "?":
            parts.append(_match_any)
        elif end >= 0:
            parts.append(_compile_class(segment[at:end]))
            at = end + 1
        else:
            if char == "\\" and at < len(segment):
                char, at = segment[at], at + 1
            parts.append(char.__eq__)
    return tuple(parts)


def _compile_class(text: str) -> Test:
    """A test for `a-z0-9_`, negated by a leading `!` or `^`."""
    negated = text[0] in "!^"
    body = text[1:] if negated else text
    ranges: list[tuple[str, str]] = []
    at = 0
    while at < len(body):
        if body[at + 1 : at + 2] == "-" and at + 2 < len(body):
            ranges.append((body[at], body[at + 2]))
            at += 3
        else:
            ranges.append((body[at], body[at]))
            at += 1
    return lambda char: any(low <= char <= high for low, high in ranges) is not negated
