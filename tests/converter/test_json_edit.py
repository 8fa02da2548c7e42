"""Adding to a JSON file changes nothing else in it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsagent_lint.converter.json_edit import add_member
from fsagent_lint.files.jsonc import JsonError, parse_json

COMMENTED = """\
// head
{
    "$schema": "s", // the schema
    /* servers */
    "mcp": {
        "one": {"a": [1, {"b": 2}]} // the first, {not} "closed"
    },
    "last": true /* two
    lines */
}
// tail
"""


def test_comments_order_and_layout_stay() -> None:
    assert add_member(COMMENTED.encode(), ("mcp", "two"), {"x": [1]}).decode() == COMMENTED.replace(
        """{"b": 2}]} // the first, {not} "closed"\n""",
        """{"b": 2}]}, // the first, {not} "closed"
        "two": {
            "x": [
                1
            ]
        }\n""",
    )


def test_a_missing_object_is_created_at_the_end() -> None:
    assert add_member(COMMENTED.encode(), ("servers", "two"), {}).decode() == COMMENTED.replace(
        """true /* two\n    lines */\n""",
        """true, /* two\n    lines */\n    "servers": {\n        "two": {}\n    }\n""",
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "k": {\n    "n": 1\n  }\n}\n'),
        ("{}", '{\n  "k": {\n    "n": 1\n  }\n}'),
        ('{"k": {}}', '{"k": {\n  "n": 1\n}}'),
        ('{"k": {"a": 0}}', '{"k": {"a": 0, "n": 1}}'),
        ('{"k": {"a": 0,}}', '{"k": {"a": 0, "n": 1}}'),
        ('{\n\t"k": {\n\t\t"a": 0,\n\t},\n}\n', '{\n\t"k": {\n\t\t"a": 0,\n\t\t"n": 1,\n\t},\n}\n'),
        ('{\r\n "k": {\r\n  "a": 0\r\n }\r\n}\r\n', '{\r\n "k": {\r\n  "a": 0,\r\n  "n": 1\r\n }\r\n}\r\n'),
        ('\ufeff{"k": {"a": 0}}', '\ufeff{"k": {"a": 0, "n": 1}}'),
        ('{"k": {\n  "a": 0}}', '{"k": {\n  "a": 0,\n  "n": 1}}'),
        ('{"k": {\n  // nothing yet\n}}', '{"k": {\n  // nothing yet\n  "n": 1\n}}'),
        ('{"k": {"a": "}\\""}}', '{"k": {"a": "}\\"", "n": 1}}'),
    ],
)
def test_what_is_added_looks_like_what_is_there(before: str, after: str) -> None:
    assert add_member(before.encode(), ("k", "n"), 1).decode() == after


@pytest.mark.parametrize(
    ("before", "problem"),
    [
        ("[]", "is not an object"),
        ('{"k": []}', "`k` is not an object"),
        ('{"k": {"n": 0}}', "`n` already exists"),
        ('{"k": {', "is not valid JSON"),
        ("\xff", "is not valid JSON"),
        ("{" * 200, "is nested more than"),
    ],
)
def test_what_cannot_be_changed_is_refused(before: str, problem: str) -> None:
    with pytest.raises(JsonError, match=problem):
        add_member(before.encode(), ("k", "n"), 1)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(
    st.dictionaries(st.text(), values, max_size=4),
    st.dictionaries(st.text(), values, max_size=4),
    values,
    st.sampled_from([None, 0, 1, "\t"]),
    st.booleans(),
)
def test_any_object_can_be_added_to(
    outer: dict[str, object], inner: dict[str, object], value: object, indent: int | None, ascii_only: bool
) -> None:
    inner.pop("new", None)
    whole = {**outer, "k": inner}
    data = json.dumps(whole, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    after = add_member(data, ("k", "new"), value)
    assert parse_json(after) == {**whole, "k": {**inner, "new": value}}
