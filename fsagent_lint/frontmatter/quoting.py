"""Scalars as text: quoting where YAML would otherwise read another value, and splitting at separators."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fsagent_lint._fast import pattern

BLANKS = " \t\r\n"
_PLAIN = pattern(r"[A-Za-z0-9_./+$^~()][A-Za-z0-9_./+$^~()*:@%=,-]*(?: [A-Za-z0-9_./+$^~()*:@%=,-]+)*")
_RESERVED = pattern(
    r"(?:true|false|null|yes|no|on|off|y|n|~|[-+]?\.(?:inf|nan)|[-+.]?[0-9].*)\Z", re.IGNORECASE | re.DOTALL
)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quote(text: str, style: str = "", *, flow: bool = False) -> str:
    """A scalar with this text; `style`: the quotes that the author uses, `flow`: inside brackets."""
    if style not in ("'", '"') and _is_plain(text, flow=flow):
        return text
    if not text.isprintable():
        return '"' + "".join(map(_escape, text)) + '"'
    if style == "'" or (style != '"' and '"' in text and "'" not in text) or (style != '"' and "\\" in text):
        return "'" + text.replace("'", "''") + "'"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _is_plain(text: str, *, flow: bool) -> bool:
    if not _PLAIN.fullmatch(text) or _RESERVED.match(text) or ": " in text or text.endswith(":"):
        return False
    return not (flow and any(char in text for char in ",[]{}"))


def _escape(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def split(text: str, separators: str) -> Iterator[tuple[int, int]]:
    """Ranges of the parts between separators outside parentheses, stripped of blanks, without empty parts."""
    if "(" not in text and separators:
        for separator in separators[1:]:
            text = text.replace(separator, separators[0])
        end = -1
        for part in text.split(separators[0]):
            start, end = end + 1, end + 1 + len(part)
            if stripped := part.strip(BLANKS):
                lead = start + part.index(stripped[0])
                yield lead, lead + len(stripped)
        return
    depth, start = 0, 0
    for found in re.finditer(rf"[(){separators}]|\Z", text):
        if found[0] == "(":
            depth += 1
        elif found[0] == ")":
            depth = max(depth - 1, 0)
        elif found[0] == "" or depth == 0:
            part = text[start : found.start()]
            lead = len(part) - len(part.lstrip(BLANKS))
            if stripped := part.strip(BLANKS):
                yield start + lead, start + lead + len(stripped)
            start = found.end()
