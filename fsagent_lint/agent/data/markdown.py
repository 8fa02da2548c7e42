"""One agent of a list as markdown with frontmatter, and back: files for other harnesses are made from that."""

from __future__ import annotations

from typing import Any

from fsagent_lint.agent.data.document import TITLES, DataDocument, DataSource, MemberDocument
from fsagent_lint.agent.data.subject import DataSubject, MemberSubject
from fsagent_lint.agent.subject import NO_GOAL, Subject
from fsagent_lint.errors import UserError
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.dump import to_yaml
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.lines import line_end, line_prefix, line_start
from fsagent_lint.frontmatter.nodes import Entry, List, Scalar, Span
from fsagent_lint.frontmatter.quoting import quote
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.frontmatter.values import Value, core, evaluate_entries
from fsagent_lint.harnesses.kind import Kind

_STEP = "  "


class NamedDocument(Document):
    """Markdown whose name does not come from its file."""

    def __init__(self, source: Source, name: str) -> None:
        super().__init__(source)
        self.name = name

    @property
    def stem(self) -> str:
        return self.name

    def reread(self, data: bytes) -> Document:
        return NamedDocument(Source(self.source.path, data), self.name)


def as_markdown(member: MemberSubject) -> Subject:
    """The agent as it would look in a file of its own, without the keys that its harness does not read."""
    document, kind = member.document, member.harness.kinds[member.kind_name]
    values = evaluate_entries(document.entries, core, merge=False)
    body = {kind.body, *kind.body_also}
    known = {*kind.fields, *kind.keys, *kind.wrong_keys} - body - {kind.slot("when")}
    common = {"name": values.get("name"), "description": _description(values, kind)}
    rest = {name: value for name, value in values.items() if name in known - {"name", "description"}}
    lines = [f"{name}: {_flow(value)}" for name, value in {**common, **rest}.items() if value or name in rest]
    head = "".join(f"{line}\n" for line in ["---", *lines, "---"]).encode("utf-8", "replace")
    source = Source(document.source.path, head + document.prompt + b"\n")
    named = NamedDocument(source, document.stem)
    return Subject(named, member.harness, member.kind_name, member.context._replace(goal=NO_GOAL))


def _flow(value: Value) -> str:
    """A value on one line."""
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{quote(key, flow=True)}: {_flow(each)}' for key, each in value.items())}}}"
    if isinstance(value, str):
        return quote(value, flow=True)
    return "null" if value is None else str(value).lower()


def only_checked(kind: Kind) -> str:
    """Why the files of a kind that is not convertible are left alone."""
    return (
        f"agents in {TITLES[kind.file]} are only checked, neither converted nor exported; write the agent as markdown"
    )


def defines_none(whole: Subject) -> bool:
    """Is it a config that could be read, and has settings alone?"""
    assert isinstance(whole, DataSubject)
    document = whole.data_document
    unread = document.error is not None or document.source.problem is not None or document.flaws
    return bool(whole.layout.holds) and not whole.members and not unread


def members(whole: Subject) -> list[Subject]:
    """Every agent of a list as markdown; UserError for a file that is not a list, or holds agents in another way."""
    assert isinstance(whole, DataSubject)
    if not whole.layout.is_convertible:
        raise UserError(only_checked(whole.layout))
    if whole.refused is not None and whole.refused[0] is whole and not whole.members:
        raise UserError(f"it cannot be read: {whole.refused[1]}")
    return [as_markdown(each) for each in whole.members]


def _description(values: dict[str, Value], kind: Kind) -> str:
    """What the agent is and when to use it, which other harnesses keep in one text; else its title, which says less."""
    slots = (values.get(kind.slot(meaning)) for meaning in ("description", "when"))
    texts = [" ".join(text.split()) for text in slots if isinstance(text, str)]
    found = list(dict.fromkeys(filter(None, texts)))
    joined = ". ".join(text.rstrip(".") if at < len(found) - 1 else text for at, text in enumerate(found))
    return joined or (name if isinstance(name := values.get("name"), str) else "")


