"""JSON is read to the values that Python's own parser finds, at exact positions, whatever the text is."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fsagent_lint.frontmatter.json_nodes import MAX_DEPTH, read_json
from fsagent_lint.frontmatter.nodes import List, Map, Node, ParseError, Scalar
from fsagent_lint.frontmatter.values import data_value, evaluate

NUMBERS = st.integers(-(10**15), 10**15) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=15,
)
WORDS = st.sampled_from(
    [
        *'{}[],:"',
        "\\",
        "//",
        "/*",
        "*/",
        "\n",
        " ",
        '"a"',
        "1",
        "-0.5e3",
        "01",
        "true",
        "nul",
        "'",
        "#",
        "\ufeff",
        "\\u00e4",
    ]
)


@given(VALUES, st.sampled_from([None, 0, 2, "\t"]), st.booleans())
def test_values_are_those_of_the_standard_parser(value: object, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    root = read_json(text, plain=True).root
    assert root is not None
    assert same(evaluate(root, data_value), value)
    check_spans(root, text)


def same(one: object, other: object) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(other, float):
        return isinstance(one, (int, float)) and math.isclose(one, other)
    return type(one) is type(other) and one == other


def check_spans(node: Node, text: str) -> None:
    raw = text[node.start : node.end]
    if isinstance(node, Scalar):
        assert json.loads(raw) == node.value if node.style else raw == node.value
    elif isinstance(node, List):
        assert raw[0] + raw[-1] == "[]"
        for item in node.items:
            check_spans(item, text)
    else:
        assert raw[0] + raw[-1] == "{}"
        for entry in node.entries:
            check_spans(entry.key, text)
            check_spans(entry.value, text)


@given(st.lists(WORDS, max_size=30).map("".join))
@example('{"a": 1,}')
@example('{"a": "\\ud800"}')
def test_without_extensions_what_is_read_is_what_the_standard_parser_reads(text: str) -> None:
    try:
        json.loads(text.removeprefix("\ufeff"), parse_constant=int)
        is_json = True
    except (ValueError, RecursionError):
        is_json = False
    place = 0
    try:
        is_read = read_json(text, plain=True).root is not None
    except ParseError as error:
        is_read, place = False, error.offset
    assert is_read == is_json
    assert 0 <= place <= len(text)


def test_comments_and_trailing_commas_are_found_where_they_are() -> None:
    text = '{\n  // why\n  "a": [1, /* two */ 2,],\n}'
    found = read_json(text)
    assert [text[start:end] for start, end in found.comments] == ["// why", "/* two */"]
    assert [text[at - 1 : at + 2] for at in found.commas] == ["2,]", "],\n"]
    assert isinstance(found.root, Map)


@pytest.mark.parametrize(
    ("text", "problem", "offset"),
    [
        ('{"a": "b', "a text is not closed", 6),
        ('{"a": "b\n"}', "a text is not closed", 6),
        ('{"a": "\\q"}', "an escape that JSON does not have", 7),
        ('{"a": "\t"}', "a control character in a text; write it as an escape", 7),
        ("{'a': 1}", "a key in double quotes is missing", 1),
        ("{\"a\": 'b'}", "text needs double quotes", 6),
        ('{"a" 1}', "a colon is missing", 5),
        ('{"a": 1 "b": 2}', "a comma is missing", 8),
        ('{"a": 1,, "b": 2}', "a key in double quotes is missing", 8),
        ('{"a": [1}', "a comma is missing", 8),
        ('{"a": {"b": 1}', "`{` is not closed", 0),
        ('{"a": yes}', "`yes` is none of JSON's words: true, false and null", 6),
        ('{"a": 01}', "a number that JSON does not have", 6),
        ("{} {}", "there is more after its end", 3),
        ("/* a", "a comment is not closed", 0),
        ('{"a":', "it ends in the middle of a value", 5),
        ("[" * (MAX_DEPTH + 1), f"it is nested more than {MAX_DEPTH} levels deep", MAX_DEPTH),
    ],
)
def test_errors_say_what_is_wrong_and_where(text: str, problem: str, offset: int) -> None:
    with pytest.raises(ParseError) as caught:
        read_json(text)
    assert (caught.value.problem, caught.value.offset) == (problem, offset)
