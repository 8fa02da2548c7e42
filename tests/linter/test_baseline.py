"""Baselines: known findings stay quiet wherever their line moves, and only as many of them as were known."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsagent_lint.errors import DataError
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.linter import baseline
from fsagent_lint.model.finding import Consequence, Finding
from fsagent_lint.model.result import Located, Problem, Result
from fsagent_lint.report.fingerprint import Fingerprint, fingerprint


def one(path: str = "a.md", *, line: int = 1, code: str = "FA101", source_line: str = "tools: x") -> Located:
    finding = Finding(code, "unknown-tool", Span(7, 8), Consequence.NARROWED, "Wrong.")
    return Located(path, "claude-code", "agent", line, 8, line, 9, source_line, finding)


def known(*found: Located) -> Counter[Fingerprint]:
    return Counter(map(fingerprint, found))


def test_what_was_written_is_read_and_applied(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    result = Result(
        [one(), one(line=4), one("b/日.md"), one(code="FA102")],
        [Problem("x", "y")],
        files=3,
        suppressed={"comments": 1},
    )
    baseline.write(file, result)
    assert baseline.read(file) == known(*result.findings)
    left, stale = baseline.without_known(result, baseline.read(file))
    assert left == Result([], [Problem("x", "y")], files=3, suppressed={"comments": 1, "the baseline": 4})
    assert stale == 0
    assert len(result.findings) == 4


def test_a_baseline_is_the_same_whatever_the_order(tmp_path: Path) -> None:
    found = [one("b.md"), one("a.md"), one("a.md", line=7), one("a.md", code="FA102")]
    baseline.write(tmp_path / "1", Result(found))
    baseline.write(tmp_path / "2", Result(found[::-1]))
    written = (tmp_path / "1").read_bytes()
    assert written == (tmp_path / "2").read_bytes()
    lines = written.decode().splitlines()
    assert lines[0] == '{"version": 1, "findings": ['
    assert [json.loads(line.rstrip(","))["count"] for line in lines[1:-1]] == [2, 1, 1]
    assert lines[-1] == "]}"


def test_an_empty_baseline_is_valid(tmp_path: Path) -> None:
    baseline.write(tmp_path / "x", Result())
    assert baseline.read(tmp_path / "x") == Counter()


def test_a_known_finding_may_move_and_be_indented() -> None:
    left, stale = baseline.without_known(Result([one(line=80, source_line="  tools:   x\t")]), known(one()))
    assert (left.findings, left.suppressed.total(), stale) == ([], 1, 0)


@pytest.mark.parametrize("other", [one("b.md"), one(code="FA102"), one(source_line="tools: y")])
def test_another_finding_is_new(other: Located) -> None:
    left, stale = baseline.without_known(Result([other]), known(one()))
    assert left.findings == [other]
    assert stale == 1


def test_a_second_identical_finding_is_new() -> None:
    left, stale = baseline.without_known(Result([one(line=1), one(line=2), one(line=3)]), known(one(), one()))
    assert left.findings == [one(line=3)]
    assert (left.suppressed.total(), stale) == (2, 0)


def test_entries_of_files_that_were_not_checked_are_not_stale() -> None:
    entries = known(one("a.md"), one("a.md"), one("b.md"))
    assert baseline.without_known(Result(), entries)[1] == 3
    assert baseline.without_known(Result(), entries, checked=["./a.md"])[1] == 2
    assert baseline.without_known(Result(), entries, checked=[])[1] == 0


found = st.lists(st.builds(one, st.sampled_from(["a", "b"]), source_line=st.sampled_from(["x", "y"])))


@given(found, found)
def test_new_known_and_stale_add_up(now: list[Located], before: list[Located]) -> None:
    left, stale = baseline.without_known(Result(now), known(*before))
    assert known(*left.findings) == known(*now) - known(*before)
    assert stale == (known(*before) - known(*now)).total()
    assert left.suppressed.total() == len(now) - len(left.findings)


@given(st.text(st.characters(exclude_categories=())), st.text(st.characters(exclude_categories=())))
def test_any_path_and_line_can_be_known(path: str, line: str) -> None:
    fingerprint(one(path, source_line=line)).path.encode("utf-8")


def test_a_path_that_is_not_unicode_survives_the_file(tmp_path: Path) -> None:
    odd = one("\udcff\x1b.md", source_line="\udc80")
    baseline.write(tmp_path / "x", Result([odd]))
    assert baseline.without_known(Result([odd]), baseline.read(tmp_path / "x"))[0].findings == []


ENTRY = '{"path": "a", "code": "FA101", "line": "0", "count": '


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is not JSON; write it again"),
        ("[" * 100_000, "is not JSON"),
        ("9" * 10_000, "is not JSON"),
        ("[]", "expected a table"),
        ("{}", "missing key 'version'"),
        ('{"version": 2, "findings": []}', "2 is not one of 1"),
        ('{"version": 1, "findings": {}}', "expected a list"),
        ('{"version": 1, "finding": []}', "did you mean 'findings'"),
        ('{"version": 1, "findings": [3]}', r"findings\[0\]: expected a table"),
        (f'{{"version": 1, "findings": [{ENTRY}true}}]}}', "count: expected a number"),
        (f'{{"version": 1, "findings": [{ENTRY}1}}, {ENTRY}0}}]}}', r"\[1\].count: .* above 0"),
    ],
)
def test_a_bad_baseline_is_explained(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "baseline.json"
    file.write_text(text)
    with pytest.raises(DataError, match=problem) as caught:
        baseline.read(file)
    assert "baseline.json" in str(caught.value)


def test_bytes_that_are_not_text_are_no_baseline(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b'{"version": "\xff"}')
    with pytest.raises(DataError, match="is not JSON"):
        baseline.read(tmp_path / "x")


def test_an_absent_baseline_is_explained(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.json: not a baseline: no such file or folder"):
        baseline.read(tmp_path / "none.json")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_no_baseline(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataError, match="not a baseline: a named pipe, not a regular file"):
        baseline.read(tmp_path / "pipe")


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "precious")
    with pytest.raises(DataError, match="is a link; not written"):
        baseline.write(tmp_path / "link", Result())
    assert (tmp_path / "precious").read_text() == "mine"
