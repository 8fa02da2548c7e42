"""`fsagent-lint --watch`: what is new is printed after each change."""

from __future__ import annotations

import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("watchfiles")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="stops the process with a signal")

SOUND = "---\nname: a\ndescription: d\ntools: Read\n---\nDo it.\n"
WRONG = SOUND.replace("Read", "read")


class Watching:
    def __init__(self, folder: Path, *args: str) -> None:
        command = [sys.executable, "-u", "-m", "fsagent_lint", "--watch", *args]
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
        )
        self.lines: queue.Queue[str] = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)

    def until(self, text: str) -> str:
        """The output up to the line that contains a text."""
        found = ""
        while text not in found:
            found += self.lines.get(timeout=60)
        return found

    def end(self) -> None:
        with self.process:
            self.process.kill()
            self.reader.join(60)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)  # SIGINT may be ignored where tests run in the background
        return self.process.wait(60)


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    path = tmp_path / ".claude/agents/a.md"
    path.parent.mkdir(parents=True)
    path.write_text(SOUND)
    return path


@pytest.fixture
def watching(agent: Path) -> Iterator[Watching]:
    found = Watching(agent.parents[2], "--select", "FA1")
    found.until("Stop with Ctrl-C.")
    time.sleep(1)  # until the folder is really watched
    yield found
    found.end()


def test_what_is_new_is_printed_and_what_is_gone_is_counted(watching: Watching, agent: Path) -> None:
    agent.write_text(WRONG)
    assert "wrong-case-tool" in watching.until("1 new, 0 gone; 1 problem in all.")
    agent.write_text(WRONG.replace("name: a", "name: a\ncolor: red"))  # the line moves, and the problem is not new
    (agent.parent / "b.md").write_text(WRONG.replace("name: a", "name: b"))
    output = watching.until("1 new, 0 gone; 2 problems in all.")
    assert "b.md" in output and "a.md" not in output
    agent.write_text(SOUND)
    watching.until("0 new, 1 gone; 1 problem in all.")
    assert watching.stop() == 128 + signal.SIGTERM


@pytest.mark.parametrize("args", [("--fix",), ("--output-format", "json"), ("--diff",), ("--stdin-filename", "a.md")])
def test_what_does_not_go_together_is_refused(args: tuple[str, ...], agent: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fsagent_lint", "--watch", *args],
        cwd=agent.parents[2], capture_output=True, encoding="utf-8", timeout=60,
    )  # fmt: skip
    assert done.returncode == 2
    assert "--watch" in done.stderr
