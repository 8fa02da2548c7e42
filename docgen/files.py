"""The section of a harness's page about its files: their paths, and what identifies them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docgen.markdown import bullets, code, codes, table
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.tables import harnesses_read_by

_IDENTITY = {
    "name": "its field `name`, or else its file name",
    "file": "its file name",
    "folder": "its folder's name",
}


def file_section(harness: Harness) -> Iterator[str]:
    head = ["kind", "where", "known by", "a converted one goes to"]
    rows = [
        (name, _where(harness, name), _known_by(kind), code(kind.path) if kind.path else "-")
        for name, kind in harness.kinds.items()
    ]
    yield f"## Files\n\n{table(head, rows)}"
    if notes := list(_notes(harness.kinds)):
        yield bullets(notes)


def _known_by(kind: Kind) -> str:
    slug = kind.slot("slug")
    return f"its field {code(slug)}" if slug else _IDENTITY[kind.identity]


def _where(harness: Harness, name: str) -> str:
    own = harness.kinds[name].all_globs
    lent = harnesses_read_by(harness.id, name)
    found = [*map(code, own), *([f"the files of {codes(lent)}"] if lent else [])]
    return ", ".join(found) or "where the config says"


def _data_notes(name: str, kind: Kind) -> Iterator[str]:
    if kind.under:
        yield f"A file of kind {name} is YAML, and holds a list of them under {code(kind.under)}."
    if kind.holds:
        yield f"A file of kind {name} holds others, by their names: {_held(kind.holds)}."
    for file, form in kind.data.items():
        more = [each for each in (*form.keys, *form.fields) if each != form.body]
        also = f", and these keys of its own: {codes(more)}" if more else ""
        yield f"In {file.upper()}, {an(name)} has the prompt under {code(form.body)}{also}."


def _held(holds: Mapping[str, str]) -> str:
    return ", ".join(f"{an(kind)} in {code(key)}" for key, kind in holds.items())


def an(kind: str) -> str:
    return f"{'an' if kind == 'agent' else 'a'} {kind}"


def _notes(kinds: Mapping[str, Kind]) -> Iterator[str]:
    if any("{plugin}" in glob for kind in kinds.values() for glob in kind.globs):
        yield "`{plugin}` is a folder with a `plugin.json` or `.claude-plugin/plugin.json`."
    for name, kind in kinds.items():
        yield from _data_notes(name, kind)
        if kind.body:
            yield f"A file of kind {name} has the prompt under {codes((kind.body, *kind.body_also))}."
        elif kind.frontmatter == "required" and kind.file == "markdown":
            yield f"A file of kind {name} must have frontmatter."
        if kind.moved_to:
            yield f"It does not load files of kind {name} any more. Move them to {codes((kind.moved_to,))}."
        if kind.only_top:
            yield f"Of the folders of other harnesses, it looks for kind {name} only into those themselves, not below."
        if kind.max_body:
            note = f" ({kind.max_body_note})" if kind.max_body_note else ""
            yield f"The prompt of a file of kind {name} may have {kind.max_body:,} characters{note}."
        if kind.shared_with:
            yield f"Files of kind {name} are written for {codes(kind.shared_with)} as well."
        if kind.read_by:
            yield f"Files of kind {name} are also read by {codes(kind.read_by)}."
