"""Suggestions for names that are not known."""

from __future__ import annotations

import pytest

from fsagent_lint.cli.main import run
from fsagent_lint.suggest import hint, nearest


def test_the_nearest_name_whatever_its_case() -> None:
    assert nearest("webftech", ["WebFetch", "WebSearch"]) == "WebFetch"
    assert nearest("x", ["WebFetch"]) is None


@pytest.mark.parametrize("count", [10, 1000, 4000])
def test_the_nearest_name_is_found_among_many_that_are_alike(count: int) -> None:
    known = [f"server{number:04}abc" for number in range(count)] + ["database-reader"]
    assert nearest("databse-reader", known) == "database-reader"
    assert nearest("servr0007abc", known) == "server0007abc"


def test_a_hint_is_a_guess_or_what_there_is_or_where_it_is_listed() -> None:
    assert hint("opncode", ["opencode", "copilot"]) == "Did you mean `opencode`?"
    assert hint("zzz", ["opencode", "copilot"]) == "There are opencode, copilot."
    assert hint("zzz", ["opencode"], "fsagent-lint harnesses") == "`fsagent-lint harnesses` lists them."


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["chekc"], "There is no command, file or folder `chekc`. Did you mean `check`?"),
        (["explain", "unknown-tol"], "There is no file or rule `unknown-tol`. Did you mean `unknown-tool`?"),
        (["explain", "FA999"], "There is no file or rule `FA999`. `fsagent-lint rules` lists them."),
        (["--select", "unknwon-tool"], "There is no rule `unknwon-tool`. Did you mean `unknown-tool`?"),
        (["--output-format", "jsn"], "There is no output format `jsn`. Did you mean `json`?"),
        (["tools", "runInTermnal"], "There is no tool `runInTermnal`. Did you mean `runInTerminal`?"),
        (["convert"], "Missing option '--to'. See `fsagent-lint convert --help`."),
    ],
)
def test_the_command_line_suggests(args: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(args) == 2
    assert capsys.readouterr().err == f"error: {said}\n"
