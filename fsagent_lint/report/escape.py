"""The sanitiser for every string from outside: none may control a terminal, mislead a reader or command a CI runner."""

from __future__ import annotations

import re

from fsagent_lint._fast import pattern

NAME = 200
"""How many characters of a path, a tool or a key are shown."""
LONGEST_PATH = 4096
"""How many characters of a path that programs open: a shortened one would not name a file."""
MESSAGE = 1000
"""How many characters of a message are shown; the names in it are shorter."""
WIDTH = 100
"""About how many columns of a source line are shown."""

_TAB = "    "
_ELLIPSIS = "…"

# Controls, line separators, bidi and other format characters, surrogates, fillers, odd blanks, variation selectors
# and tags, as ranges: `unicodedata` takes time to import, and its data differs between versions of Python. A test compares.
_INVISIBLE = (
    r"\x00-\x1f\x7f-\xa0\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u1680\u17b4\u17b5"
    r"\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0"
    r"\ufff0-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d159"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# GitHub's runner obeys `##[command]` anywhere in a line, Azure's `##vso[command]`, TeamCity `##teamcity[command]`.
_COMMAND = r"(?<=#)#(?=(?i:vso|teamcity)?\[)"
_UNSAFE = pattern(f"[{_INVISIBLE}]|{_COMMAND}")
_SAFE = pattern(r"(?! *::)[ -\"$-~]*")  # matches most text, in a tenth of the time that searching for unsafe text takes
_JSON_UNSAFE = pattern(rf"\x7f|{_COMMAND}")
_LEADING_COLON = pattern(r"\s*:(?=:)")
_HALF_ESCAPE = pattern(r"\\(?:x[0-9a-f]?|u[0-9a-f]{0,3}|U[0-9a-f]{0,7})?\Z")


def escape(text: str, limit: int = NAME) -> str:
    """One harmless line of at most `limit` characters; escaping is idempotent."""
    if len(text) <= limit and _SAFE.fullmatch(text):
        return text
    shown = _UNSAFE.sub(_hex, in_utf8(text)[:limit])
    if _LEADING_COLON.match(shown):
        shown = shown.replace(":", r"\x3a", 1)
    if len(text) > limit or len(shown) > limit:
        shown = _HALF_ESCAPE.sub("", shown[: limit - 1]) + _ELLIPSIS
    return shown


def in_utf8(name: str) -> str:
    """A file name as UTF-8, even if the locale made Python decode it byte by byte."""
    try:
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a lone surrogate, which no file name has
        return name


def escape_github_data(text: str, limit: int = MESSAGE) -> str:
    """The message of a workflow command."""
    return escape(text, limit).replace("%", "%25")


def escape_github_property(text: str, limit: int = MESSAGE) -> str:
    """A property of a workflow command."""
    return escape_github_data(text, limit).replace(":", "%3A").replace(",", "%2C")


def escape_json(document: str) -> str:
    """A JSON document in ASCII, with the same content but without commands for CI runners."""
    if "##" not in document and "\x7f" not in document:  # more than ten times faster than the regular expression
        return document
    return _JSON_UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", document)


def exact(text: str) -> str:
    """Text for machines: unchanged, except for lone surrogates, which strict JSON readers refuse."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def escape_place(path: str) -> str:
    """A path that a colon follows at the start of a line: together they must not be the `::` of a command."""
    return escape(f"{escape(path)}:", MESSAGE)[:-1]


def wrap(text: str, columns: int, used: int = 0, indent: int = 0) -> list[str]:
    """Harmless text in lines that break between words; all but the first are indented.

    `used`: columns of the first line that are taken already. It is empty if not even a word fits behind them.
    """
    from textwrap import wrap as wrap_words

    taken, margin = " " * used, " " * indent
    if used + len(text.partition(" ")[0]) > columns:
        return ["", *wrap(margin + text, columns, 0, indent)]
    lines = wrap_words(
        text, columns, initial_indent=taken, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False
    )
    first, *rest = lines or [taken]
    # Wrapping may move text that is only harmless inside a line to the start of one.
    return [first[used:], *(escape(line, MESSAGE) for line in rest)]


def show_line(text: str, start: int, end: int, width: int = WIDTH) -> tuple[str, int, int]:
    """A source line for a terminal, and the columns (from 0, end exclusive) under which to mark `start` to `end`."""
    start = min(start, len(text))
    end = min(max(start, end), len(text))
    if len(text) <= width and _SAFE.fullmatch(text):
        return text, start, max(end, start + 1)

    first = max(start - width, 0)  # a line can be as long as the file
    pieces = _pieces(text[first : start + width])
    mark = start - first
    before = sum(columns for _, columns in pieces[:mark])
    after = sum(columns for _, columns in pieces[mark:])
    left, right = 0, mark
    while before > max(width // 3, width - after):
        before -= pieces[left][1]
        left += 1
    room = width - before
    while right < len(pieces) and pieces[right][1] <= room:
        room -= pieces[right][1]
        right += 1

    head = _ELLIPSIS if first + left > 0 else ""
    tail = _ELLIPSIS if first + right < len(text) else ""
    shown = head + "".join(piece for piece, _ in pieces[left:right]) + tail
    caret = len(head) + before
    marked = sum(columns for _, columns in pieces[mark : min(end - first, right)])
    return shown, caret, caret + max(marked, 1)


def _pieces(text: str) -> list[tuple[str, int]]:
    """The text that is shown for each character, and its width in columns."""
    if _SAFE.fullmatch(text):
        return [(character, 1) for character in text]
    unsafe = {match.start() for match in _UNSAFE.finditer(text)}
    if colon := _LEADING_COLON.match(text):
        unsafe.add(colon.end() - 1)
    pieces = []
    for index, character in enumerate(text):
        if character == "\t":
            pieces.append((_TAB, len(_TAB)))
        elif index in unsafe:
            pieces.append((_hex(character), len(_hex(character))))
        else:
            pieces.append((character, _columns(character)))
    return pieces


def _columns(character: str) -> int:
    if character.isascii():
        return 1
    from unicodedata import category, east_asian_width

    return 0 if category(character) in ("Mn", "Me") else 2 if east_asian_width(character) in "WF" else 1


def _hex(found: str | re.Match[str]) -> str:
    code = ord(found if isinstance(found, str) else found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
