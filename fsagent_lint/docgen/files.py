"""The part of a harness' page about its files: where they lie, and what they are known by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fsagent_lint.docgen.markdown import bullets, code, codes, table
from fsagent_lint.harness import Harness, Kind, get_harness, harness_ids

_IDENTITY = {
    "name": "its field `name`, or else its file name",
    "file": "its file name",
    "folder": "its folder's name",
}


def file_section(harness: Harness) -> Iterator[str]:
    head = ["kind", "where", "known by", "a converted one goes to"]
    rows = [
        (name, _where(harness, name), _IDENTITY[kind.identity], code(kind.path) if kind.path else "-")
        for name, kind in harness.kinds.items()
    ]
    yield f"## Files\n\n{table(head, rows)}"
    if notes := list(_notes(harness.kinds)):
        yield bullets(notes)


def _where(harness: Harness, name: str) -> str:
    own = harness.kinds[name].globs
    others = {id: get_harness(id).kinds.get(name) for id in harness_ids()}
    read = [id for id, kind in others.items() if kind and harness.id in (*kind.shared_with, *kind.read_by)]
    found = [*map(code, own), *(f"the files of {code(id)}" for id in read)]
    return ", ".join(found) or "where the config says"


def _notes(kinds: Mapping[str, Kind]) -> Iterator[str]:
    if any("{plugin}" in glob for kind in kinds.values() for glob in kind.globs):
        yield "`{plugin}` is a folder with a `plugin.json` or `.claude-plugin/plugin.json`."
    for name, kind in kinds.items():
        if kind.frontmatter == "required":
            yield f"A file of kind {name} must have frontmatter."
        if kind.max_body:
            note = f" ({kind.max_body_note})" if kind.max_body_note else ""
            yield f"The prompt of a file of kind {name} may have {kind.max_body:,} characters{note}."
        if kind.shared_with:
            yield f"Files of kind {name} are written for {codes(kind.shared_with)} as well."
        if kind.read_by:
            yield f"Files of kind {name} are also read by {codes(kind.read_by)}."
