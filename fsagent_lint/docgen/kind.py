"""The part of a harness' page about its files: where they lie, which keys they have, and what their values may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from fsagent_lint.checks import CHECKS
from fsagent_lint.docgen.markdown import bullets, code, codes, first_paragraph, table
from fsagent_lint.harness import Field, Harness, Key, Kind, get_harness, harness_ids
from fsagent_lint.record import Record
from fsagent_lint.syntax import LISTS

_ROLES = {
    "allow": "the tools to have",
    "deny": "the tools not to have",
    "switch": "tools to switch on and off",
    "permission": "tools to allow, deny or ask about",
    "approve": "tools that run without asking; restricts nothing",
}
_SCOPES = {
    "honoured": "counts",
    "ignored": "read as `Tool`",
    "dropped": "the entry is lost",
}
_UNKNOWN_FIELDS = {
    "ignored": "ignored without a word",
    "forwarded": "passed on to the model's provider",
    "forbidden": "ignored, and against the standard",
    "refused": "the file does not load",
}
_IDENTITY = {
    "name": "its field `name`, or else its file name",
    "file": "its file name",
    "folder": "its folder's name",
}
R = TypeVar("R", bound=Record)


def kind_sections(harness: Harness) -> Iterator[str]:
    kinds = harness.kinds
    head = ["kind", "where", "known by", "a converted one goes to"]
    rows = [
        (name, _where(harness, name), _IDENTITY[kind.identity], code(kind.path) if kind.path else "-")
        for name, kind in kinds.items()
    ]
    yield f"## Files\n\n{table(head, rows)}"
    if notes := list(_notes_on_files(kinds)):
        yield bullets(notes)
    keys = _alike({name: kind.keys for name, kind in kinds.items()})
    if keys:
        head = ["key", "in", "names", "forms", "`Tool(scope)`"]
        yield f"## Keys that speak of tools\n\n{table(head, [_key_row(*each) for each in keys])}"
        yield bullets(_readings(keys))
    if wrong := list(_wrong_rows(kinds)):
        yield f"It does not read these, though people write them:\n\n{table(['key', 'in', 'what to use'], wrong)}"
    fields = _alike({name: kind.fields for name, kind in kinds.items()})
    if fields:
        rows_ = [
            (code(field), names, _value(facts), "; ".join(filter(None, _notes(facts))))
            for names, field, facts in fields
        ]
        yield f"## Other fields\n\n{table(['field', 'in', 'value', 'notes'], rows_)}"
        yield bullets(_unknown_fields(kinds))


def _unknown_fields(kinds: Mapping[str, Kind]) -> Iterator[str]:
    for outcome in dict.fromkeys(kind.unknown_fields for kind in kinds.values()):
        names = ", ".join(name for name, kind in kinds.items() if kind.unknown_fields == outcome)
        yield f"Any other field ({names}): {_UNKNOWN_FIELDS[outcome]}."


def _where(harness: Harness, name: str) -> str:
    own = harness.kinds[name].globs
    others = {id: get_harness(id).kinds.get(name) for id in harness_ids()}
    read = [id for id, kind in others.items() if kind and harness.id in (*kind.shared_with, *kind.read_by)]
    found = [*map(code, own), *(f"the files of {code(id)}" for id in read)]
    return ", ".join(found) or "where the config says"


def _notes_on_files(kinds: Mapping[str, Kind]) -> Iterator[str]:
    if any("{plugin}" in glob for kind in kinds.values() for glob in kind.globs):
        yield "`{plugin}` is a folder with a `plugin.json` or `.claude-plugin/plugin.json`."
    for name, kind in kinds.items():
        if kind.frontmatter == "required":
            yield f"A file of kind {name} must have frontmatter."
        if kind.max_body:
            yield f"The prompt of a file of kind {name} may have {kind.max_body:,} characters{f' ({kind.max_body_note})' if kind.max_body_note else ''}."
        if kind.shared_with:
            yield f"Files of kind {name} are written for {codes(kind.shared_with)} as well."
        if kind.read_by:
            yield f"Files of kind {name} are also read by {codes(kind.read_by)}."


def _alike(kinds: Mapping[str, Mapping[str, R]]) -> list[tuple[str, str, R]]:
    """The kinds in which a key means the same, in one line; the key; what it means."""
    found: dict[tuple[str, str], tuple[list[str], str, R]] = {}
    for kind, keys in kinds.items():
        for key, facts in keys.items():
            found.setdefault((key, repr(facts)), ([], key, facts))[0].append(kind)
    order = list(dict.fromkeys(key for key, _ in found))
    return sorted(
        ((", ".join(names), key, facts) for names, key, facts in found.values()), key=lambda each: order.index(each[1])
    )


def _key_row(names: str, key: str, facts: Key) -> tuple[str, ...]:
    role = _ROLES[facts.role] + (f"; deprecated, use {code(facts.instead)}" if facts.instead else "")
    scopes = _SCOPES[facts.scopes] if facts.role not in ("switch", "permission") else "not written here"
    if facts.scoped:
        scopes += f", but counts for {codes(facts.scoped)}"
    return code(key), names, role, codes(facts.forms), scopes


def _readings(keys: list[tuple[str, str, Key]]) -> Iterator[str]:
    """How values are read; keys that are read alike together."""
    same: dict[str, dict[str, None]] = {}
    for _, key, facts in keys:
        for how in _reading(facts):
            same.setdefault(how, {})[key] = None
    return (f"{codes(keys)}: {how}" for how, keys in same.items())


def _reading(facts: Key) -> Iterator[str]:
    if facts.syntax in LISTS:
        yield first_paragraph(LISTS[facts.syntax].__doc__)
    for name, gate in facts.gates.items():
        yield f"{code(name)} switches {code(gate)}."
    for value, names in facts.presets.items():
        yield f"{code(value)} stands for {codes(names)}."
    if facts.unknown == "refused":
        yield "a name of no tool keeps the file from loading."
    if facts.flat:
        yield f"no patterns below {codes(facts.flat)}."


def _wrong_rows(kinds: Mapping[str, Kind]) -> Iterator[tuple[str, ...]]:
    found: dict[tuple[str, str], list[str]] = {}
    for names, key, facts in _alike({name: kind.wrong_keys for name, kind in kinds.items()}):
        found.setdefault((names, facts.use), []).append(key)
    for (names, use), keys in found.items():
        yield codes(keys), names, code(use) if use else "nothing: it has no such key"


def _value(facts: Field) -> str:
    kinds = " or ".join(facts.type).replace("positive", "whole number above zero")
    if facts.max_length:
        kinds += f" of up to {facts.max_length:,} characters"
    choices = [*map(code, facts.values), *([f"matching {code(facts.pattern)}"] if facts.pattern else [])]
    return f"{kinds}: {', '.join(choices)}" if choices else kinds


def _notes(facts: Field) -> Iterable[str]:
    if facts.required:
        yield "required" + (", may be empty" if facts.may_be_empty else "")
    if facts.is_identity:
        yield "has to be the name of the file or folder"
    if facts.wrong == "refused":
        yield "a wrong value: the file does not load"
    if facts.instead:
        yield f"deprecated, use {code(facts.instead)}"
    if facts.check:
        rule = first_paragraph(CHECKS[facts.check].__doc__).rstrip(".")
        yield f"{rule[:1].lower()}{rule[1:]}"
    if facts.adds:
        yield f"adds {codes(facts.adds)}"
    if facts.note:
        yield facts.note
