"""The sanitiser: nothing from outside steers a terminal, a reader or a CI runner, and carets stay where they belong."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hostile_text import hostile, is_obeyed
from hypothesis import example, given
from hypothesis import strategies as st

from fsagent_lint.report.escape import (
    NAME,
    WIDTH,
    escape,
    escape_github_data,
    escape_github_property,
    escape_json,
    exact,
    show_line,
)

INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def columns(text: str) -> int:
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


@given(hostile)
@example("##" * 150 + "[")
def test_escaped_text_is_one_harmless_line(text: str) -> None:
    shown = escape(text)
    assert not {unicodedata.category(character) for character in shown} & INVISIBLE
    assert not BIDI & set(shown)
    assert not is_obeyed(shown)
    assert shown.splitlines() in ([shown], [])
    assert len(shown) <= NAME


@given(hostile)
def test_escaping_twice_is_escaping_once(text: str) -> None:
    assert escape(escape(text)) == escape(text)


def test_every_invisible_character_is_escaped() -> None:
    seen = [
        f"U+{code:04X}"
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in INVISIBLE and escape(chr(code)) == chr(code)
    ]
    assert seen == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Read",
        ".claude/agents/reviewer.md",
        r"C:\agents\x.md",
        "日本語　の",
        "é",
        "🚀",
        "a::b",
        "# [x]",
        "#[x]",
        "## h",
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert escape(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\r\tc", r"a\x0ab\x0d\x09c"),
        ("\x1b[2J", r"\x1b[2J"),
        ("\x7f\x85\x9b", r"\x7f\x85\x9b"),
        ("Bash\u200b", r"Bash\u200b"),
        ("\u202eRead", r"\u202eRead"),
        ("Read\U000e0041", r"Read\U000e0041"),
        ("x\udcff", r"x\udcff"),
        ("Read\xa0", r"Read\xa0"),
        ("Read\ufe0f", r"Read\ufe0f"),
        ("Read\u3164\u2800", r"Read\u3164\u2800"),
        ("x ##[stop-commands]t", r"x #\x23[stop-commands]t"),
        ("###[x]", r"##\x23[x]"),
        ("##VSO[x]", r"#\x23VSO[x]"),
        ("##teamcity[x]", r"#\x23teamcity[x]"),
        ("::add-mask::e", r"\x3a:add-mask::e"),
        (" \u3000::error::e", " \u3000\\x3a:error::e"),
    ],
)
def test_dangerous_text_is_spelled_out(text: str, shown: str) -> None:
    assert escape(text) == shown


def test_long_text_is_cut_between_escapes() -> None:
    assert escape("x" * 200) == "x" * 200
    assert escape("x" * 201) == "x" * 199 + "…"
    assert escape("x" * 197 + "\u202e") == "x" * 197 + "…"
    assert escape("\x00" * 60) == r"\x00" * 49 + "…"
    assert escape("message " * 30, 1000) == "message " * 30


@given(hostile)
def test_github_text_holds_neither_line_ends_nor_separators(text: str) -> None:
    data, written = escape_github_data(text), escape_github_property(text)
    assert data.replace("%25", "").count("%") == 0
    assert not set(written) & set(":,\r\n")


def test_github_escapes_are_those_of_the_runner() -> None:
    assert escape_github_data("100%: a,b") == "100%25: a,b"
    assert escape_github_property("100%: a,b") == "100%25%3A a%2Cb"


@given(hostile)
def test_json_keeps_its_content_and_loses_its_commands(text: str) -> None:
    document = escape_json(json.dumps([text, "##[x]\x7f"]))
    assert json.loads(document) == [text, "##[x]\x7f"]
    assert document.isascii()
    assert document.isprintable()
    assert not is_obeyed(document)


@given(hostile)
def test_text_for_machines_differs_in_lone_surrogates_only(text: str) -> None:
    exact(text).encode("utf-8")
    if all(unicodedata.category(character) != "Cs" for character in text):
        assert exact(text) == text


@given(hostile, st.integers(0, 100), st.integers(0, 100))
def test_a_shown_line_is_harmless_and_marked_within_bounds(text: str, start: int, length: int) -> None:
    shown, first, last = show_line(text, start, start + length)
    assert not {unicodedata.category(character) for character in shown} & INVISIBLE
    assert not is_obeyed(shown)
    assert columns(shown) <= WIDTH + 2
    assert 0 <= first < last <= columns(shown) + 1


plain = st.text(st.characters(exclude_categories=["Mn", "Me"], exclude_characters="#:\t"), max_size=150)


@given(plain, st.data())
def test_carets_are_under_what_is_marked(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    shown, first, last = show_line(text, start, end)
    under = "".join(c for i, c in enumerate(shown) if first <= columns(shown[:i]) < last)
    marked = escape(text[start:end], 10_000)
    if columns(escape(text, 10_000)) <= WIDTH:
        assert shown == escape(text, 10_000)
        assert under == (marked or shown[len(escape(text[:start], 10_000)) :][:1])
    elif marked:
        assert under
        assert marked.startswith(under)


@pytest.mark.parametrize(
    ("text", "start", "end", "expected"),
    [
        ("tools: read", 7, 11, ("tools: read", 7, 11)),
        ("tools: read", 11, 11, ("tools: read", 11, 12)),
        ("tools: read", 40, 50, ("tools: read", 11, 12)),
        ("\ttools: read", 8, 12, ("    tools: read", 11, 15)),
        ("日本: read", 4, 8, ("日本: read", 6, 10)),
        ("e\u0301: read", 4, 8, ("e\u0301: read", 3, 7)),
        ("a\u200bb read", 4, 8, (r"a\u200bb read", 9, 13)),
        ("a: ##[x]", 3, 8, (r"a: #\x23[x]", 3, 11)),
        ("  ::x", 4, 5, (r"  \x3a:x", 7, 8)),
    ],
)
def test_columns_account_for_what_is_shown(text: str, start: int, end: int, expected: tuple[str, int, int]) -> None:
    assert show_line(text, start, end) == expected


def test_a_long_line_is_windowed_around_the_mark() -> None:
    text = "a" * 500 + "MARK" + "b" * 500
    shown, first, last = show_line(text, 500, 504)
    assert shown == "…" + "a" * 33 + "MARK" + "b" * 63 + "…"
    assert shown[first:last] == "MARK"
    shown, first, last = show_line(text, 0, 1004)
    assert (shown, first, last) == ("a" * 100 + "…", 0, 100)
    shown, first, last = show_line(text, 1000, 1004)
    assert shown == "…" + "b" * 100
    assert (first, last) == (97, 101)


def test_an_endless_line_costs_no_more_than_its_window() -> None:
    assert len(show_line("\x00" * 10_000_000, 5_000_000, 9_000_000)[0]) <= WIDTH + 2


@pytest.mark.usefixtures("unmeasured")
def test_unicodedata_is_imported_when_needed_only() -> None:
    code = (
        "import sys; from fsagent_lint.report.escape import escape, show_line; before = 'unicodedata' in sys.modules;"
        "escape('a\\x1b'); show_line('\\ttools: x', 1, 2); assert ('unicodedata' in sys.modules) == before;"
        "show_line('\\u65e5', 0, 1); assert 'unicodedata' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
