"""What a run shows on a terminal, and only there."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from fsagent_lint.cli.main import run
from fsagent_lint.cli.terminal import progress_bar

AGENT = "---\nname: a\ndescription: d\ntools: Read\n---\nPrompt.\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Standard error is a terminal, and nobody said that this is CI."""
    stream = Terminal()
    # pytest sets `sys.stderr` itself, once more before each test.
    monkeypatch.setattr("fsagent_lint.cli.terminal.sys", SimpleNamespace(stderr=stream))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def work(*, quiet: bool = False, patience: float = 0.0) -> None:
    with progress_bar(quiet=quiet, patience=patience) as progress:
        for done in range(1, 5):
            if progress is not None:
                progress(done, 4, "a.md")


def test_a_long_run_shows_its_progress_and_cleans_up(terminal: Terminal) -> None:
    work()
    shown = terminal.getvalue()
    assert "Checking" in shown
    assert all(f"{percent}%" in shown for percent in (25, 50, 75, 100))
    assert shown.endswith("\x1b[?25h\n\x1b[1A\x1b[2K")


def test_a_run_that_is_interrupted_leaves_a_usable_terminal(terminal: Terminal) -> None:
    def interrupted() -> None:
        with progress_bar(patience=0) as progress:
            assert progress is not None
            progress(1, 4, "a.md")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert terminal.getvalue().endswith("\x1b[?25h\n\x1b[1A\x1b[2K")


def test_a_short_run_and_a_quiet_one_show_nothing(terminal: Terminal) -> None:
    work(patience=60)
    work(quiet=True)
    assert terminal.getvalue() == ""


@pytest.mark.parametrize(("name", "value"), [("CI", "true"), ("TERM", "dumb")])
def test_no_progress_where_nobody_watches(
    name: str, value: str, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    work()
    assert terminal.getvalue() == ""


def test_no_progress_in_a_pipe(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    monkeypatch.setattr("fsagent_lint.cli.terminal.sys", SimpleNamespace(stderr=pipe))
    work()
    assert pipe.getvalue() == terminal.getvalue() == ""


def test_a_check_counts_its_files(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / ".claude" / "agents"
    folder.mkdir(parents=True)
    for number in range(4):
        (folder / f"a{number}.md").write_text(AGENT.replace("name: a", f"name: a{number}"), encoding="utf-8")
    clock = iter(range(1000))
    monkeypatch.setattr("fsagent_lint.cli.terminal.monotonic", lambda: next(clock))
    assert run([]) == 0
    assert "100%" in terminal.getvalue()
    assert capsys.readouterr().out == "No problems in 4 files.\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")
@pytest.mark.usefixtures("unmeasured")
def test_a_short_run_on_a_real_terminal_shows_the_report_in_colour_and_no_bar(tmp_path: Path) -> None:
    path = tmp_path / ".claude" / "agents" / "a.md"
    path.parent.mkdir(parents=True)
    path.write_text(AGENT.replace("Read", "Raed"), encoding="utf-8")
    reader, writer = os.openpty()
    environment = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ} | {"TERM": "xterm"}
    done = subprocess.run(
        [sys.executable, "-m", "fsagent_lint"], cwd=tmp_path, env=environment, stdout=writer, stderr=writer, check=False
    )
    os.close(writer)
    shown = os.read(reader, 100_000).decode()
    os.close(reader)
    assert done.returncode == 1
    assert "\x1b[1;31merror FA101" in shown
    assert "Checking" not in shown
