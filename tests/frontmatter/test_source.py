"""Bytes to head and body: fences, line ends, encodings, and offsets as editors count them."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fsagent_lint.frontmatter.source import MAX_FRONTMATTER, MAX_PARTS, Source

PLAIN = b"---\nname: a\n---\nbody\n"


def source(data: bytes | str) -> Source:
    return Source("a.md", data.encode() if isinstance(data, str) else data)


# --------------------------------------------------------------------------------------------------- fences


@pytest.mark.parametrize(
    ("data", "yaml"),
    [
        ("---\nname: a\n---\nbody\n", "name: a\n"),
        ("---\nname: a\n---", "name: a\n"),
        ("---\r\nname: a\r\n---\r\nbody", "name: a\r\n"),
        ("---\rname: a\r---\rbody", "name: a\r"),
        ("---\n---\n", ""),
        ("---\r\n---\r\n", ""),
        ("---\n\n---\n", "\n"),
        ("--- \nname: a\n---\t \nbody", "name: a\n"),
        ("\ufeff---\nname: a\n---\n", "name: a\n"),
        # `---` counts as a fence only where it is a line of its own.
        ("---\nname: a --- b\n---\n", "name: a --- b\n"),
        ("---\nname: a\n----\n---\n", "name: a\n----\n"),
        ("---\nname: a\n--- # b\n---\n", "name: a\n--- # b\n"),
        ("---\ntext: |\n  a\n  ---\n  b\n---\n", "text: |\n  a\n  ---\n  b\n"),
        ("---\nname: a\n---\nbody\n---\nmore: b\n---\n", "name: a\n"),
    ],
)
def test_the_frontmatter_is_what_stands_between_the_fences(data: str, yaml: str) -> None:
    found = source(data)
    assert found.problem is None
    assert found.yaml_text == yaml


@pytest.mark.parametrize(
    "data",
    [
        "",
        "\n",
        "name: a\n",
        "\n---\nname: a\n---\n",
        " ---\nname: a\n---\n",
        "----\nname: a\n----\n",
        "--\n",
        "\ufeff",
        "# ---\n",
    ],
)
def test_a_file_that_does_not_begin_with_a_fence_has_no_frontmatter(data: str) -> None:
    found = source(data)
    assert found.problem == "missing"
    assert found.yaml_text == ""


@pytest.mark.parametrize("data", ["---", "---\n", "---\nname: a\n", "---\nname: a\n ---\n", "---\nname: a\n--- b\n"])
def test_a_frontmatter_without_an_end_reaches_to_the_end_of_the_file(data: str) -> None:
    found = source(data)
    assert found.problem == "unclosed"
    assert f"---\n{found.yaml_text}".rstrip() == data.rstrip()


def test_what_follows_the_opening_fence_is_kept() -> None:
    assert source("---js\nx\n---\n").opening == "js"
    assert source("--- yaml \r\nx: y\r\n---\r\n").opening == " yaml "
    assert source(PLAIN).opening == ""


def test_a_frontmatter_may_be_as_large_as_the_limit_and_no_larger() -> None:
    room = MAX_FRONTMATTER - len("---\na: \n---")
    assert source(f"---\na: {'x' * room}\n---\nbody").problem is None
    found = source(f"---\na: {'x' * (room + 1)}\n---\nbody")
    assert found.problem == "too-large"
    assert found.yaml_text == ""


@pytest.mark.parametrize("part", [",", "\n", "\r"])
def test_a_frontmatter_may_have_as_many_parts_as_the_limit_and_no_more(part: str) -> None:
    assert source(f"---\na: {part * (MAX_PARTS - 2)}\n---\nbody").problem is None
    assert source(f"---\na: {part * (MAX_PARTS - 1)}\n---\nbody").problem == "too-large"


def test_a_large_body_is_no_problem() -> None:
    assert source(PLAIN + b"x,\n" * MAX_FRONTMATTER).problem is None


def test_an_unclosed_fence_over_a_large_file_is_too_large() -> None:
    assert source(b"---\n" + b"x" * (MAX_FRONTMATTER * 2)).problem == "too-large"


# ------------------------------------------------------------------------------------------------- encodings


def test_bytes_that_are_not_utf8_matter_in_the_frontmatter_only() -> None:
    assert source(b"---\nname: caf\xe9\n---\nbody").problem == "not-utf8"
    assert source(b"---\nname: a\n---\ncaf\xe9 \xff\x00").problem is None


def test_utf16_is_not_taken_for_anything_else() -> None:
    assert source("---\nname: a\n---\n".encode("utf-16")).problem == "missing"


def test_overlong_and_surrogate_encodings_are_not_utf8() -> None:
    assert source(b"---\nname: \xc0\xaf\n---\n").problem == "not-utf8"
    assert source(b"---\nname: \xed\xa0\x80\n---\n").problem == "not-utf8"


def test_a_long_first_line_is_not_cut_inside_a_character() -> None:
    data = b"x" * 199 + "é".encode() * 9
    found = source(data)
    assert found.problem == "missing"
    assert found.to_bytes(found.text) == data


# --------------------------------------------------------------------------------------------- line and column


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_end_where_editors_end_them(newline: str) -> None:
    found = source(newline.join(["---", "name: a", "tools: Read", "---", ""]))
    assert found.newline == newline
    assert found.position(found.text.index("Read")) == (3, 8)
    assert found.line_at(found.text.index("Read")) == "tools: Read"


@pytest.mark.parametrize("char", ["\x85", "\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"])
def test_no_other_character_ends_a_line(char: str) -> None:
    found = source(f"---\na: x{char}y\nb: z\n---\n")
    assert found.position(found.text.index("y")) == (2, 6)
    assert found.position(found.text.index("z")) == (3, 4)
    assert found.line_at(found.text.index("y")) == f"a: x{char}y"


def test_columns_count_characters_not_bytes() -> None:
    found = source("---\n😀é: x\n---\n")
    assert found.position(found.text.index("x")) == (2, 5)


def test_a_byte_order_mark_takes_no_column() -> None:
    found = source("\ufeff---\na: b\n---\n")
    assert found.position(0) == found.position(1) == (1, 1)
    assert found.position(found.text.index("a")) == (2, 1)
    assert found.line_at(1) == "---"


def test_a_place_inside_a_line_end_still_belongs_to_the_line() -> None:
    found = source("---\r\na: b\r\n---\r\n")
    inside = found.text.index("b") + 2
    assert found.text[inside] == "\n"
    assert found.position(inside)[0] == 2
    assert found.position(inside + 1) == (3, 1)


def naive_position(text: str, offset: int) -> tuple[int, int]:
    line, column = 1, 1
    at = 1 if text.startswith("\ufeff") else 0
    while at < offset:
        if text[at : at + 2] == "\r\n" and at + 2 <= offset:
            line, column, at = line + 1, 1, at + 2
        elif text[at : at + 2] != "\r\n" and text[at] in "\r\n":
            line, column, at = line + 1, 1, at + 1
        else:
            column, at = column + 1, at + 1
    return line, column


LINES = st.lists(
    st.sampled_from(["a", "é", "😀", " ", "\r", "\n", "\r\n", "\x85", "\u2028", "\t", "---", ": "]), max_size=30
)


@given(LINES.map("".join), st.booleans())
def test_positions_agree_with_a_naive_counter(text: str, bom: bool) -> None:
    found = source(f"{chr(0xFEFF) if bom else ''}---\n{text}")
    for offset in range(len(found.text) + 1):
        assert found.position(offset) == naive_position(found.text, offset)


@given(LINES.map("".join))
def test_the_line_of_a_place_is_the_line_that_its_position_names(text: str) -> None:
    found = source(f"---\n{text}")
    lines = re.split(r"\r\n|\r|\n", found.text)
    for offset in range(len(found.text) + 1):
        if found.text[offset - 1 : offset + 1] != "\r\n":
            assert found.line_at(offset) == lines[found.position(offset)[0] - 1]


# ------------------------------------------------------------------------------------------------ round trip

HEADS = st.sampled_from(["", "\ufeff", "---\n", "\ufeff---\r\n", "---\r", "--- \n"])
TAILS = st.sampled_from([b"", b"\n---\n", b"\r\n---\r\nbody", b"\r---", b"\n--- \nb\xff\x00dy", b"\n----\n"])


@given(HEADS, st.text(), TAILS, st.binary())
def test_an_unchanged_head_gives_the_same_file(head: str, text: str, tail: bytes, body: bytes) -> None:
    data = head.encode() + text.encode() + tail + (body if tail else b"")
    found = source(data)
    if found.problem != "not-utf8":  # such a head cannot be written, and nothing tries to
        assert found.to_bytes(found.text) == data


@given(st.binary(max_size=300), st.sampled_from([b"", b"---\n", b"\xef\xbb\xbf---\r\n"]))
def test_any_bytes_are_a_source(data: bytes, head: bytes) -> None:
    found = source(head + data)
    assert found.problem in (None, "missing", "unclosed", "not-utf8", "too-large")
    assert 0 <= found.yaml.start <= found.yaml.end <= len(found.text)


@given(st.text(), st.binary())
def test_a_new_head_leaves_the_body_alone(head: str, body: bytes) -> None:
    found = source(b"---\nname: a\n---\n" + body)
    assert found.to_bytes(head) == head.encode() + b"\n" + body


def test_a_line_that_the_head_holds_in_part_is_whole_to_whom_points_behind_it() -> None:
    line = "x" * 300
    found = source(line + "\nmore")
    assert found.line_at(0) == line[:200]
    assert found.line_at(250) == line


# ------------------------------------------------------------------------------------------- the usual file

PARTS = st.sampled_from(
    ["---", "\n", "---\n", "\n---", "\r", "\r\n", " ", "name: a", "ä", "\udce4", "-", "\ufeff", "x" * 3000, ",\n" * 900]
)


@given(st.lists(PARTS, max_size=8).map("".join))
@example("---\nname: a\n---\nbody")
@example("---\n---")
def test_what_is_read_in_one_go_is_what_step_by_step_reading_finds(text: str) -> None:
    found = source(text.encode("utf-8", "surrogateescape"))
    if found.is_usual:
        yaml = found.yaml
        assert found._split() == found.body
        found._locate()
        assert (found.problem, found.opening, found.yaml) == (None, "", yaml)
