"""The part of a harness' page about one kind of file."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.checks import CHECKS
from fsagent_lint.docgen.markdown import code, codes, first_paragraph, table
from fsagent_lint.harness import Field, Key, Kind, WrongKey
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
_IDENTITY = {
    "name": "the field `name`, or else the name of the file",
    "file": "the name of the file",
    "folder": "the name of its folder",
}


def kind_section(name: str, kind: Kind) -> str:
    parts = [f"## Files: {name}\n", " ".join(_about(kind)) + "\n"]
    if kind.keys:
        head = ["tool key", "lists", "forms", "how it is read", "`Tool(scope)`"]
        parts.append(table(head, [_key_row(key, facts) for key, facts in kind.keys.items()]))
    if kind.wrong_keys:
        parts.append(table(["key that it does not read", "what to use"], _wrong_rows(kind.wrong_keys)))
    if kind.fields:
        head = ["field", "value", "a wrong value", "notes"]
        parts.append(table(head, [_field_row(field, facts) for field, facts in kind.fields.items()]))
    return "\n".join(parts)


def _about(kind: Kind) -> Iterator[str]:
    if kind.globs:
        yield f"Where: {codes(kind.globs)}."
        if any("{plugin}" in glob for glob in kind.globs):
            yield "`{plugin}` is a folder with a `plugin.json` or `.claude-plugin/plugin.json`."
    else:
        yield "Where: named in the config, or recognised by content."
    if kind.path:
        yield f"Conversion writes {code(kind.path)}."
    yield f"Known by {_IDENTITY[kind.identity]}."
    yield f"Frontmatter is {kind.frontmatter}."
    if kind.max_body:
        yield f"The prompt may have {kind.max_body:,} characters."
    if kind.shared_with:
        yield f"Written for {codes(kind.shared_with)} as well."
    if kind.read_by:
        yield f"Also read by {codes(kind.read_by)}."


def _key_row(key: str, facts: Key) -> tuple[str, ...]:
    role = _ROLES[facts.role] + (f"; deprecated, use {code(facts.instead)}" if facts.instead else "")
    reading = first_paragraph(LISTS[facts.syntax].__doc__) if facts.syntax in LISTS else ""
    if facts.gates:
        reading += " " + ", ".join(f"{code(name)} switches {code(gate)}" for name, gate in facts.gates.items()) + "."
    if facts.flat:
        reading += f" No patterns below {codes(facts.flat)}."
    scopes = _SCOPES[facts.scopes] if facts.role not in ("switch", "permission") else "not written here"
    if facts.scoped:
        scopes += f", but counts for {codes(facts.scoped)}"
    return code(key), role, codes(facts.forms), reading.strip(), scopes


def _wrong_rows(keys: dict[str, WrongKey]) -> Iterator[tuple[str, str]]:
    for use in dict.fromkeys(facts.use for facts in keys.values()):
        same = [key for key, facts in keys.items() if facts.use == use]
        yield codes(same), code(use) if use else "nothing: it has no such key"


def _field_row(name: str, facts: Field) -> tuple[str, ...]:
    return code(name), _value(facts), _wrong(facts), "; ".join(_notes(facts))


def _value(facts: Field) -> str:
    kinds = " or ".join(facts.type).replace("positive", "whole number above zero")
    choices = [*map(code, facts.values), *([f"matching {code(facts.pattern)}"] if facts.pattern else [])]
    return f"{kinds}: {', '.join(choices)}" if choices else kinds


def _wrong(facts: Field) -> str:
    return "the file does not load" if facts.wrong == "refused" else "ignored"


def _notes(facts: Field) -> Iterator[str]:
    if facts.required:
        yield "required" + (", may be empty" if facts.may_be_empty else "")
    if facts.instead:
        yield f"deprecated, use {code(facts.instead)}"
    if facts.check:
        yield first_paragraph(CHECKS[facts.check].__doc__).rstrip(".")
    if facts.adds:
        yield f"adds {codes(facts.adds)}"
    if facts.note:
        yield facts.note
