"""What the rules about placeholders in prompts share."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.effect.prompt import find_scripts, replaces
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.rules import Subject

_WORDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def prompt_of(subject: Subject) -> tuple[str, int]:
    """The prompt, and where it begins in the file."""
    source = subject.document.source
    start = 0 if source.problem == "missing" else len(source.text)
    return source.whole[start:], start


def arguments_outside_scripts(subject: Subject, text: str) -> Iterator[tuple[int, Span]]:
    """The numbered arguments that are not part of a program in the prompt: number and place."""
    reads = replaces(subject.kind.notation)
    scripts = [each.span for each in find_scripts(text)] if reads is not None else []
    for found in reads.finditer(text) if reads is not None else ():
        number = next(filter(None, found.groups()), "")
        if number and len(number) == 1 and not any(span.start <= found.start() < span.end for span in scripts):
            yield int(number), Span(*found.span())


def ordinal(index: int) -> str:
    return _WORDS[index] if index < len(_WORDS) else f"{index + 1}th"