def to_list(fields: dict[str, Value], body: str, kind: Kind) -> str:
    """A list of one agent: its names come first, then the prompt, then the fields in the order of the table."""
    first = {key: fields[key] for key in (kind.slot("slug"), "name") if key in fields}
    ordered = [*(key for key in kind.fields if key in fields), *(key for key in fields if key not in kind.fields)]
    rest = {key: fields[key] for key in ordered if key not in first and fields[key] is not None}
    return to_yaml({kind.under: [{**first, kind.body: body.strip("\n"), **rest}]}, indented=True)


def merge_into_list(existing: bytes, made: bytes, path: str, kind: Kind, *, force: bool) -> bytes:
    """The existing list with the one agent of the other list added; UserError if that has to be done by hand.

    Everything else in the file stays byte-identical.
    """
    old, new = (DataDocument(DataSource(path, data), kind) for data in (existing, made))
    [new_member] = new.members
    entry = old.get(kind.under)
    unread = old.error is not None or old.source.problem is not None or old.root_is_not_map
    if unread or (entry is None and old.entries):
        raise UserError("already exists, but is not valid; correct it first")
    if entry is None:
        newline = old.source.newline
        joint = "" if not existing.strip() or existing.endswith((b"\n", b"\r")) else newline
        return existing + (joint + new.source.text.replace("\n", newline)).encode("utf-8")
    existing_member = next((each for each in old.members if each.stem == new_member.stem), None)
    if existing_member is not None and _values(existing_member) == _values(new_member):
        return existing
    if existing_member is not None and not force:
        raise UserError(f"already has a different `{new_member.stem}`; --force overwrites it, --diff shows the change")
    edit = (
        _replaced(old, existing_member, new_member) if existing_member is not None else _added(old, entry, new_member)
    )
    text = old.source.text
    result = old.source.to_bytes(text[: edit.span.start] + edit.text + text[edit.span.end :])
    _prove(old, old.reread(result), existing_member, new_member)
    return result


def _added(old: DataDocument, entry: Entry, new_member: MemberDocument) -> Edit:
    text, value = old.source.text, entry.value
    if isinstance(value, List) and value.items and not value.flow:
        end = line_end(text, value.end)
        margin = line_prefix(text, value.items[0].start)
        if margin.strip() != "-":
            raise UserError("has a layout that cannot be extended; add the agent by hand")
        newline = old.source.newline
        return Edit(Span(end, end), newline + _item(new_member, margin, newline))
    empty = isinstance(value, Scalar) or (isinstance(value, List) and not value.items)
    if not empty or line_prefix(text, entry.start).strip("\ufeff"):
        raise UserError("is JSON, or laid out like it, and is not changed; add the agent by hand")
    newline = old.source.newline
    return Edit(value.span, newline + _item(new_member, f"{_STEP}- ", newline))


def _replaced(old: DataDocument, existing_member: MemberDocument, new_member: MemberDocument) -> Edit:
    text, node = old.source.text, existing_member.root
    assert node is not None
    margin = line_prefix(text, node.start)
    if node.flow or margin.strip() != "-":
        raise UserError("is JSON, or laid out like it, and is not changed; change the agent by hand")
    return Edit(
        Span(line_start(text, node.start), line_end(text, node.end)), _item(new_member, margin, old.source.newline)
    )


def _item(new_member: MemberDocument, margin: str, newline: str) -> str:
    """An agent's lines, indented like the other agents of the list."""
    assert new_member.root is not None
    start, indent = new_member.root.start, len(line_prefix(new_member.source.text, new_member.root.start))
    lines = new_member.source.text[start:].rstrip("\n").split("\n")
    rest = [" " * len(margin) + line[indent:] if line.strip() else "" for line in lines[1:]]
    return newline.join([margin + lines[0], *rest])


def _values(member: MemberDocument) -> dict[str, Any]:
    return evaluate_entries(member.entries, core, merge=False)


def _prove(
    old: DataDocument, new: DataDocument, existing_member: MemberDocument | None, new_member: MemberDocument
) -> None:
    """The agent is there as intended, and all others are unchanged."""
    before = [_values(each) if each is not existing_member else _values(new_member) for each in old.members]
    wanted = before if existing_member is not None else [*before, _values(new_member)]
    if new.error is not None or new.flaws != [] or [_values(each) for each in new.members] != wanted:
        raise UserError("has a layout that cannot be extended; add the agent by hand")
