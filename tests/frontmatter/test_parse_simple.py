"""The reader for simple frontmatter sees what libyaml sees, or leaves it to libyaml; and others take what it saw."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from fsagent_lint.effect.readers import READERS
from fsagent_lint.frontmatter import libyaml
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.nodes import List, Node, ParseError, Scalar
from fsagent_lint.frontmatter.parse import _Converter
from fsagent_lint.frontmatter.parse_simple import read_simple
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.project.discover import own_name


def shape(node: Node) -> object:
    if isinstance(node, Scalar):
        return (node.start, node.end, node.value, node.style, node.marked)
    if isinstance(node, List):
        return (node.start, node.end, node.flow, [shape(item) for item in node.items])
    return (node.start, node.end, node.flow, [(shape(entry.key), shape(entry.value)) for entry in node.entries])


def by_libyaml(text: str) -> object:
    try:
        root = libyaml.compose(text)
    except ParseError:
        return None
    return None if root is None else shape(_Converter(text, 7).convert(root, 0))


words = st.sampled_from(
    ["Read", "a b", "'q'", '"d"', "x: y", "# c", "[a, b]", "['a', \"b\"]", "[]", "[a,]", "{a: b}", "- a", "*", "&a", "!t", "|", ">", "a#b",
     "a #b", "a:", ":a", "''", '""', "it's", "'it''s'", "1", "~", "@x", "é", "a  ", "%", "?", "? a", "-", "--", "...", "a,b", "http://x", "\t", "a\tb"]
)  # fmt: skip
keys = st.sampled_from(["name", "tools", "a-b", "é", "a b", "'k'", '"k"', "1", "-", "", "x" * 101])
indents = st.sampled_from(["", "  ", " ", "    "])


@st.composite
def texts(draw: st.DrawFn) -> str:
    lines = []
    for _ in range(draw(st.integers(0, 5))):
        kind = draw(st.integers(0, 5))
        if kind < 3:
            lines.append(f"{draw(keys)}:{draw(st.sampled_from([' ', '', '  ']))}{draw(words)}")
        elif kind == 3:
            lines.append(f"{draw(keys)}:")
        elif kind == 4:
            lines.append(f"{draw(indents)}- {draw(words)}")
        else:
            lines.append(f"{draw(indents)}{draw(keys)}: {draw(words)}")
    return "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n"]))


@given(texts())
@example("tools:\n- Read\n- 'Grep'\nmodel: opus\n")
@example('tools:\n  bash: false\n  "*": true\nname: a\n')
def test_simple_reading_agrees_with_libyaml(text: str) -> None:
    simple = read_simple(text, 7)
    if simple is not None:
        assert shape(simple) == by_libyaml(text)


@given(texts(), st.sampled_from(sorted(READERS)))
@example("tools: 2024-01-01\nname: a\nname: b\n", "opencode")
@example("tools:\n  bash: false\n  bash: true\n", "copilot")
@example("description: a --- b\n", "claude")
def test_readers_take_the_short_way_only_where_the_long_one_leads_to_the_same(text: str, reader: str) -> None:
    source = Source("a.md", "---\n{}\n---\nbody\n".format(text.rstrip("\n")).encode())
    short, long = Document(source), Document(source)
    long.is_simple = False
    assert READERS[reader](short) == READERS[reader](long)


@given(texts() | st.sampled_from(["name: a\nname: b\n", "name: a\n  b\n", "x: |\n  name: y\nname: z\n", "{name: a}\n"]))
def test_a_name_is_found_without_reading_the_rest(text: str) -> None:
    data = "---\n{}\n---\nname: other\n".format(text.rstrip("\n")).encode()
    assert own_name("a.md", data) == Document(Source("a.md", data)).text_of("name")
