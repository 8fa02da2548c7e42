"""Globs: what they match, and that no pattern makes matching slow."""

from __future__ import annotations

import time

import pytest

from fsagent_lint.files.globs import MAX_LENGTH, Glob


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.md", "a.md"),
        ("*.md", "x/y/a.md"),
        ("a.md", "x/a.md"),
        ("/a.md", "a.md"),
        ("./agents/*.md", "agents/a.md"),
        ("agents/*.md", "agents/a.md"),
        ("agents/**/*.md", "agents/a.md"),
        ("agents/**/*.md", "agents/x/y/a.md"),
        ("**/agents/*.md", "agents/a.md"),
        ("**/agents/*.md", "x/y/agents/a.md"),
        ("agents/**", "agents/x/a.md"),
        ("agents/***/a.md", "agents/x/a.md"),
        ("a**b.md", "axxb.md"),
        ("a?c.md", "abc.md"),
        ("[a-c]x.md", "bx.md"),
        ("[!a-c]x.md", "dx.md"),
        ("[^a-c]x.md", "dx.md"),
        ("[]]x.md", "]x.md"),
        ("[a-]x.md", "-x.md"),
        ("[x.md", "[x.md"),
        (r"\*.md", "*.md"),
        (r"a\b.md", "ab.md"),
        ("*.md", "line\nbreak.md"),
        ("*.md", "\udcff.md"),
        ("a*b*c", "aXbXbXc"),
        ("*é*.md", "café au lait.md"),
    ],
)
def test_matches(pattern: str, path: str) -> None:
    assert Glob(pattern).matches(path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.md", "a.mdx"),
        ("*.md", "a.MD"),
        ("/a.md", "x/a.md"),
        ("agents/*.md", "x/agents/a.md"),
        ("agents/*.md", "agents/x/a.md"),
        ("agents/**", "agents"),
        ("agents/", "agents"),
        ("a*b", "a/b"),
        ("a?b", "a/b"),
        ("[!a]", "a"),
        ("[z-a]", "m"),
        (r"\*.md", "a.md"),
        ("", "a.md"),
        (".", "a.md"),
        ("/", "a.md"),
        ("a*b*c", "aXbX"),
    ],
)
def test_does_not_match(pattern: str, path: str) -> None:
    assert not Glob(pattern).matches(path)


def test_a_table_glob_matches_below_any_folder() -> None:
    glob = Glob(".claude/agents/**/*.md", anywhere=True)
    assert glob.matches(".claude/agents/a.md")
    assert glob.matches("packages/x/.claude/agents/team/a.md")
    assert not glob.matches("x.claude/agents/a.md")
    assert not glob.matches(".claude/agents.md")


def test_covers_what_lies_in_a_named_folder() -> None:
    assert Glob("vendor").covers("x/vendor/a/b.md")
    assert Glob("vendor/").covers("x/vendor/b.md")
    assert not Glob("vendor/").covers("vendor")
    assert Glob("x/*").covers("x/y/z.md")
    assert not Glob("/vendor").covers("x/vendor/b.md")
    assert not Glob("").covers("a.md")


def test_a_slash_at_the_end_asks_for_a_folder() -> None:
    assert Glob("build/").matches("x/build", is_folder=True)
    assert not Glob("build/").matches("x/build")


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 120 + "b", "a" * 250),
        ("**/a/" * 60 + "b", "a/" * 500 + "c"),
        ("**/*a*a*a*a*a*a*b/" * 20 + "x", ("a" * 200 + "/") * 20),
        ("?*" * 200 + "x", "a" * 255),
        ("[" * MAX_LENGTH, "[" * 255),
        ("[a-z]*" * 150 + "!", "q" * 255),
        ("*" * MAX_LENGTH, "a" * 255 + "/" + "b" * 255),
        ("**/" * (MAX_LENGTH // 3) + "x", "a/" * 2000 + "y"),
    ],
)
def test_hostile_patterns_are_matched_in_linear_time(pattern: str, path: str) -> None:
    glob = Glob(pattern)
    start = time.process_time()
    glob.matches(path)
    glob.covers(path)
    assert time.process_time() - start < 0.5
