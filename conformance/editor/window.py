"""A window of VS Code: its server and a headless browser, with an extension of ours that is asked through files."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from conformance import sandbox
from conformance.errors import LabError

EXTENSION = Path(__file__).parent / "extension"
DATA = ".local/share/code-server"
PORT = 8080
START = 300.0
ANSWER = 120.0
SERVER = (
    "--auth=none",
    f"--bind-addr=127.0.0.1:{PORT}",
    "--disable-telemetry",
    "--disable-update-check",
    "--disable-workspace-trust",
    "--disable-getting-started-override",
    "--enable-proposed-api=conformance.lab",
)
BROWSER = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
)


class Window:
    def __init__(self, home: Path, processes: list[subprocess.Popen[bytes]]) -> None:
        self._home = home
        self._processes = processes
        self._number = 0
        self._answer(START)

    def do(self, job: str, **details: str) -> dict[str, Any]:
        """Have a job of the extension done, and return its answer."""
        self._number += 1
        path = self._home / "job.json"
        new = path.with_suffix(".new")
        new.write_text(json.dumps({"do": job, "number": self._number, **details}), encoding="utf-8")
        new.replace(path)
        return self._answer(ANSWER)

    def _answer(self, seconds: float) -> dict[str, Any]:
        path = self._home / "seen.json"
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if any(each.poll() is not None for each in self._processes):
                raise LabError(f"VS Code or its browser ended: {_last_words(self._home)}")
            if path.exists():
                seen: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
                if seen["number"] == self._number:
                    if "error" in seen:
                        raise LabError(f"VS Code did not do it: {seen['error']}")
                    return seen
            time.sleep(0.05)
        raise LabError(f"no answer in {seconds:.0f} s: {_last_words(self._home)}")


@contextmanager
def opened(program: list[str], home: Path, files: dict[str, str]) -> Iterator[Window]:
    """A window without a project; `files` are those of the user's data folder."""
    browser = next(filter(None, (shutil.which(name, path=sandbox.PATH) for name in ("chromium", "google-chrome"))), None)
    if browser is None:
        raise LabError("Chromium is missing, in which VS Code is run")
    shutil.copytree(EXTENSION, home / DATA / "extensions" / "conformance.lab-1.0.0")
    for name, text in files.items():
        path = home / DATA / "User" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    # Folders can be changed without loading the window again only in a workspace, and not the first one.
    (home / "nothing").mkdir()
    workspace = home / "lab.code-workspace"
    workspace.write_text('{"folders": [{"path": "nothing"}]}', encoding="utf-8")
    processes = [_start([*program, *SERVER], home)]
    try:
        _wait_for_server(processes[0], home)
        address = f"http://127.0.0.1:{PORT}/?workspace={workspace}"
        processes.append(_start([browser, *BROWSER, f"--user-data-dir={home / 'browser'}", address], home))
        yield Window(home, processes)
    finally:
        for each in processes:
            os.killpg(each.pid, signal.SIGTERM)
        for each in processes:
            each.wait()


def _start(argv: list[str], home: Path) -> subprocess.Popen[bytes]:
    with (home / "output").open("ab") as output:
        return subprocess.Popen(
            argv,
            cwd=home,
            env=sandbox.environment(str(home), {"TMPDIR": str(home.parent / "tmp")}),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def _wait_for_server(server: subprocess.Popen[bytes], home: Path) -> None:
    end = time.monotonic() + START
    while "listening on" not in (home / "output").read_text(encoding="utf-8", errors="replace"):
        if server.poll() is not None or time.monotonic() > end:
            raise LabError(f"the server did not start: {_last_words(home)}")
        time.sleep(0.1)


def _last_words(home: Path) -> str:
    return (home / "output").read_text(encoding="utf-8", errors="replace")[-500:]
