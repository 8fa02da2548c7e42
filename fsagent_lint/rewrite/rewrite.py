"""Replace the tool entries of a file with rendered ones, and verify that the new harness reads them as intended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.tool_values import ToolItem, ToolValue
from fsagent_lint.effect.presets import FORM
from fsagent_lint.frontmatter.comments import about
from fsagent_lint.frontmatter.edits import Edit, stands_alone, suppression_above, whole_lines
from fsagent_lint.frontmatter.lines import line_prefix, newline
from fsagent_lint.frontmatter.nodes import List, Map, Node, Span
from fsagent_lint.frontmatter.parse import duplicates
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.rewrite.in_place import edit_in_place
from fsagent_lint.rewrite.lay_out import Replacements, assemble, comment_home, lay_out
from fsagent_lint.rewrite.read_back import reads_as
from fsagent_lint.rewrite.render import Rendered
from fsagent_lint.rewrite.take_apart import take_apart
from fsagent_lint.suggest import ascii_lower


def obstacle(subject: Subject, values: Sequence[ToolValue]) -> str:
    """Why the tool keys of a file cannot be rewritten; empty if they can."""
    keys = {value.key for value in values}
    if sum(entry.name in keys for entry in subject.document.entries) > len(keys):
        return "a tool key occurs twice"
    root = subject.document.root
    for value in values:
        if (root is not None and root.marked) or _is_marked(value.entry.key) or _is_marked(value.entry.value):
            return f"`{value.key}` uses YAML anchors, aliases or tags"
        if again := next(duplicates(value.entry.value), None):
            return f"`{again[1].name}` occurs twice"
        if problem := _ambiguity(value):
            return problem
        if not stands_alone(subject.document.source.text, value.entry):
            return f"`{value.key}` shares its line with another key"
    return ""


def _ambiguity(value: ToolValue) -> str:
    """What has no clear reading: an entry that is not a name, or a name that occurs twice with two meanings."""
    seen: dict[str, ToolItem] = {}
    for item in value.items:
        if item.name != "*" and value.shape != FORM and not any(char.isalnum() for char in item.name):
            return f"`{item.name}` is not the name of a tool"
        known = seen.setdefault(ascii_lower(item.name), item)
        if known.name != item.name and (known.action, known.scope) != (item.action, item.scope):
            return f"`{known.name}` and `{item.name}` contradict each other"
    return ""


def _is_marked(node: Node) -> bool:
    if isinstance(node, List):
        return node.marked or any(map(_is_marked, node.items))
    if isinstance(node, Map):
        return node.marked or any(_is_marked(entry.key) or _is_marked(entry.value) for entry in node.entries)
    return node.marked


def rewrite(
    subject: Subject,
    values: Sequence[ToolValue],
    rendered: Rendered,
    form: str,
    in_target: Subject | None = None,
    *,
    native: bool = False,
) -> tuple[Edit, ...] | None:
    """The edits; None if no result would be read as intended. `in_target` is the file as its new harness sees it.

    The author's style is kept, unless `native` asks for the layout, the quotes and the order that are usual in the
    target. Comments are never lost.
    """
    in_target = in_target or subject
    text = subject.document.source.text
    for edits in _attempts(subject, values, rendered, form, in_target.kind, native=native):
        if _holds(subject, edits, rendered, in_target):
            return tuple(edit for edit in edits if edit.text != text[edit.span.start : edit.span.end])
    return None


def _attempts(
    subject: Subject, values: Sequence[ToolValue], rendered: Rendered, form: str, kind: Kind, *, native: bool
) -> Iterator[list[Edit]]:
    """Ways to write the entries, the smallest change first."""
    source = subject.document.source
    if rendered.key is None:
        yield [drop_value(source.text, value) for value in values]
        return
    key = kind.keys[rendered.key]
    if not values:
        yield [_insert(source, assemble(subject, rendered, [], lay_out(source, None, [], form, key, native=True)))]
        return
    parts = [take_apart(value, source.text) for value in values]
    replacements = Replacements(subject, rendered)
    used = [each for each in parts if any(replacements.entries(piece.item) for piece in each.pieces)] or parts[:1]
    # A limit in an option next to the name takes more than another name.
    alike = not native and not (rendered.option and any("(" in entry.name for entry in rendered.entries))
    for value, own in zip(values, parts, strict=True):
        fits = alike and value.shape == form and used == [own]
        edits = edit_in_place(subject, value, own, rendered, form) if fits else None
        if edits is not None:
            yield [*edits, *(drop_value(source.text, each) for each in values if each is not value)]
    used = [each for each in parts if each is parts[0] or each in used]
    whole = assemble(subject, rendered, used, lay_out(source, values[0], used, form, key, native=native))
    home = comment_home(used, rendered.key)
    rest = (
        drop_value(source.text, value, entries=each not in used, comment=each is not home)
        for value, each in zip(values[1:], parts[1:], strict=True)
    )
    yield [Edit(Span(parts[0].start, parts[0].end), whole), *rest]


def _holds(subject: Subject, edits: Sequence[Edit], rendered: Rendered, in_target: Subject) -> bool:
    if subject.document.error is not None:
        return True  # its effect can be checked once the rest is repaired
    return reads_as(subject.document.apply(edits), in_target, rendered)


def drop_value(text: str, value: ToolValue, *, entries: bool = True, comment: bool = True) -> Edit:
    """Remove a tool key; its comments stay in its place: those of the entries and that of the key, unless they moved."""
    parts = take_apart(value, text)
    lines = whole_lines(text, parts.start, parts.end)
    above = suppression_above(text, lines.start)
    own = [text[above.start : above.end].strip(), parts.key_comment if comment else ""]
    stay = [*(about(value.key, line) for line in own if line), *(parts.left_behind if entries else ())]
    margin = line_prefix(text, parts.start)
    return Edit(Span(above.start, lines.end), "".join(f"{margin}{line}{newline(text, parts.start)}" for line in stay))


def remove_tool_keys(subject: Subject) -> list[Edit]:
    """The edits that remove the author's tool keys."""
    return [drop_value(subject.document.source.text, value) for value in (*subject.values, *subject.misplaced)]


def _insert(source: Source, line: str) -> Edit:
    """A new key at the end of the frontmatter."""
    end = source.yaml.end
    before = "" if end == source.yaml.start or source.text[end - 1] in "\r\n" else source.newline
    return Edit(Span(end, end), f"{before}{line}{source.newline}")
