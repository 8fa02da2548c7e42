"""The facts of a table about keys and fields, in the words of the documentation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from fsagent_lint.effect.field_checks import CHECKS, LIMITS
from fsagent_lint.effect.syntax import LISTS
from fsagent_lint.harnesses.formats import FORMATS
from fsagent_lint.harnesses.kind import Field, Key

ROLES = {
    "allow": "the tools to grant",
    "deny": "the tools to deny",
    "switch": "tools to enable and disable",
    "permission": "tools to allow, deny or ask about",
    "approve": "tools that run without asking; restricts nothing",
}
"""What a tool key lists, by its role."""


def field_value(facts: Field) -> str:
    """What a field may be."""
    kinds = " or ".join(facts.type).replace("positive", "whole number above zero")
    if facts.max_length:
        kinds += f" of up to {facts.max_length:,} characters"
    choices = [*map(code, facts.values), *([FORMATS[facts.format].words] if facts.format else [])]
    return f"{kinds}: {', '.join(choices)}" if choices else kinds


def field_meaning(facts: Field) -> str:
    """What a field is for, where the tables say it."""
    return f"sets the {facts.meaning.replace('-', ' ')}" if facts.meaning else ""


def field_notes(facts: Field) -> Iterator[str]:
    """What else there is to know about a field."""
    if facts.required:
        yield "required" + (", may be empty" if facts.may_be_empty else "")
    if facts.usual:
        yield f"usually written as {code(facts.usual)}"
    if facts.is_identity:
        yield "must be the name of the file or folder"
    if facts.wrong == "refused":
        yield "with an invalid value, the file does not load"
    if facts.instead:
        yield f"deprecated, use {code(facts.instead)}"
    if facts.check:
        rule = first_paragraph(CHECKS[facts.check].__doc__).rstrip(".")
        yield f"{rule[:1].lower()}{rule[1:]}"
    if facts.limits:
        rule = first_paragraph(LIMITS[facts.limits].__doc__).rstrip(".")
        yield f"{rule[:1].lower()}{rule[1:]}"
    yield from _references(facts)
    if facts.adds:
        yield f"adds {codes(facts.adds)}"
    if facts.note:
        yield facts.note


def _references(facts: Field) -> Iterator[str]:
    """What the field needs, and what it names."""
    if facts.needs:
        needed = " and ".join(code(f"{key}: {value}") for key, value in facts.needs.items())
        yield f"has no effect without {needed}"
    if facts.agents == "exact":
        yield "the name of an agent, in the right letter case"
    if facts.preloads:
        yield "loaded when the agent starts, except skills that only a person can invoke"


def key_notes(facts: Key) -> Iterator[str]:
    """How the values of a tool key are read."""
    if facts.syntax in LISTS:
        yield first_paragraph(LISTS[facts.syntax].__doc__)
    for name, gate in facts.gates.items():
        yield f"{code(name)} controls {code(gate)}."
    for value, names in facts.presets.items():
        yield f"{code(value)} stands for {codes(names)}."
    if facts.unknown == "refused":
        yield "an unknown name keeps the file from loading."
    if facts.twice == "refused":
        yield "a name that occurs twice keeps the file from loading."
    if facts.required:
        yield "without it the file does not load."
    if facts.option:
        yield f"{code(f'[name, {{{facts.option}: regex}}]')} is the notation of a scope."
    if facts.flat:
        yield f"no patterns under {codes(facts.flat)}."


def code(text: str) -> str:
    """Inline code, which may contain backticks."""
    return f"`{text}`" if "`" not in text else f"`` {text} ``"


def codes(texts: Iterable[str]) -> str:
    return ", ".join(map(code, texts))


def first_paragraph(docstring: str | None) -> str:
    return re.sub(r"\s+", " ", (docstring or "").strip().partition("\n\n")[0])
