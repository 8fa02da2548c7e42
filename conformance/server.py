"""A harness that runs as a server on loopback, and what is asked of it over HTTP."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, NamedTuple

from conformance.errors import LabError

START = 120.0
ANSWER = 120.0
"""Seconds within which it must have started, and must answer."""
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")


class Answer(NamedTuple):
    status: int
    data: Any


class Server:
    def __init__(self, argv: list[str], env: Mapping[str, str], place: Path) -> None:
        self._log = place / "server.log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                argv,
                cwd=place,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._port = self._address()

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    @property
    def output(self) -> str:
        return self._log.read_text("utf-8", "replace")

    def ask(self, method: str, path: str, headers: Mapping[str, str], body: object = None) -> Answer:
        """The answer to a request, whatever its status."""
        connection = HTTPConnection("127.0.0.1", self._port, timeout=ANSWER)
        content = None if body is None else json.dumps(body)
        try:
            connection.request(method, path, content, {"content-type": "application/json", **headers})
            found = connection.getresponse()
            text = found.read().decode("utf-8", "replace")
        except (OSError, HTTPException) as error:
            self.close()
            raise LabError(f"the server did not answer {method} {path}: {error!r}; {self.output[-300:]}") from error
        finally:
            connection.close()
        try:
            return Answer(found.status, json.loads(text) if text else None)
        except ValueError:
            return Answer(found.status, text)

    def close(self) -> None:
        if self.runs:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _address(self) -> int:
        end = time.monotonic() + START
        while time.monotonic() < end:
            if found := _ADDRESS.search(self.output):
                return int(found[1])
            if not self.runs:
                break
            time.sleep(0.02)
        self.close()
        raise LabError(f"the server did not start: {self.output[-300:]}")
