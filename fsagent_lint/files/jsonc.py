"""JSON as used in config files, with comments and trailing commas; size and depth are bounded."""

from __future__ import annotations

import re
from typing import Any

MAX_SIZE = 1024 * 1024
MAX_DEPTH = 64

# An unterminated string consumes the rest of the text, so any file is scanned only once.
STRING = r'"(?:[^"\\]|\\.?)*+(?:"|\Z)'
# Compiled only when there is a file to read, which is rare.
_COMMENT = rf"({STRING})|//[^\r\n]*|/\*.*?(?:\*/|\Z)"
_TRAILING_COMMA = rf"({STRING})|,(?=\s*[\]}}])"
_BRACKET = rf"{STRING}|([\[{{])|[\]}}]"


class JsonError(ValueError):
    """Why a text is rejected as JSON."""


def parse_json(data: bytes, *, pairs: bool = False) -> Any:
    """The value in a file; raises JsonError if it is not JSON. `pairs`: maps are tuples of their entries, all of them."""
    import json

    if len(data) > MAX_SIZE:
        raise JsonError(f"is larger than {MAX_SIZE // 2**20} MiB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise JsonError("is not UTF-8") from None
    for pattern in (_COMMENT, _TRAILING_COMMA):
        text = re.sub(pattern, lambda match: match[1] or " ", text, flags=re.DOTALL)
    _check_depth(text)
    try:
        return json.loads(text, parse_constant=_reject_constant, object_pairs_hook=tuple if pairs else None)
    except json.JSONDecodeError as error:
        raise JsonError(f"is not valid JSON: {error.msg} in line {error.lineno}") from None
    except JsonError:
        raise
    except ValueError:  # a number with more digits than Python converts
        raise JsonError("is not valid JSON: a number is too long") from None


def _check_depth(text: str) -> None:
    depth = 0
    for match in re.finditer(_BRACKET, text, re.DOTALL):
        if match[1]:
            depth += 1
            if depth > MAX_DEPTH:
                raise JsonError(f"is nested more than {MAX_DEPTH} levels deep")
        elif match[0] in "]}":
            depth -= 1


def _reject_constant(word: str) -> None:
    raise JsonError(f"is not valid JSON: {word}")


def mapping(value: object, *keys: str) -> dict[str, Any]:
    """The map at a path of keys in a value; empty if there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}
