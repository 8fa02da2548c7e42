"""TOML is read to the values that tomllib finds, at exact positions; what tomllib refuses is an error with its place."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fsagent_lint.frontmatter.dump import to_toml
from fsagent_lint.frontmatter.nodes import List, Map, Node, ParseError, Scalar
from fsagent_lint.frontmatter.toml_nodes import read_toml

EVERYTHING = """\
name = "a" # why
'quoted key'."b c".d = 1_000
text = '''
it's'''
long = \"\"\"
"so" \\
  on \\u00e4\"\"\"
list = [ 1, "a", # one
  { a = 1.5, b.c = [] }, ]
when = 1979-05-27 07:32:00Z
time = 07:32:00
odd = [inf, -nan, 0x1f, true]
[servers.db]
command = "x"
[[rules]]
a = 1
[rules.of]
b = 2
[[rules]]
a = 3
"""
PARTS = st.sampled_from(
    [
        *"=.,#[]{}\"'\n\r \\",
        "[[",
        "]]",
        '"""',
        "'''",
        "a",
        "b",
        "1",
        "1.5",
        "true",
        "inf",
        "2020-01-01",
        '"x"',
        "a = 1\n",
        "\r\n",
    ]
)


def texts(node: Node) -> list[str]:
    if isinstance(node, Scalar):
        return [node.value] if node.style else []
    if isinstance(node, List):
        return [text for item in node.items for text in texts(item)]
    return [text for entry in node.entries for text in texts(entry.value)]


def test_every_form_is_found() -> None:
    root = read_toml(EVERYTHING)
    assert [entry.name for entry in root.entries] == list(tomllib.loads(EVERYTHING))
    spans = {entry.name: EVERYTHING[entry.value.start : entry.value.end] for entry in root.entries}
    assert spans["name"] == '"a"'
    assert spans["text"] == "'''\nit's'''"
    assert spans["list"].startswith("[ 1,")
    assert spans["when"] == "1979-05-27 07:32:00Z"
    assert texts(root) == ["a", "it's", '"so" on ä', "a", "x"]


@given(st.lists(PARTS, max_size=25).map("".join))
@example("a.b = 1\n[a]\n")
@example('x = """"""""')
@example("a = 1\r")
def test_what_tomllib_reads_is_found_and_nothing_else(text: str) -> None:
    try:
        known = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        known = None
    place = 0
    try:
        found = [entry.name for entry in read_toml(text).entries]
    except ParseError as error:
        found, place = None, error.offset
    assert found == (None if known is None else list(known))
    assert 0 <= place <= len(text)


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=4), st.text(st.characters(exclude_categories=["Cs"]), max_size=20), max_size=4
    )
)
def test_texts_are_found_whatever_they_hold(values: dict[str, str]) -> None:
    text = to_toml(values)
    root = read_toml(text)
    assert {entry.name: entry.value.value for entry in root.entries if isinstance(entry.value, Scalar)} == values


@pytest.mark.parametrize(
    ("text", "problem", "offset"),
    [
        ("a = 1\nb = \n", "invalid value", 10),
        ("a = 1\na = 2\n", "cannot overwrite a value", 11),
        ("x = " + "[" * 1000, "it is nested more than 48 levels deep", 53),
        ("x" + ".x" * 100_000 + " = 1", "a key has more than 50 parts", 101),
    ],
)
def test_errors_say_what_is_wrong_and_where(text: str, problem: str, offset: int) -> None:
    with pytest.raises(ParseError) as caught:
        read_toml(text)
    assert (caught.value.problem, caught.value.offset) == (problem, offset)
    assert isinstance(read_toml("a = 1"), Map)
