"""Placeholders in the prompt of a command, a prompt file or a skill, in the notation of another harness."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice

from fsagent_lint._fast import NamedTuple
from fsagent_lint.effect.prompt import find_prices, find_scripts, is_in_code, is_mention, replaces, runs
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.notation import Notation
from fsagent_lint.model.finding import Consequence
from fsagent_lint.model.loss import LossKind, ReportedLoss

_MOST_SHOWN = 5
_ALL = "arguments"
_NUMBERED = re.compile(r"argument([1-9])")
# `~` is a test that the placeholder does not begin again, so that a text of beginnings alone is read only once.
_GROUPS = {
    "{n}": r"([0-9])(?![0-9]|[.,][0-9])",
    "{name}": r"(~[A-Za-z_](?:~[A-Za-z0-9_-])*)(?::(?:~[^}\r\n])*)?",
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
    replaced: tuple[str, ...] = ()
    """Text that the target replaces, and the source does not."""
    shifted: bool = False
    """Did the numbers of arguments change, although the first argument is not used?"""
    shortened: str = ""
    """The placeholder that stands for all remaining arguments in the source, and for one in the target."""


class _Marks(NamedTuple):
    """Characters that the prompt does not have, in the place of others that no step may change."""

    text: str
    """A `$` that is text."""
    broken: str
    """A `$` that is meant as text, although the source replaces it."""
    run: str
    """After the first character of a command that the target runs as the source does."""


def convert_prompt(data: bytes, source: Notation, target: Notation) -> ConvertedPrompt:
    """The prompt with every placeholder that has an equivalent in the notation of the target; the rest is unchanged."""
    text = data.decode("utf-8", "surrogateescape")
    marks = _Marks(*islice((char for char in map(chr, range(0xE000, 0xF900)) if char not in text), 3))
    text = _mark_text(text, source, target, marks)
    lost: dict[str, None] = {}
    inputs = {name: number for number, name in enumerate(_used([source.input], text))}
    numbers = _used(source.argument, text)
    shifted = bool(numbers and target.argument) and source.first != target.first and str(source.first) not in numbers
    # The only argument is everything that the user types, if the last one takes the rest.
    rest = source.last_takes_rest and not target.last_takes_rest
    is_all = rest and numbers == [str(source.first)] and not _used(source.arguments, text)
    shortened = source.argument[0].replace("{n}", max(numbers)) if rest and numbers and not is_all else ""
    for templates, rewrite in _steps(source, target, inputs, is_all=is_all):

        def replace(match: re.Match[str], rewrite: Rewrite = rewrite) -> str:
            written = rewrite(next((group for group in match.groups() if group is not None), ""))
            if written is None:
                lost[match[0]] = None
            return match[0] if written is None else written

        if any(templates):
            text = _pattern(tuple(templates)).sub(replace, text)
    text = _convert_commands(text, source, target, marks, lost)
    may_run = runs(target)
    started = tuple(match[0] for match in may_run.finditer(text)) if may_run is not None else ()
    text, replaced = _unmark_text(text.replace(marks.run, ""), target, marks)
    return ConvertedPrompt(
        text.encode("utf-8", "surrogateescape"),
        tuple(lost),
        started,
        replaced,
        shifted,
        shortened if target.argument else "",
    )


def _mark_text(text: str, source: Notation, target: Notation, marks: _Marks) -> str:
    """Mark each `$` that is text, and drop what keeps it as text in the source."""
    reads, takes = replaces(source), replaces(target)
    if "$" not in text or (reads is None and takes is None):
        return text
    own = {found.start(): next(filter(None, found.groups()), "") for found in reads.finditer(text)} if reads else {}
    marked: dict[int, str] = {}
    if takes is not None:
        marked = {found.start(): marks.text for found in takes.finditer(text) if found.start() not in own}
    if source.argument:
        spans = [*(each.span for each in find_scripts(text)), *find_prices(text)]
        inside = (place for span in spans for place in range(*span) if text[place] == "$")
        # Without an argument, some keep such text, and others remove it.
        equal = source.clears or not target.clears
        marked |= {place: marks.broken if place in own and equal else marks.text for place in inside}
        marked |= {place: marks.broken for place, number in own.items() if number and int(number) < source.first}
    if source.escape and reads is not None:
        escapes = [place for place in _escaped(text, source, reads) if place not in own]
        marked |= dict.fromkeys(escapes, marks.text)
        dropped = {place - len(source.escape) for place in escapes}
    else:
        dropped = set()
    return "".join(marked.get(place, char) for place, char in enumerate(text) if place not in dropped)


def _escaped(text: str, source: Notation, reads: re.Pattern[str]) -> Iterator[int]:
    """Where a `$` stands that would begin a placeholder if nothing kept it as text."""
    without = replaces(source.replace(escape="")) or reads
    for found in without.finditer(text):
        if text.endswith(source.escape, 0, found.start()):
            yield found.start()


def _unmark_text(text: str, target: Notation, marks: _Marks) -> tuple[str, tuple[str, ...]]:
    """The text with every `$` again, and what of it the target replaces nevertheless."""
    takes = replaces(target)
    plain = text.replace(marks.text, "$").replace(marks.broken, "$")
    taken = [found for found in takes.finditer(plain) if text[found.start()] in marks[:2]] if takes is not None else []
    if not target.escape:
        return plain, tuple(dict.fromkeys(found[0] for found in taken if text[found.start()] == marks.text))
    pieces, last = [], 0
    for found in taken:
        pieces += [plain[last : found.start()], target.escape]
        last = found.start()
    return "".join([*pieces, plain[last:]]), ()


def _convert_commands(text: str, source: Notation, target: Notation, marks: _Marks, lost: dict[str, None]) -> str:
    """Commands in the notation of the target; what does not run there for certain, or does not run here, stays as text."""
    pattern = runs(source)
    if pattern is None:
        return text

    def replace(match: re.Match[str]) -> str:
        command, same = match[1], source.command == target.command
        if command is None:
            written = match[0] if source.command_block == target.command_block else None
        elif is_mention(match):
            written = match[0] if same and source.command_apart == target.command_apart else ""
        elif source.command_apart and ("\n" in command or is_in_code(match.string, match.start())):
            # It may not run.
            written = match[0] if same and target.command_apart else None
        elif target.command_apart and not source.command_apart and not _stands_apart(match):
            written = None
        else:
            written = _fill(target.command, "{command}", command)
        if written == "":
            return match[0]
        if written is None:
            lost[match[0]] = None
            return match[0]
        return written[0] + marks.run + written[1:]

    return pattern.sub(replace, text)


def _stands_apart(match: re.Match[str]) -> bool:
    return "\n" not in match[1] and (match.start() == 0 or match.string[match.start() - 1].isspace())


def report_placeholders(
    prompt: ConvertedPrompt, source: Harness, target: Harness, kind_name: str
) -> Iterator[ReportedLoss]:
    """Report what the prompt lost, and numbers that a person should check."""
    if prompt.lost:
        shown = ", ".join(each if "`" in each else f"`{each}`" for each in prompt.lost[:_MOST_SHOWN])
        more = f" and {len(prompt.lost) - _MOST_SHOWN} more" if len(prompt.lost) > _MOST_SHOWN else ""
        message = f"{target.title} does not replace {shown}{more} in {kind_name}s; kept as text."
        yield ReportedLoss(LossKind.PLACEHOLDER, message, Consequence.IGNORED)
    if prompt.replaced:
        shown = ", ".join(f"`{each}`" for each in prompt.replaced[:_MOST_SHOWN])
        message = (
            f"{target.title} replaces {shown} in {kind_name}s, which is text in {source.title}, "
            "and has no way to keep it as text. Write it in another way."
        )
        yield ReportedLoss(LossKind.PLACEHOLDER, message, Consequence.IGNORED)
    if prompt.shortened:
        message = (
            f"In {source.title} `{prompt.shortened}` is all remaining arguments, in {target.title} only one. "
            "Check the arguments."
        )
        yield ReportedLoss(LossKind.PLACEHOLDER, message, Consequence.STYLE)
    if prompt.shifted:
        message = (
            f"{source.title} and {target.title} number arguments differently; they were renumbered, although the first "
            "argument is not used. Check them."
        )
        yield ReportedLoss(LossKind.PLACEHOLDER, message, Consequence.STYLE)


def _steps(
    source: Notation, target: Notation, inputs: dict[str, int], *, is_all: bool
) -> Iterable[tuple[Sequence[str], Rewrite]]:
    """What to look for, and what to write for it; no step writes what a later one looks for."""
    if is_all:
        yield source.argument, lambda _: _all_arguments(target)
    else:
        yield source.argument, lambda number: _argument(int(number) - source.first, target)
    yield source.arguments, lambda _: _all_arguments(target)
    yield [source.input], lambda name: _input(name, target, inputs)
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
    start = _NOT_INSIDE_A_WORD if placeholder == "{path}" else ""
    group = _GROUPS[placeholder].replace("~", f"(?!{re.escape(before)})")
    return f"{start}{re.escape(before)}{group}{re.escape(after)}"
