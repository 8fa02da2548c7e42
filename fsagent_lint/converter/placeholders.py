"""Placeholders in the prompt of a command, a prompt file or a skill, in the notation of another harness."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from fsagent_lint._fast import NamedTuple
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.notation import Notation
from fsagent_lint.model.finding import Consequence
from fsagent_lint.rewrite.losses import LossKind, ReportedLoss

_MOST_SHOWN = 5
_ALL = "arguments"
_NUMBERED = re.compile(r"argument([1-9])")
# `~` is a test that the placeholder does not begin again, so that a text of beginnings alone is read only once.
_GROUPS = {
    "{n}": r"([0-9])(?![0-9]|[.,][0-9])",
    "{name}": r"(~[A-Za-z_](?:~[A-Za-z0-9_-])*)(?::(?:~[^}\r\n])*)?",
    "{command}": r"((?:~[^\r\n])+?)",
    "{path}": r"((?:(?:~[\w.-])+/)*~[\w-](?:~[\w.-])*\.[A-Za-z][A-Za-z0-9]{0,7})(?![\w/])",
}
_NOT_INSIDE_A_WORD = r"(?<![\w`@#/!])"

Rewrite = Callable[[str], str | None]


class ConvertedPrompt(NamedTuple):
    data: bytes
    lost: tuple[str, ...] = ()
    """Placeholders without an equivalent, which stay as text."""
    started: tuple[str, ...] = ()
    """Text that the target would run as a command, and the source does not."""
    shifted: bool = False
    """Did the numbers of arguments change, although the first argument is not used?"""


def convert_prompt(data: bytes, source: Notation, target: Notation) -> ConvertedPrompt:
    """The prompt with every placeholder that has an equivalent in the notation of the target; the rest is unchanged."""
    text = data.decode("utf-8", "surrogateescape")
    lost: dict[str, None] = {}
    inputs = {name: number for number, name in enumerate(_used([source.input], text))}
    numbers = _used(source.argument, text)
    shifted = bool(numbers and target.argument) and source.first != target.first and str(source.first) not in numbers
    is_new = target.command and target.command != source.command
    started = tuple(match[0] for match in _pattern((target.command,)).finditer(text)) if is_new else ()
    for templates, rewrite in _steps(source, target, inputs):

        def replace(match: re.Match[str], rewrite: Rewrite = rewrite) -> str:
            written = rewrite(next((group for group in match.groups() if group is not None), ""))
            if written is None:
                lost[match[0]] = None
            return match[0] if written is None else written

        if any(templates):
            text = _pattern(tuple(templates)).sub(replace, text)
    return ConvertedPrompt(text.encode("utf-8", "surrogateescape"), tuple(lost), started, shifted)


def report_placeholders(
    prompt: ConvertedPrompt, source: Harness, target: Harness, kind_name: str
) -> Iterator[ReportedLoss]:
    """Report what the prompt lost, and numbers that a person should check."""
    if prompt.lost:
        shown = ", ".join(each if "`" in each else f"`{each}`" for each in prompt.lost[:_MOST_SHOWN])
        more = f" and {len(prompt.lost) - _MOST_SHOWN} more" if len(prompt.lost) > _MOST_SHOWN else ""
        message = f"{target.title} does not replace {shown}{more} in {kind_name}s; kept as text."
        yield ReportedLoss(LossKind.PLACEHOLDER, message, Consequence.IGNORED)
    if prompt.shifted:
        message = (
            f"{source.title} and {target.title} number arguments differently; they were renumbered, although the first "
            "argument is not used. Check them."
        )
        yield ReportedLoss(LossKind.PLACEHOLDER, message, Consequence.STYLE)


def _steps(source: Notation, target: Notation, inputs: dict[str, int]) -> Iterable[tuple[Sequence[str], Rewrite]]:
    """What to look for, and what to write for it; no step writes what a later one looks for."""
    yield source.argument, lambda number: _argument(int(number) - source.first, target)
    yield source.arguments, lambda _: _all_arguments(target)
    yield [source.input], lambda name: _input(name, target, inputs)
    yield [source.command], lambda command: _fill(target.command, "{command}", command)
    yield [source.file], lambda path: _fill(target.file, "{path}", path)
    others = [each for each in source.variables if each not in target.variables]
    yield others, lambda _: None


def _used(templates: Sequence[str], text: str) -> list[str]:
    """The names or numbers that a prompt uses, in the order of their first use."""
    if not any(templates):
        return []
    found = _pattern(tuple(templates)).finditer(text)
    return list(dict.fromkeys(next(filter(None, each.groups())) for each in found))


def _argument(index: int, target: Notation) -> str | None:
    if target.argument:
        return target.argument[0].replace("{n}", str(index + target.first))
    return _fill(target.input, "{name}", f"argument{index + 1}")


def _all_arguments(target: Notation) -> str | None:
    return target.arguments[0] if target.arguments else _fill(target.input, "{name}", _ALL)


def _input(name: str, target: Notation, inputs: dict[str, int]) -> str | None:
    """`inputs`: all of them, with their places. One input is everything that the user types; several ones are arguments by their order."""
    if target.input:
        return target.input.replace("{name}", name)
    number = _NUMBERED.fullmatch(name)
    if name == _ALL or (len(inputs) == 1 and number is None):
        return _all_arguments(target)
    if not target.argument or (_ALL in inputs and number is None):
        return None
    return _argument(int(number[1]) - 1 if number else inputs[name], target)


def _fill(template: str, placeholder: str, value: str) -> str | None:
    return template.replace(placeholder, value) if template else None


@cache
def _pattern(templates: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(_expression, templates)))


def _expression(template: str) -> str:
    placeholder = next((each for each in _GROUPS if each in template), "")
    if not placeholder:
        return re.escape(template) + r"(?!\w|\[[0-9])"
    before, after = template.split(placeholder)
    start = _NOT_INSIDE_A_WORD if placeholder in ("{command}", "{path}") else ""
    group = _GROUPS[placeholder].replace("~", f"(?!{re.escape(before)})")
    return f"{start}{re.escape(before)}{group}{re.escape(after)}"
