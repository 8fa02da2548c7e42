"""YAML to nodes: every span is what an editor would select, however odd the text; and nothing takes the process down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.nodes import Entry, List, Map, Node, ParseError, Scalar
from fsagent_lint.frontmatter.parse import MAX_DEPTH, duplicates, parse, recover
from fsagent_lint.frontmatter.second_reader import read_entries
from fsagent_lint.frontmatter.source import MAX_FRONTMATTER, Source

# ----------------------------------------------------------------------------------------------------- reading


def entries(text: str) -> list[Entry]:
    root = parse(text)
    assert isinstance(root, Map)
    return root.entries


def value(text: str, name: str = "a") -> Node:
    return next(entry.value for entry in entries(text) if entry.name == name)


def scalar(text: str, name: str = "a") -> Scalar:
    node = value(text, name)
    assert isinstance(node, Scalar)
    return node


def selected(text: str, name: str = "a") -> str:
    node = value(text, name)
    return text[node.start : node.end]


def plain(node: Node | None) -> Any:
    """A node without its spans."""
    if isinstance(node, List):
        return [plain(item) for item in node.items]
    if isinstance(node, Map):
        return [(plain(entry.key), plain(entry.value)) for entry in node.entries]
    return node.value if node is not None else ""


def walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node.items if isinstance(node, List) else []:
        yield from walk(child)
    for entry in node.entries if isinstance(node, Map) else []:
        yield from walk(entry.key)
        yield from walk(entry.value)


# ----------------------------------------------------------------------------------------------- the trap table


@pytest.mark.parametrize(
    ("text", "selection"),
    [
        ("a: b\n", "b"),
        ("a:\tb\n", "b"),
        ("a: b # why\nc: d\n", "b"),
        ("a: b c\n", "b c"),
        ("a: 😀 b\n", "😀 b"),
        ("a: 'it''s'\n", "'it''s'"),
        ('a: "x\\n"\n', '"x\\n"'),
        ("a: one\n  two\n\n  three\n# c\nd: e\n", "one\n  two\n\n  three"),
        ('a: "one\n  two"\nd: e\n', '"one\n  two"'),
        ("a: [b, c]   \nd: e\n", "[b, c]"),
        ("a: [b,\n  c, # why\n  d\n  ]\ne: f\n", "[b,\n  c, # why\n  d\n  ]"),
        ("a: {b: c,\n  d: e}\nf: g\n", "{b: c,\n  d: e}"),
        ("a:\r\n  - b\r\n  - c\r\nd: e\r\n", "- b\r\n  - c"),
        ("a:\r  - b\r  - c\rd: e\r", "- b\r  - c"),
        ("a:\n- b\n- c\nd: e\n", "- b\n- c"),
        ("a:\n  b: c\n  d: e\nf: g\n", "b: c\n  d: e"),
    ],
)
def test_a_value_is_selected_as_it_stands(text: str, selection: str) -> None:
    assert selected(text) == selection


@pytest.mark.parametrize(
    ("text", "selection"),
    [
        ("a:\n  - b\n  - c\n\n# about d\nd: e\n", "- b\n  - c"),
        ("a:\n  - b # first\n  # between\n  - c # last\n  # after\nd: e\n", "- b # first\n  # between\n  - c"),
        ("a:\n  b: c\n\n\n  # after\nd: e\n", "b: c"),
        ("a: |\n  b\n\n# about d\nd: e\n", "|\n  b"),
        ("a: |\n    b\n  # after\n\nd: e\n", "|\n    b"),
        ("a: >-\n  b\n  c\n\n\n# about d\nd: e\n", ">-\n  b\n  c"),
        ("a: |\n  b\n\n  c\n", "|\n  b\n\n  c"),
    ],
)
def test_comments_and_blank_lines_after_a_block_do_not_belong_to_it(text: str, selection: str) -> None:
    assert selected(text) == selection


def test_a_heading_inside_a_block_scalar_is_not_taken_for_a_comment() -> None:
    text = "a: |\n  # Heading\n  text\n  # End\nd: e\n"
    assert selected(text) == "|\n  # Heading\n  text\n  # End"
    assert scalar(text).value == "# Heading\ntext\n# End\n"


def test_an_empty_block_scalar_is_its_indicator() -> None:
    assert selected("a: |\n\n\nd: e\n") == "|"
    assert selected("a: >-\n") == ">-"


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("a:\nd: e\n", 2),
        ("a:   # nothing yet\nd: e\n", 2),
        ("a :\nd: e\n", 3),
        ('"a":\n\n\nd: e\n', 4),
        ("a:", 2),
        ("? a\nd: e\n", 3),
    ],
)
def test_an_empty_value_stands_behind_its_key_and_not_on_the_next_one(text: str, at: int) -> None:
    node = scalar(text)
    assert (node.start, node.end, node.value) == (at, at, "")


def test_empty_items_stand_behind_their_dash() -> None:
    node = value("a:\n  -\n  - b\n  -\nd: e\n")
    assert isinstance(node, List)
    assert [(item.start, item.end) for item in node.items] == [(6, 6), (11, 12), (16, 16)]


def test_an_empty_value_inside_braces_stands_behind_its_colon() -> None:
    node = value("a: {b: , c}\n")
    assert isinstance(node, Map)
    assert [(entry.name, entry.value.start) for entry in node.entries] == [("b", 6), ("c", 10)]


def test_an_alias_is_the_node_of_its_anchor_and_says_so() -> None:
    text = "a: &x [1, 2]\nb: *x\nc: [3]\n"
    assert value(text, "a").marked
    assert value(text, "b").marked
    assert not value(text, "c").marked
    assert selected(text, "b") == "&x [1, 2]"


def test_a_shared_node_is_marked_wherever_it_is_met() -> None:
    text = "a:\n  - &x b\n  - *x\n"
    node = value(text)
    assert isinstance(node, List)
    assert [item.marked for item in node.items] == [True, True]


@pytest.mark.parametrize(
    ("written", "tag", "text"),
    [("!!str 3", "!!str", "3"), ("&x !t z", "!t", "z"), ("!t &x z", "!t", "z"), ("! z", "!", "z"), ("&x z", "", "z")],
)
def test_tags_and_anchors_are_inside_the_span_and_mark_the_node(written: str, tag: str, text: str) -> None:
    document = f"a: {written}\nd: e\n"
    node = scalar(document)
    assert (node.tag, node.value, node.marked) == (tag, text, True)
    assert selected(document) == written


def test_a_comma_string_is_one_scalar() -> None:
    assert scalar("a: Read, Bash(git add:*)\n").value == "Read, Bash(git add:*)"


@pytest.mark.parametrize("break_", ["\x85", "\u2028", "\u2029"])
def test_unicode_line_breaks_do_not_move_spans(break_: str) -> None:
    text = f"a: 'x{break_} y'\nd: e\n"
    assert selected(text) == f"'x{break_} y'"
    assert selected(text, "d") == "e"


@pytest.mark.parametrize(
    ("written", "style", "text"),
    [
        ("b", "", "b"),
        ("'b'", "'", "b"),
        ('"b"', '"', "b"),
        ("|\n  b\n  c", "|", "b\nc\n"),
        (">\n  b\n  c", ">", "b c\n"),
        ("|-\n  b", "|", "b"),
        ("|+\n  b\n", "|", "b\n\n"),
        ("|2\n    b\n   c", "|", "  b\n c\n"),
        ('"b\\\n  c"', '"', "bc"),
        ("'b\n\n  c'", "'", "b\nc"),
    ],
)
def test_the_style_and_the_value_of_a_scalar(written: str, style: str, text: str) -> None:
    node = scalar(f"a: {written}\nd: e\n")
    assert (node.style, node.value) == (style, text)


def test_nothing_is_resolved() -> None:
    texts = ["yes", "No", "null", "~", "0o17", "1_000", "2024-01-01", "1e3", ".nan", "=", "<<"]
    assert [scalar(f"a: {text}\n").value for text in texts] == texts


def test_second_keys_are_kept_and_found() -> None:
    text = "a: 1\nb:\n  c: 1\n  c: 2\na: 3\n"
    assert [entry.name for entry in entries(text)] == ["a", "b", "a"]
    root = parse(text)
    assert root is not None
    found = [(first.start, again.start) for first, again in duplicates(root)]
    assert [text[again] for _, again in found] == ["c", "a"]


def test_keys_that_are_no_text_have_no_name() -> None:
    assert [entry.name for entry in entries("[a]: b\n{c: d}: e\n1: f\n")] == [None, None, "1"]


def test_a_byte_order_mark_inside_the_frontmatter_does_not_move_spans() -> None:
    text = "\ufeffa: b\n"
    assert selected(text) == "b"


@pytest.mark.parametrize("text", ["", "\n\n", "# only\n", "---\n", "   "])
def test_an_empty_document_is_none(text: str) -> None:
    node = parse(text)
    assert node is None or plain(node) == ""


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("a: b: c\n", 4),
        ("a: [b\nc: d\n", 7),
        ("a: 'b\n", 6),
        ("\ta: b\n", 0),
        ("a: @b\n", 3),
        ("a: - b\n", 3),
        ("a: *b\n", 3),
        ("a: \x07\n", 3),
        ("a: b\n---\nc: d\n", 5),
    ],
)
def test_invalid_yaml_is_an_error_with_its_place(text: str, at: int) -> None:
    with pytest.raises(ParseError) as error:
        parse(text)
    assert error.value.offset == at
    assert error.value.problem


@pytest.mark.parametrize("text", ["a: &x [*x]\n", f"a: {'[' * 60}\n", "a: &x {b: {c: *x}}\n", "a: b: c\n", "a: *x\n"])
def test_the_place_of_an_error_in_a_document_is_where_it_is_in_the_file(text: str) -> None:
    with pytest.raises(ParseError) as error:
        parse(text)
    document = Document(Source("a.md", f"---\n{text}---\n".encode()))
    assert document.error is not None
    assert document.error.problem == error.value.problem
    assert document.error.offset == error.value.offset + len("---\n")


# -------------------------------------------------------------------------------------------------- recovering


def test_one_broken_value_does_not_hide_the_other_keys() -> None:
    text = "name: x\ndescription: Use this: always\ntools: [Read]\nmodel: 'opus\n"
    found = recover(text)
    assert plain(found) == [
        ("name", "x"),
        ("description", "Use this: always"),
        ("tools", ["Read"]),
        ("model", "'opus"),
    ]
    assert [text[entry.value.start : entry.value.end] for entry in found.entries] == [
        "x",
        "Use this: always",
        "[Read]",
        "'opus",
    ]


def test_what_was_saved_as_text_says_so() -> None:
    styles = {e.name: e.value.style for e in recover("a: b: c\nd: e\n").entries if isinstance(e.value, Scalar)}
    assert styles == {"a": "raw", "d": ""}


def test_a_broken_value_may_span_lines() -> None:
    found = recover("a: x: y\n  more: z\n\nb: c\n")
    assert plain(found) == [("a", "x: y\n  more: z"), ("b", "c")]


def test_indented_keys_are_not_taken_for_top_level_ones() -> None:
    assert [entry.name for entry in recover("a:\n  b: [\n  c: d\ne: f\n").entries] == ["a", "e"]


@given(st.text(st.sampled_from("ab:-#'\"[]{}&*!|>%@` \t\n\r,?\\\x85\u2028\ufeff\x00😀"), max_size=60))
def test_any_text_is_recovered_with_spans_inside_it(text: str) -> None:
    for entry in recover(text).entries:
        for node in walk(entry.value):
            assert 0 <= node.start <= node.end <= len(text)
        assert isinstance(entry.key, Scalar)
        assert entry.name is not None


# ----------------------------------------------------------------------------------------- limits and hostility


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 10_000,
        "a: " + "[" * 3_000 + "]" * 3_000,
        "a: " + "[" * 10_000 + "]" * 10_000,
        "a: " + "{b: " * 10_000,
        "- " * 3_000 + "a",
        "- " * 30_000 + "a",
        "? " * 30_000 + "a",
        "\n".join(" " * depth + "a:" for depth in range(200)),
        "[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2),
    ],
)
def test_deep_nesting_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse(text)


def test_nesting_as_deep_as_the_limit_is_read() -> None:
    node = parse("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))
    assert node is not None
    assert len(list(walk(node))) == MAX_DEPTH + 1


def bomb(shape: str) -> str:
    """Ten levels, each of which is the one below ten times over."""
    return "a0: &a0 x\n" + "".join(
        f"a{level}: &a{level} {shape.format(', '.join([f'*a{level - 1}'] * 10))}\n" for level in range(1, 10)
    )


@pytest.mark.parametrize("shape", ["[{}]", "{{b: [{}]}}", "{{<<: [{}]}}"])
def test_aliases_that_multiply_are_an_error(shape: str) -> None:
    with pytest.raises(ParseError, match="aliases expand to more than"):
        parse(bomb(shape))
    assert read_entries(bomb(shape)) is None


def test_a_thousand_aliases_of_one_value_are_read() -> None:
    node = value(f"b: &x y\na: [{', '.join(['*x'] * 1000)}]\n")
    assert plain(node) == ["y"] * 1000


def test_a_value_that_contains_itself_is_not_read_by_the_second_reader() -> None:
    assert read_entries("a: &x [*x]\n") is None


@pytest.mark.parametrize("text", ["a: &x [*x]\n", "a: &x {b: *x}\n", "&x a: *x\n", "a: &x\n  - b: [*x]\n", "&x [*x]\n"])
def test_an_alias_inside_its_own_anchor_is_bounded(text: str) -> None:
    try:
        node = parse(text)
    except ParseError:
        return
    assert node is not None
    assert len(list(walk(node))) < 10


def test_a_frontmatter_of_the_largest_size_is_read() -> None:
    text = "".join(f"k{number}: v\n" for number in range(7_000))
    assert 60_000 < len(text) < MAX_FRONTMATTER
    assert len(entries(text)) == 7_000


# -------------------------------------------------------------------------------------- spans of generated files

TEXTS = st.text(
    st.characters(min_codepoint=0x20, max_codepoint=0x1F9FF, exclude_categories=("Cs", "Cn", "Co", "Cc", "Zl", "Zp")),
    max_size=40,
)
WORDS = st.sampled_from(
    [
        "Read",
        "Bash(git add:*)",
        "mcp__db__*",
        "yes",
        "null",
        "- x",
        "a: b",
        "# no",
        "x\ny",
        " x ",
        "---",
        "it's",
        '"',
        "*",
        "&a",
        "!b",
    ]
)
SCALARS = TEXTS | WORDS | st.none() | st.booleans() | st.integers(-9, 99)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS | WORDS, inner, max_size=4),
    max_leaves=12,
)
MARK = "⌘"


class Dumper(yaml.SafeDumper):
    def ignore_aliases(self, _data: object) -> bool:
        return True


@st.composite
def frontmatter(draw: st.DrawFn) -> str:
    """Valid YAML in many layouts, with comments wherever a line begins in column 0."""
    data = draw(st.dictionaries(TEXTS | WORDS, VALUES, min_size=1, max_size=4))
    text = yaml.dump(
        data,
        Dumper=Dumper,
        default_style=draw(st.sampled_from([None, None, "'", '"', "|", ">"])),
        default_flow_style=draw(st.sampled_from([None, True, False])),
        width=draw(st.sampled_from([10, 40, 1000])),
        indent=draw(st.sampled_from([2, 4])),
        allow_unicode=draw(st.booleans()),
        sort_keys=False,
    )
    comment = draw(st.sampled_from(["", f"# {MARK}\n", f"\n# {MARK}\n\n"]))
    if not text.startswith("{"):
        text = re.sub(r"^(?=[\w'\"?-])", lambda _: comment, text, flags=re.MULTILINE) + comment
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))


@given(frontmatter())
@settings(max_examples=50)
def test_every_span_slices_back_to_text_with_the_value_of_its_node(text: str) -> None:
    root = parse(text, offset=7)
    assert root is not None
    for node in walk(root):
        start, end = node.start - 7, node.end - 7
        assert 0 <= start <= end <= len(text)
        column = start - max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) - 1
        if isinstance(node, Scalar) and node.style in ("|", ">"):
            # On its own, a block has no parent that its indentation would be relative to.
            assert text[start:end].removeprefix(node.tag).lstrip()[0] == node.style
            assert not node.value.strip() or text[start:end].split()[-1] == node.value.split()[-1]
        else:
            assert plain(parse(" " * column + text[start:end])) == plain(node)


@given(frontmatter())
@settings(max_examples=50)
def test_no_span_ends_in_a_comment_or_in_blanks(text: str) -> None:
    root = parse(text)
    assert root is not None
    for node in walk(root):
        selection = text[node.start : node.end]
        assert MARK not in re.split(r"[\r\n]", selection)[-1]
        if not (isinstance(node, Scalar) and node.style):
            assert selection == selection.strip(" \t\r\n")


@given(frontmatter())
@settings(max_examples=50)
def test_entries_follow_one_another_without_overlap(text: str) -> None:
    at = 0
    for entry in entries(text):
        assert at <= entry.key.start <= entry.key.end <= entry.value.start <= entry.value.end
        at = entry.value.end


@given(frontmatter(), st.integers(0, 3))
@settings(max_examples=50)
def test_taking_one_entry_away_leaves_the_others_equal(text: str, number: int) -> None:
    found = entries(text)
    gone = found[number % len(found)]
    if isinstance(root := parse(text), Map) and root.flow:
        return
    left = text[: gone.start].removesuffix("? ") + text[gone.end :]
    root = parse(left)
    kept = [(plain(entry.key), plain(entry.value)) for entry in found if entry is not gone]
    assert (plain(root) or []) == kept


# --------------------------------------------------------------------------------------------- any bytes at all

SEEDS = [
    b"---\nname: a\ndescription: Use when: always\ntools: Read, Bash(git diff:*)\n---\nbody\n",
    b"---\nname: a\ntools:\n  - Read # why\n  - mcp__db__query\n\n# about the model\nmodel: opus\n---\n",
    b"---\r\ndescription: >-\r\n  folded\r\n  text\r\npermission:\r\n  bash:\r\n    'git *': allow\r\n    '*': deny\r\n---\r\n",
    b"\xef\xbb\xbf---\ntools: &t {bash: false, edit: true}\nmore: *t\n<<: *t\n---\n",
    b"---\ndescription: |2\n    # Heading\n   text\nhooks: {Stop: [{hooks: [{type: command}]}]}\n---\n",
]
PIECES = st.sampled_from(
    [
        *(
            b"---",
            b"\n",
            b"\r\n",
            b"\r",
            b": ",
            b"- ",
            b"#",
            b"'",
            b'"',
            b"[",
            b"]",
            b"{",
            b"}",
            b"&x ",
            b"*x",
            b"!!str ",
        ),
        *(
            b"|",
            b">",
            b"\t",
            b"  ",
            b"\x00",
            b"\xff",
            b"\xe2\x80\xa8",
            b"\xc2\x85",
            b"\xef\xbb\xbf",
            b"<<: ",
            b"? ",
            b"...",
        ),
    ]
)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A valid file with something cut out, doubled or put in."""
    data = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(start + 12, len(data))))
        data = data[:start] + draw(PIECES | st.just(data[start:end] * 2) | st.just(b"")) + data[end:]
    return data


@given(mutated() | st.binary(max_size=200) | st.binary(max_size=200).map(lambda data: b"---\n" + data + b"\n---\n"))
def test_any_bytes_are_a_document_with_spans_inside_it(data: bytes) -> None:
    document = Document(Source("a.md", data))
    length = len(document.source.text)
    for entry in document.entries:
        assert document.source.yaml.start <= entry.start <= entry.end <= document.source.yaml.end
        for node in (*walk(entry.key), *walk(entry.value)):
            assert 0 <= node.start <= node.end <= length
    if document.error is not None:
        assert document.source.yaml.start <= document.error.offset <= document.source.yaml.end
