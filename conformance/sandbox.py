"""A sandbox without a network: a namespace with only loopback, an empty environment, and its own home."""

from __future__ import annotations

import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from contextlib import suppress
from typing import Any

from conformance.errors import LabError
from conformance.probe import ROOT

PATH = "/usr/bin:/bin"

_SET_FLAGS = 0x8914  # SIOCSIFFLAGS
_UP_AND_RUNNING = 0x41


def require_linux() -> None:
    if not sys.platform.startswith("linux"):
        raise LabError("harnesses are recorded on Linux only: they are run in a network namespace")


def require() -> None:
    """LabError if nothing can be run safely here, with what is missing."""
    require_linux()
    if shutil.which("unshare") is None:
        raise LabError("`unshare` is missing; it is part of util-linux")
    done = subprocess.run([*command(), "true"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(
            f"no network namespace can be made here, and without one nothing is run ({done.stderr.strip()}). "
            "Run as root, or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1)"
        )


class Worker:
    """A process in a namespace of its own, which observes one probe after another."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115
        # A harness may write into a project that is gone already.
        self._place = tempfile.TemporaryDirectory(prefix="conformance-", ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            [*command(), sys.executable, "-m", "conformance.observe"],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": self._place.name},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        self._write(setup)

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    def observe(self, probe: dict[str, Any]) -> dict[str, Any]:
        """What the harness did with a probe. LabError if nothing could be observed."""
        self._write(probe)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            self._errors.seek(0)
            raise LabError(self._errors.read().strip()[-2000:] or "the lab's own process ended")
        answer: dict[str, Any] = json.loads(line)
        if "failed" in answer:
            raise LabError(answer["failed"])
        seen: dict[str, Any] = answer["seen"]
        return seen

    def close(self) -> None:
        """It ends by itself, and the harness with it, when there is nothing more to read."""
        self._process.communicate()
        self._errors.close()
        self._place.cleanup()

    def _write(self, data: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended; what it says is read with the answer
            self._process.stdin.write(json.dumps(data) + "\n")
            self._process.stdin.flush()


def enter() -> None:
    """Bring loopback up, which is down in a new namespace. LabError if anything else can be reached."""
    import fcntl

    with socket.socket() as device:
        fcntl.ioctl(device, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP_AND_RUNNING))
    with socket.socket(type=socket.SOCK_DGRAM) as packet:
        try:
            packet.connect(("192.0.2.1", 9))  # sends nothing; fails if there is no route
        except OSError:
            return
    raise LabError("this is no sandbox: there is a way to the network")


def environment(home: str, extra: dict[str, str]) -> dict[str, str]:
    """The whole environment of a harness."""
    return {"PATH": PATH, "HOME": home, "NO_COLOR": "1", "IS_SANDBOX": "1", **extra}


def command() -> list[str]:
    """What runs a command in a new namespace."""
    return ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]
