"""A window of VS Code: its server, a headless browser, and an extension in it that does what it is told."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from conformance import sandbox
from conformance.errors import LabError
from conformance.server import ANSWER, Server

EXTENSION = Path(__file__).parent / "extension"
PORT = 8080
READY = 300.0
"""Seconds within which the window must be ready."""
WORKSPACE = "lab.code-workspace"
SERVER = (
    "--auth=none",
    f"--bind-addr=127.0.0.1:{PORT}",
    "--disable-telemetry",
    "--disable-update-check",
    "--disable-workspace-trust",
    "--disable-getting-started-override",
    "--enable-proposed-api=conformance.lab",
)
BROWSERS = ("chromium", "google-chrome")
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


def home_files() -> dict[str, str]:
    """What the home of the server has: the extension, and a workspace without a project.

    Folders can be changed without loading the window again only in a workspace, and not the first one.
    """
    place = ".local/share/code-server/extensions/conformance.lab-1.0.0"
    extension = {f"{place}/{each.name}": each.read_text(encoding="utf-8") for each in EXTENSION.iterdir()}
    return {**extension, WORKSPACE: '{"folders": [{"path": "nothing"}]}', "nothing/README.md": ""}


class Window(Server):
    def __init__(self, argv: list[str], env: Mapping[str, str], place: Path) -> None:
        browser = next(filter(None, (shutil.which(name, path=sandbox.PATH) for name in BROWSERS)), None)
        if browser is None:
            raise LabError("Chromium is missing, in which VS Code is run")
        self.home = place / "home"
        self._number = 0
        self._browser: subprocess.Popen[bytes] | None = None
        super().__init__(argv, env, place)
        address = f"http://127.0.0.1:{PORT}/?workspace={self.home / WORKSPACE}"
        self._browser = subprocess.Popen(
            [browser, *BROWSER, f"--user-data-dir={place / 'browser'}", address],
            cwd=place,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._answer(READY)

    @property
    def runs(self) -> bool:
        return super().runs and (self._browser is None or self._browser.poll() is None)

    def do(self, job: str, **details: str) -> dict[str, Any]:
        """Have the extension do a job, and return its answer."""
        self._number += 1
        path = self.home / "job.json"
        new = path.with_suffix(".new")
        new.write_text(json.dumps({"do": job, "number": self._number, **details}), encoding="utf-8")
        new.replace(path)
        return self._answer(ANSWER)

    def close(self) -> None:
        if self._browser is not None:
            if self._browser.poll() is None:
                os.killpg(self._browser.pid, signal.SIGKILL)
            self._browser.wait()
        super().close()

    def _answer(self, seconds: float) -> dict[str, Any]:
        path = self.home / "seen.json"
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.runs:
            if path.exists():
                seen: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
                if seen["number"] == self._number:
                    if "error" in seen:
                        raise LabError(f"VS Code did not do it: {seen['error']}")
                    return seen
            time.sleep(0.05)
        self.close()
        raise LabError(f"the window did not answer; {self.output[-300:]}")
