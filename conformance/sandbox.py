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
from collections.abc import Iterator
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
    done = subprocess.run([*_command(), "true"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(
            f"no network namespace can be made here, and without one nothing is run ({done.stderr.strip()}). "
            "Run as root, or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1)"
        )


def run(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Run `observe` for one job in a new namespace: what it found, one probe after another."""
    command = [*_command(), sys.executable, "-m", "conformance.observe"]
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
    ):
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(job))
        process.stdin.close()
        for line in process.stdout:
            yield json.loads(line)
        if process.wait():
            errors.seek(0)
            raise LabError(errors.read().strip()[-2000:])


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


def _command() -> list[str]:
    return ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]
