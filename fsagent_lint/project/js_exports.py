"""The tools that a JavaScript or TypeScript file exports, found in its text: nothing is run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fsagent_lint._fast import pattern

# Strings in any quotes become empty strings, comments become blanks; unclosed ones extend to the end of line or file.
_NO_CODE = pattern(
    r"""("(?:[^"\\\n]|\\.?)*+"?|'(?:[^'\\\n]|\\.?)*+'?|`(?:[^`\\]|\\.?)*+`?)|//[^\n]*|/\*.*?(?:\*/|\Z)""", re.DOTALL
)
_DEFAULT = pattern(r"^[ \t]*export[ \t]+default\b", re.MULTILINE)
# A tool is an object or the result of a call; numbers, text, lists and functions are not tools.
_NAMED = pattern(
    r"^[ \t]*export[ \t]+(?:const|let|var)[ \t]+([A-Za-z_$][\w$]*)[ \t]*(?::[^=\n]*)?=\s*(?:\{|[A-Za-z_$][\w$.]*\s*(?:[(<;\n]|\Z))",
    re.MULTILINE,
)
_LISTED = pattern(r"^[ \t]*export[ \t]*\{([^{}]*)\}", re.MULTILINE)


def exported_tools(text: str, file: str) -> Iterator[str]:
    """The default export has the file's name, every other one `file_export`."""
    text = _NO_CODE.sub(lambda match: '""' if match[1] else " ", text)
    if _DEFAULT.search(text):
        yield file
    names = [match[1] for match in _NAMED.finditer(text)]
    for match in _LISTED.finditer(text):
        names += [words[-1] for part in match[1].split(",") if (words := part.split()) and words[0] != "type"]
    for name in dict.fromkeys(names):
        yield file if name == "default" else f"{file}_{name}"
