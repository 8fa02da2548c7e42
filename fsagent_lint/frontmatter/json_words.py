"""Edits that were written as YAML on one line, as JSON: words get their quotes, and no comma is left at an end."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

from fsagent_lint._fast import pattern
from fsagent_lint.frontmatter.edits import Edit, apply_edits, overlap
from fsagent_lint.frontmatter.json_nodes import read_json
from fsagent_lint.frontmatter.nodes import ParseError, Span

_TEXT_OR_COMMENT = pattern(r'"(?:[^"\\]|\\[\s\S]?)*+(?:"|\Z)|//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)')
_TOKEN = pattern(
    r"(?P<asis>[ \t\r\n,\[\]{}]++|:(?=[\s\[{\"']|\Z))"
    r"|(?P<comment>(?:\#|//)[^\r\n]*+)"
    r'|(?P<double>"(?:[^"\\]|\\[\s\S])*+")'
    r"|(?P<single>'(?:[^']|'')*+')"
    # A word ends at a comma, at a bracket, and at a colon that a blank follows.
    r"|(?P<word>(?:[^\s,\[\]{}:#\"']|(?<=[^\s])[#\"']|:(?![\s\[{\"']|\Z)|[ \t]++(?=[^\s,\[\]{}:#]))++)"
)
_JSON_TEXT = pattern(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_JSON_WORD = pattern(r"true|false|null|-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?")


def as_json(text: str, edits: Sequence[Edit]) -> list[Edit] | None:
    """The edits of a JSON text in its notation; None if they are more than words. What is JSON already stays as it is."""
    if overlap(edits):
        return None
    found: list[Edit] = []
    for edit in sorted(edits):
        new = _inside(edit.text) if _is_inside(text, edit.span) else _words(edit.text)
        if new is None:
            return None
        found.append(Edit(edit.span, new))
    return found


def are_only_words(text: str, edits: Sequence[Edit]) -> bool:
    """Does each edit change one text, number or word into another? Then the result is JSON as well."""
    return all(_is_inside(text, edit.span) or _is_word_for_word(text, edit) for edit in edits)


def _is_word_for_word(text: str, edit: Edit) -> bool:
    old = text[edit.span.start : edit.span.end]
    if not all(_JSON_TEXT.fullmatch(each) or _JSON_WORD.fullmatch(each) for each in (old, edit.text)):
        return False
    around = text[edit.span.start - 1 : edit.span.start] + text[edit.span.end : edit.span.end + 1]
    # A key must stay a text.
    return (edit.text[0] == '"' or old[0] != '"') and not any(map(str.isalnum, around))


def completed(text: str, edits: list[Edit], *, plain: bool, commas: Sequence[int]) -> Sequence[Edit] | None:
    """The edits, with those of the commas that they leave at an end; None if the result would not be JSON.

    `plain`: comments and trailing commas are no JSON there. `commas`: the trailing commas that the text has.
    """
    found = edits
    try:
        ends = read_json(apply_edits(text, found)).commas
        if ends and not commas:
            found = _without(found, ends)
        if overlap(found):
            return None
        read_json(apply_edits(text, found), plain=plain)
    except ParseError:
        return None
    return found


def _is_inside(text: str, span: Span) -> bool:
    """Does a span lie between the quotes of a text?"""
    spans = _spans(text)
    at = bisect_right(spans, (span.start, 0)) - 1
    if at < 0:
        return False
    start, end = spans[at]
    return text[start] == '"' and start < span.start and span.end < end


@lru_cache(maxsize=2)
def _spans(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in _TEXT_OR_COMMENT.finditer(text)]


def _inside(text: str) -> str:
    return _quoted(text)[1:-1]


def _quoted(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)


def _words(text: str) -> str | None:
    """JSON for YAML on one line; None for YAML that is not."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            return None
        at = found.end()
        if found.lastgroup == "comment":
            parts.append(f"//{found[0].removeprefix('//').removeprefix('#')}")
        elif found.lastgroup == "asis" or _JSON_TEXT.fullmatch(found[0]) or _JSON_WORD.fullmatch(found[0]):
            parts.append(found[0])
        elif (value := _value(found[0])) is not None:
            parts.append(_quoted(value))
        else:
            return None
    return "".join(parts)


def _value(word: str) -> str | None:
    """The text that a scalar stands for; None for anything that begins a block."""
    if word[0] == "'":
        return word[1:-1].replace("''", "'")
    if word[0] != '"':
        return (
            None if (word[0] in "&*!|>%@`" and len(word) > 1) or word.startswith(("- ", "? ")) or word == "-" else word
        )
    from fsagent_lint.frontmatter.nodes import Scalar
    from fsagent_lint.frontmatter.parse import parse

    try:
        node = parse(word)
    except ParseError:
        return None
    return node.value if isinstance(node, Scalar) else None


def _without(edits: Sequence[Edit], commas: Sequence[int]) -> list[Edit]:
    """The edits, and without these commas of their result."""
    found: list[Edit] = []
    left = list(commas)
    shift = 0  # from the old text to the new one
    for edit in edits:
        start = edit.span.start + shift
        while left and left[0] < start:
            found.append(_cut(left.pop(0) - shift))
        new = edit.text
        for comma in reversed([each for each in left if each < start + len(edit.text)]):
            new = new[: comma - start] + new[comma - start + 1 :]
        left = [each for each in left if each >= start + len(edit.text)]
        found.append(Edit(edit.span, new))
        shift += len(edit.text) - (edit.span.end - edit.span.start)
    return sorted([*found, *(_cut(comma - shift) for comma in left)])


def _cut(at: int) -> Edit:
    return Edit(Span(at, at + 1), "")
