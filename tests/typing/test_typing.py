"""What type checkers say to users of the Python interface: `good.py` is accepted and works, every line of `bad.py` is neither."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path

import pytest
from mypy import api

from docgen.__main__ import ROOT
from fsagent_lint import UserError

FOLDER = Path(__file__).parent
BAD = (FOLDER / "bad.py").read_text(encoding="utf-8")
EXPECTED = {
    number: (match[1], match[2])
    for number, line in enumerate(BAD.splitlines(), 1)
    if (match := re.search(r"# error: (.*?)  \[([a-z-]+)\]$", line))
}
FOUND = re.compile(r"bad\.py:(\d+): error: (.*?)  \[([a-z-]+)\]")
AGENT = "---\nname: a\ndescription: Does things.\ntools: Read, WebFetch\n---\nYou do things.\n"


def check(name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What mypy says about a file of a user who has no configuration of ours."""
    monkeypatch.chdir(ROOT)
    out, error, _ = api.run(
        ["--strict", "--config-file=", "--no-error-summary", "--hide-error-context", f"tests/typing/{name}"]
    )
    assert error == ""
    return out


@pytest.mark.usefixtures("unmeasured")
def test_good_calls_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check("good.py", monkeypatch) == ""


def test_good_calls_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.md").write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    calls = runpy.run_path(str(FOLDER / "good.py"))
    for name in ("tools", "agents", "files"):
        calls[name]()


@pytest.mark.usefixtures("unmeasured")
def test_each_bad_line_has_its_error_and_no_other_line_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {int(number): (message, code) for number, message, code in FOUND.findall(check("bad.py", monkeypatch))}
    assert len(EXPECTED) > 30
    assert {number: code for number, (_, code) in found.items()} == {
        number: code for number, (_, code) in EXPECTED.items()
    }
    assert [(number, found[number][0]) for number, (text, _) in EXPECTED.items() if text not in found[number][0]] == []


@pytest.mark.parametrize("number", EXPECTED, ids=lambda number: BAD.splitlines()[number - 1].partition("  #")[0])
def test_each_bad_line_fails(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    body = ast.parse(BAD).body
    line = next(node for node in body if node.lineno == number)
    before = [node for node in body if node.lineno not in EXPECTED]
    names: dict[str, object] = {}
    exec(compile(ast.Module(before, []), "bad.py", "exec"), names)
    with pytest.raises((UserError, AttributeError, TypeError)):
        exec(compile(ast.Module([line], []), "bad.py", "exec"), names)
