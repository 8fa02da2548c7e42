"""Regular expressions as tool scopes: whether JavaScript accepts them, and the equivalent wildcard patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from fsagent_lint._fast import pattern

_PREFIX = "regex:"
MAX_LENGTH = 1000
# One token: an escape, a class, the start or end of a group, a quantifier, or any other character.
# A class that is not closed takes the rest of the text, so that the text is read only once.
_TOKEN = pattern(
    r"\\(?P<escaped>.)|(?P<class>\[(?:[^\]\\]|\\.)*+\])|(?P<unclosed>\[.*+)|(?P<close>\))"
    r"|(?P<open>\((?:\?(?:[:=!]|<[=!]|<[^>()]*>))?)"
    r"|(?P<repeat>[*+?]\??|\{\d+(?:,\d*)?\}\??)|(?P<other>.)",
    re.DOTALL,
)
# A part that can be expressed as a wildcard; nothing else may be special.
_PIECE = pattern(
    r"\\(?P<escaped>[^a-zA-Z0-9])|(?P<any>\.\*)|(?P<some>\.\+)|(?P<one>\.(?![*+?{]))|(?P<plain>[^\\.*+?()\[\]{}|^$])"
)
_REPEAT = pattern(r"[*+?{]")
_MAX_WILDCARDS, _MAX_GROUPS = 50, 20


def as_scope(regex: str) -> str:
    """A regular expression as a scope; its prefix distinguishes it from wildcards."""
    return f"{_PREFIX}{regex}"


def regex_of_scope(scope: str) -> str | None:
    """The regular expression in a scope; None if the scope is not one."""
    return scope.removeprefix(_PREFIX) if scope.startswith(_PREFIX) else None


def regex_problem(regex: str) -> str:
    """Why JavaScript rejects a regular expression; empty if no error is found."""
    if "(?P<" in regex:
        return "`(?P<name>` is Python syntax for `(?<name>`"
    depth, repeatable = 0, False
    for token in _TOKEN.finditer(regex):
        kind, text = token.lastgroup, token[0]
        if kind == "repeat":
            if not repeatable:
                return f"there is nothing to repeat before `{text}`"
            repeatable = False
        elif kind == "open":
            depth, repeatable = depth + 1, False
        elif kind == "close":
            depth, repeatable = depth - 1, True
            if depth < 0:
                return "a `)` is unmatched"
        elif kind == "unclosed":
            return "a `[` is not closed"
        elif kind == "other" and text == "\\":
            return "it ends with a backslash"
        else:
            repeatable = not (kind == "other" and text in "^$|")
    return "a `(` is not closed" if depth else ""


def to_wildcards(scope: str) -> tuple[str, ...] | None:
    r"""The wildcard patterns that match the same texts: `*.md` for `\.md$`; None if there are none.

    A scope that is not a regular expression is already a wildcard pattern.
    """
    regex = regex_of_scope(scope)
    if regex is None:
        return (scope,)
    if len(regex) > MAX_LENGTH or regex.count("(") > _MAX_GROUPS or regex_problem(regex):
        return None
    alternatives = list(islice(_alternatives(regex), _MAX_WILDCARDS + 1))
    found = [_to_wildcard(each) for each in alternatives if len(alternatives) <= _MAX_WILDCARDS]
    wildcards = dict.fromkeys(each for each in found if each is not None)
    return tuple(wildcards) if found and None not in found else None


def _alternatives(regex: str) -> Iterator[str]:
    """The alternatives of a regular expression, each without bars and groups."""
    depth, opening, closing = 0, None, None
    for token in _TOKEN.finditer(regex):
        kind = token.lastgroup
        if kind == "other" and token[0] == "|" and depth == 0:
            yield from _alternatives(regex[: token.start()])
            yield from _alternatives(regex[token.end() :])
            return
        depth += (kind == "open") - (kind == "close")
        opening = token if opening is None and kind == "open" else opening
        closing = token if closing is None and kind == "close" and depth == 0 else closing
    if opening is None or closing is None or opening[0] not in ("(", "(?:") or _REPEAT.match(regex, closing.end()):
        yield regex
        return
    for inner in _alternatives(regex[opening.end() : closing.start()]):
        yield from _alternatives(regex[: opening.start()] + inner + regex[closing.end() :])


def _to_wildcard(regex: str) -> str | None:
    inner = regex.removeprefix("^")
    before = "" if inner != regex else "*"
    ended = inner.endswith("$") and not inner.endswith("\\$")
    inner, after = (inner[:-1], "") if ended else (inner, "*")
    parts, at = [], 0
    while at < len(inner):
        piece = _PIECE.match(inner, at)
        if piece is None or piece["escaped"] in ("*", "?", "\\"):
            return None
        parts.append(
            piece["escaped"] or piece["plain"] or {"any": "*", "some": "?*", "one": "?"}[piece.lastgroup or ""]
        )
        at = piece.end()
    return re.sub(r"\*{2,}", "*", f"{before}{''.join(parts)}{after}")
