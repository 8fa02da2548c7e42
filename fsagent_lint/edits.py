"""Surgical edits of tool entries: the smallest change of text, whatever the shape around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from fsagent_lint.findings import Edit
from fsagent_lint.nodes import Entry, List, Map, Node, Scalar
from fsagent_lint.source import Span
from fsagent_lint.written import Item, Written, split

_LINE_END = re.compile(r"\r\n|\n|\r|\Z")
_PLAIN = re.compile(r"[A-Za-z0-9_./+$^~()][A-Za-z0-9_./+$^~()*:@%=,-]*(?: [A-Za-z0-9_./+$^~()*:@%=,-]+)*")
_RESERVED = re.compile(r"(?:true|false|null|yes|no|on|off|y|n|~|[-+.]?[0-9].*)\Z", re.IGNORECASE)


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Splice edits that do not overlap, from the end backwards."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def quote(text: str, style: str = "", *, flow: bool = False) -> str:
    """A scalar for a value: plain where YAML reads it back as this text, quoted otherwise."""
    if style == "'":
        return "'" + text.replace("'", "''") + "'"
    unsafe = ",[]{}" if flow else ""
    if style != '"' and _PLAIN.fullmatch(text) and not _RESERVED.match(text) and ": " not in text:
        if not text.endswith(":") and not any(char in text for char in unsafe):
            return text
    if style != '"' and "'" not in text and text.isprintable():
        return f"'{text}'" if style == "" and '"' in text else f'"{text}"' if "\\" not in text else f"'{text}'"
    import json

    return json.dumps(text, ensure_ascii=False)


def replace_item(text: str, written: Written, item: Item, names: Sequence[str]) -> tuple[Edit, ...] | None:
    """Write other names for an entry, leaving out those that are there already; None where that cannot be done."""
    if not item.exact:
        return None
    present = {other.text for other in written.items if other.span != item.span}
    fresh = [name for name in dict.fromkeys(names) if name not in present]
    if not fresh:
        return remove_item(text, written, item)
    scope = f"({item.scope})" if item.text.endswith(")") and item.scope else ""
    fresh = [name + scope for name in fresh]
    if written.shape in ("map", "permission"):
        return _replace_key(text, written.entry.value, item, fresh)
    assert isinstance(item.node, Scalar)
    if written.shape == "csv" or len(list(split(item.node.value, ","))) > 1:
        return (Edit(item.span, ", ".join(fresh)),)
    return _replace_in_list(text, written.entry.value, item, fresh)


def _replace_in_list(text: str, value: Node, item: Item, names: list[str]) -> tuple[Edit, ...]:
    assert isinstance(item.node, Scalar) and isinstance(value, List)
    style = item.node.style
    whole = Span(item.node.start, item.node.end)
    written = [quote(name, style, flow=value.flow) for name in names]
    if value.flow:
        return (Edit(whole, ", ".join(written)),)
    lead = text[_line_start(text, item.node.start) : item.node.start]
    end = _line_end(text, item.node.end)
    more = "".join(f"{_newline(text)}{lead}{name}" for name in written[1:])
    return (Edit(whole, written[0]), *([Edit(Span(end, end), more)] if more else []))


def _replace_key(text: str, value: Node, item: Item, names: list[str]) -> tuple[Edit, ...] | None:
    assert isinstance(value, Map)
    entry = _entry_at(value, item.span)
    if entry is None or not isinstance(entry.key, Scalar):
        return None
    keys = [quote(name, entry.key.style, flow=value.flow) for name in names]
    first = Edit(Span(entry.key.start, entry.key.end), keys[0])
    if len(keys) == 1:
        return (first,)
    rest = text[entry.key.end : entry.end]
    if value.flow:
        return (first, Edit(Span(entry.end, entry.end), "".join(f", {key}{rest}" for key in keys[1:])))
    lead = text[_line_start(text, entry.start) : entry.start]
    end = _line_end(text, entry.end)
    return (first, Edit(Span(end, end), "".join(f"{_newline(text)}{lead}{key}{rest}" for key in keys[1:])))


def remove_item(text: str, written: Written, item: Item) -> tuple[Edit, ...] | None:
    """Take an entry out; what is left of an emptied value is an explicit empty form, never an absent key."""
    if not item.exact:
        return None
    value = written.entry.value
    if isinstance(value, Map):
        entry = _entry_at(value, item.span)
        spans = [Span(each.start, each.end) for each in value.entries]
        return _remove(text, value, spans, Span(entry.start, entry.end), "{}") if entry is not None else None
    assert isinstance(item.node, Scalar)
    shift = item.node.start + (1 if item.node.style in ("'", '"') else 0)
    parts = [Span(shift + start, shift + end) for start, end in split(item.node.value, ",\n")]
    if len(parts) > 1 and item.span in parts:
        return (_cut(parts, parts.index(item.span)),)
    if isinstance(value, Scalar):
        return (Edit(Span(value.start, value.end), "[]"),)
    spans = [Span(each.start, each.end) for each in value.items]
    whole = Span(item.node.start, item.node.end)
    return _remove(text, value, spans, whole, "[]") if whole in spans else None


def _remove(text: str, value: List | Map, spans: list[Span], gone: Span, empty: str) -> tuple[Edit, ...]:
    if len(spans) == 1:
        return (Edit(Span(value.start, value.end), empty),)
    start, end = _line_start(text, gone.start), _line_end(text, gone.end)
    alone = not any(other != gone and start <= other.start < end for other in spans)
    if alone and (not value.flow or _is_own_line(text, start, end, gone)):
        return (Edit(Span(start, _LINE_END.match(text, end).end()), ""),)  # type: ignore[union-attr]
    return (_cut(spans, spans.index(gone)),)


def _is_own_line(text: str, start: int, end: int, gone: Span) -> bool:
    """Nothing else of a flow collection stands on the line; a comma or a comment goes with the entry."""
    return not text[start : gone.start].strip() and re.fullmatch(r"\s*,\s*(#.*)?", text[gone.end : end]) is not None


def _cut(spans: list[Span], number: int) -> Edit:
    if number:
        return Edit(Span(spans[number - 1].end, spans[number].end), "")
    return Edit(Span(spans[0].start, spans[1].start), "")


def insert_first(text: str, value: Map, entry: str) -> Edit:
    """Put an entry before all the others of a map."""
    start = value.entries[0].start
    if value.flow:
        return Edit(Span(start, start), f"{entry}, ")
    lead = text[_line_start(text, start) : start]
    # Comments above the first entry stay with it.
    return Edit(Span(start, start), f"{entry}{_newline(text)}{lead}")


def move_before(text: str, late: Entry, early: Entry) -> tuple[Edit, ...] | None:
    """Let two entries of one map change places, each with the rest of its line; None where they share a line's ends."""
    spans = [Span(each.start, each.end) for each in (early, late)]
    if _line_start(text, early.start) != _line_start(text, late.start):
        spans = [Span(span.start, _line_end(text, span.end)) for span in spans]
        if any(text[_line_start(text, span.start) : span.start].strip() for span in spans):
            return None  # something else stands on the line
    one, other = (text[span.start : span.end] for span in spans)
    return (Edit(spans[0], other), Edit(spans[1], one))


def delete_entry(text: str, entry: Entry) -> Edit:
    """Take a top-level entry out, with every line that it fills."""
    end = _LINE_END.search(text, entry.end)
    assert end is not None
    return Edit(Span(_line_start(text, entry.start), end.end()), "")


def _entry_at(value: Map, span: Span) -> Entry | None:
    return next((entry for entry in value.entries if (entry.key.start, entry.key.end) == span), None)


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _line_end(text: str, offset: int) -> int:
    found = _LINE_END.search(text, offset)
    assert found is not None
    return found.start()


def _newline(text: str) -> str:
    found = re.search(r"\r\n|\n|\r", text)
    return found[0] if found else "\n"
