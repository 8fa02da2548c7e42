"""The section of a harness's page about the fields of its files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docgen.markdown import bullets, code, codes, first_paragraph, table
from docgen.shared_facts import shared_facts
from fsagent_lint.effect.field_checks import CHECKS, LIMITS
from fsagent_lint.harnesses.formats import FORMATS
from fsagent_lint.harnesses.kind import Field, Kind

_UNKNOWN_FIELDS = {
    "ignored": "ignored without any warning",
    "forwarded": "sent to the model's provider",
    "forbidden": "ignored, but not allowed by the specification",
    "refused": "the file does not load",
}


def field_section(kinds: Mapping[str, Kind]) -> Iterator[str]:
    rows = [
        (code(field), names, _value(facts), "; ".join(filter(None, _notes(facts))))
        for names, field, facts in shared_facts({name: kind.fields for name, kind in kinds.items()})
    ]
    if rows:
        yield f"## Other fields\n\n{table(['field', 'in', 'value', 'notes'], rows)}"
        yield bullets([*_unknown_fields(kinds), *_in_plugins(kinds)])


def _unknown_fields(kinds: Mapping[str, Kind]) -> Iterator[str]:
    for outcome in dict.fromkeys(kind.unknown_fields for kind in kinds.values()):
        names = ", ".join(name for name, kind in kinds.items() if kind.unknown_fields == outcome)
        yield f"Any other field ({names}): {_UNKNOWN_FIELDS[outcome]}."


def _in_plugins(kinds: Mapping[str, Kind]) -> Iterator[str]:
    for name, kind in kinds.items():
        if kind.ignored_in_plugins:
            yield f"Ignored in a plugin's files ({name}): {codes(kind.ignored_in_plugins)}."


def _value(facts: Field) -> str:
    kinds = " or ".join(facts.type).replace("positive", "whole number above zero")
    if facts.max_length:
        kinds += f" of up to {facts.max_length:,} characters"
    choices = [*map(code, facts.values), *([FORMATS[facts.format].words] if facts.format else [])]
    return f"{kinds}: {', '.join(choices)}" if choices else kinds


def _notes(facts: Field) -> Iterator[str]:
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
