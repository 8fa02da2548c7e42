"""Put rendered tool entries in the place of those that a file has, and make sure that its new harness reads them so."""

from __future__ import annotations

from collections.abc import Sequence

from fsagent_lint.assemble import Layout, assemble, lay_out
from fsagent_lint.edits import apply, stands_alone
from fsagent_lint.findings import Edit
from fsagent_lint.inplace import edit_in_place
from fsagent_lint.lines import lead, newline, whole_lines
from fsagent_lint.nodes import List, Map, Node
from fsagent_lint.pieces import Parts, take_apart
from fsagent_lint.readback import reads_as
from fsagent_lint.render import Rendered
from fsagent_lint.source import Span
from fsagent_lint.subject import Subject
from fsagent_lint.written import Written


def obstacle(subject: Subject, values: Sequence[Written]) -> str:
    """Why the tool keys of a file cannot be rewritten; empty if they can."""
    keys = {value.key for value in values}
    if sum(entry.name in keys for entry in subject.document.entries) > len(keys):
        return "a tool key is there twice"
    for value in values:
        if _is_marked(value.entry.key) or _is_marked(value.entry.value):
            return f"`{value.key}` uses YAML anchors, aliases or tags"
        if not stands_alone(subject.document.source.text, value.entry):
            return f"`{value.key}` shares its line with another key"
    return ""


def _is_marked(node: Node) -> bool:
    if isinstance(node, List):
        return node.marked or any(map(_is_marked, node.items))
    if isinstance(node, Map):
        return node.marked or any(_is_marked(entry.key) or _is_marked(entry.value) for entry in node.entries)
    return node.marked


def rewrite(
    subject: Subject, values: Sequence[Written], rendered: Rendered, form: str, there: Subject | None = None
) -> tuple[Edit, ...] | None:
    """The edits; None where none would be read as it should. `there` is the file as its new harness sees it."""
    source, there = subject.document.source, there or subject
    parts = [take_apart(value, source.text) for value in values]
    if rendered.key is None:
        return tuple(_drop(source.text, each) for each in parts)
    if not values:
        return _insert(subject, rendered, form)
    for at, value in enumerate(values):
        edits = edit_in_place(subject, value, parts[at], rendered, form) if value.shape == form else None
        if edits is not None:
            edits = (*edits, *(_drop(source.text, each) for each in (*parts[:at], *parts[at + 1 :])))
            if _holds(subject, edits, rendered, there):
                return edits
    whole = assemble(subject, rendered, parts, lay_out(source, values[0], parts, form))
    rest = (_drop(source.text, each, moved=True) for each in parts[1:])
    edits = (Edit(Span(parts[0].start, parts[0].end), whole), *rest)
    return edits if _holds(subject, edits, rendered, there) else None


def _holds(subject: Subject, edits: Sequence[Edit], rendered: Rendered, there: Subject) -> bool:
    source = subject.document.source
    if subject.document.error is not None:
        return True  # what its harness makes of it can be told when the rest is mended
    return reads_as(source.to_bytes(apply(source.text, edits)), there, rendered)


def _drop(text: str, parts: Parts, *, moved: bool = False) -> Edit:
    """Take a key out; comments that are not about one entry stay, unless they have moved with the entries."""
    stay = [*([parts.beside_key] if parts.beside_key else []), *(() if moved else parts.own_lines)]
    margin = lead(text, parts.start)
    return Edit(whole_lines(text, parts.start, parts.end), "".join(f"{margin}{line}{newline(text)}" for line in stay))


def _insert(subject: Subject, rendered: Rendered, form: str) -> tuple[Edit, ...]:
    """A key of its own at the end of the frontmatter."""
    source = subject.document.source
    layout = Layout(form, form in ("map", "permission"), "'" if form == "list" else "", "", "  ", source.newline)
    end = source.yaml.end
    before = "" if end == source.yaml.start or source.text[end - 1] in "\r\n" else source.newline
    return (Edit(Span(end, end), f"{before}{assemble(subject, rendered, [], layout)}{source.newline}"),)
