"""Read back what was written: the harness must find the intended entries, and no others."""

from __future__ import annotations

from fsagent_lint.agent.subject import Subject
from fsagent_lint.effect import presets
from fsagent_lint.effect.readers import read
from fsagent_lint.effect.syntax import NamesRead, read_names
from fsagent_lint.frontmatter.values import Value, core, evaluate_entries
from fsagent_lint.model.policy import Action
from fsagent_lint.rewrite.render import Rendered


def reads_as(data: bytes, in_target: Subject, rendered: Rendered) -> bool:
    """Does the harness find exactly the rendered entries in these bytes?"""
    document = in_target.document.reread(data)
    if document.error is not None or rendered.key is None:
        return document.error is None
    reading = read(document, in_target.harness, in_target.kind)
    value = (evaluate_entries(document.entries, core) if reading.error else reading.data).get(rendered.key)
    key = in_target.kind.keys[rendered.key]
    if key.role in ("switch", "permission"):
        entries = {"*": value} if isinstance(value, str) else value
        return isinstance(entries, dict) and entries == _as_data(rendered) and _starts_alike(entries, rendered)
    if any(entry.name in key.presets for entry in rendered.entries):
        return [entry.name for entry in rendered.entries] == [presets.preset_word(value)]
    names = read_names(value, key)
    wanted = {entry.name.partition("(")[0] for entry in rendered.entries if entry.action is not Action.DENY}
    if key.role == "deny":
        wanted = {entry.name.partition("(")[0] for entry in rendered.entries}
    return isinstance(names, NamesRead) and {name.partition("(")[0] for name in names.names} == wanted


def _as_data(rendered: Rendered) -> dict[str, Value]:
    if rendered.role == "switch":
        return {entry.name: entry.action is not Action.DENY for entry in rendered.entries}
    return {
        entry.name: {scope: action.value for scope, action in entry.scopes} if entry.scopes else entry.action.value
        for entry in rendered.entries
    }


def _starts_alike(entries: dict[str, Value], rendered: Rendered) -> bool:
    """If the last match counts, `*` must come first."""
    return "*" not in entries or next(iter(entries)) == rendered.entries[0].name
