"""The section of a harness's page about the fields of its files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docgen.markdown import bullets, code, codes, table
from docgen.shared_facts import shared_facts
from fsagent_lint.effect.describe import field_notes, field_value
from fsagent_lint.harnesses.kind import Kind

_UNKNOWN_FIELDS = {
    "ignored": "ignored without any warning",
    "forwarded": "sent to the model's provider",
    "forbidden": "ignored, but not allowed by the specification",
    "refused": "the file does not load",
}


def field_section(kinds: Mapping[str, Kind]) -> Iterator[str]:
    rows = [
        (code(field), names, field_value(facts), "; ".join(filter(None, field_notes(facts))))
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
