"""Text of a prompt that looks like a placeholder and is meant as text, and where a harness runs commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from fsagent_lint._fast import NamedTuple, pattern
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.harnesses.notation import Notation

_LONGEST = 2000
"""How long a command in a prompt may be."""
_AWK = pattern(r"\b[gm]?awk\b((?:[^'|;&\r\n]{0,200}'[^'\r\n]*'){1,8})")
_QUOTED = pattern(r"'[^'\r\n]*'")
_FUNCTION = pattern(r"([ \t]*)(?:function[ \t]+)?[A-Za-z_][\w-]*[ \t]*\(\)[ \t]*\{(.*)")
_FENCE = pattern(r"[ \t]*(`{3,}|~{3,})")
_PRICE = pattern(r"\$[0-9]+[.,][0-9]|\$[0-9]{2,}|\$[0-9](?=[kKMB]\b| (?:million|billion|per|a month)\b)")


class Script(NamedTuple):
    span: Span
    what: str
    """What it is, in the words of a message."""


def find_scripts(text: str) -> Iterator[Script]:
    """Programs whose `$1` is their own: awk programs, shell functions, and scripts with a first line `#!`."""
    for found in _AWK.finditer(text):
        for part in _QUOTED.finditer(text, *found.span(1)):
            yield Script(Span(*part.span()), "an awk program")
    yield from _find_shell(text)


def _find_shell(text: str) -> Iterator[Script]:
    offset = 0
    fence, begun = "", 0
    body: tuple[int, str] | None = None
    """Where a function begins, and how far its first line is indented."""
    is_script = False
    for line in text.splitlines(keepends=True):
        start, offset = offset, offset + len(line)
        opening = _FENCE.match(line)
        if opening is not None and (not fence or (opening[1].startswith(fence) and not line[opening.end() :].strip())):
            if fence and is_script:
                yield Script(Span(begun, start), "a script")
            fence, begun = ("", 0) if fence else (opening[1], offset)
            is_script, body = False, None
        elif not fence or is_script:
            continue
        elif start == begun and line.startswith("#!"):
            is_script = True
        elif body is not None:
            if line.startswith(body[1] + "}"):
                yield Script(Span(body[0], start), "a shell function")
                body = None
        elif (function := _FUNCTION.match(line)) is not None:
            if "}" in function[2]:
                yield Script(Span(start + function.start(2), start + line.rindex("}")), "a shell function")
            else:
                body = start, function[1]


def find_prices(text: str) -> Iterator[Span]:
    """Amounts of money, and numbers that no argument has."""
    for found in _PRICE.finditer(text):
        yield Span(*found.span())


def runs(notation: Notation) -> re.Pattern[str] | None:
    """Whatever the harness may run as a command, which is the group; it may match more, but never less, than that."""
    return _runs(notation.command, notation.command_apart, notation.command_block) if notation.command else None


@cache
def _runs(command: str, apart: bool, block: str) -> re.Pattern[str]:
    before, after = command.split("{command}")
    # A command does not begin again in another one, so that a text of beginnings alone is read only once.
    again = "" if after[0] in before else f"(?!{re.escape(before)})"
    inside = f"((?:{again}[^{re.escape(after[0])}]){{1,{_LONGEST}}})"
    start = r"(?<!\S)" if apart else ""
    blocks = rf"|^[ \t]*{re.escape(block)}" if block else ""
    return re.compile(f"{start}{re.escape(before)}{inside}{re.escape(after)}{blocks}", re.MULTILINE)


def replaces(notation: Notation) -> re.Pattern[str] | None:
    """The placeholders with `$` that the harness replaces; the group is the number of an argument."""
    return _replaces((*notation.argument, *notation.numbered), notation.arguments, notation.escape)


@cache
def _replaces(argument: tuple[str, ...], arguments: tuple[str, ...], escape: str) -> re.Pattern[str] | None:
    dollars = [template for template in argument if template.startswith("$")]
    whole = [template for template in arguments if template.startswith("$")]
    if not dollars and not whole:
        return None
    parts = [re.escape(template).replace(r"\{n\}", "([0-9]+)") for template in dollars]
    mark = re.escape(escape)
    kept = f"(?<!(?<!{mark}){mark})" if escape else ""
    return re.compile(f"{kept}(?:{'|'.join([*parts, *map(re.escape, whole)])})")


def is_mention(command: re.Match[str]) -> bool:
    """Is it the end of inline code and the beginning of another, as in: `!` or `?`"""
    before = command.string[command.start() - 1 : command.start()]
    return before == "`" and not (command[1][0].isalnum() or command[1][0] in "./$_~\"'({[")


def is_in_code(text: str, offset: int) -> bool:
    """Is this inside inline code, as far as its own line tells?"""
    return text.count("`", text.rfind("\n", 0, offset) + 1, offset) % 2 == 1


def outside_fences(text: str) -> Iterator[Span]:
    """The parts of a prompt that are not in a fenced code block."""
    marks = [0]
    fence = ""
    offset = 0
    for line in text.splitlines(keepends=True):
        opening = _FENCE.match(line)
        if opening is not None and (not fence or opening[1].startswith(fence)):
            marks.append(offset if not fence else offset + len(line))
            fence = "" if fence else opening[1]
        offset += len(line)
    marks.append(len(text))
    for number, (start, end) in enumerate(pairwise(marks)):
        if number % 2 == 0:
            yield Span(start, end)
