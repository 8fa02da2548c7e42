"""Formats that a table can name. No table holds a regular expression: one from a project could run for hours."""

from __future__ import annotations

import re

from fsagent_lint._fast import NamedTuple, pattern


class Format(NamedTuple):
    pattern: re.Pattern[str]
    words: str
    """How messages describe it."""


FORMATS = {
    "lower-name": Format(pattern(r"[a-z0-9_-]+"), "lower-case letters, digits, `-` and `_`"),
    "dashed-name": Format(pattern(r"[a-zA-Z0-9-]+"), "letters, digits and `-`"),
    "dotted-name": Format(pattern(r"[A-Za-z0-9.:-]+"), "letters, digits, `.`, `:` and `-`"),
    "dotted-name-or-star": Format(pattern(r"\*|[A-Za-z0-9_.:-]+"), "`*`, or letters, digits, `_`, `.`, `:` and `-`"),
    "hex-color": Format(pattern(r"#[0-9a-fA-F]{6}"), "`#` and six hexadecimal digits"),
    "effort": Format(pattern(r"(?i:low|medium|high|xhigh|max)|[0-9]+"), "a whole number"),
    "not-underscore-first": Format(pattern(r"[^_].*", re.DOTALL), "text that does not begin with `_`"),
    "text": Format(pattern(r".+", re.DOTALL), "text"),
    "none": Format(pattern(r"(?!)"), "nothing"),
}

PLACEHOLDERS = {
    "${word}": pattern(r"\$\{([A-Za-z0-9_]+)\}"),
    "${identifier}": pattern(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}"),
    "{env:text}": pattern(r"\{(env):(?:(?!\{env:)[^}])*\}"),
}
"""Placeholders in a prompt; the group is the name."""


def fits(text: str, name: str) -> bool:
    """Has the text the format of that name?"""
    return FORMATS[name].pattern.fullmatch(text) is not None
