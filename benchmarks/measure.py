"""Measure CPU time, memory and instructions of programs, independent of the load of the machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Command(NamedTuple):
    args: Sequence[str]
    cwd: Path


class Cost(NamedTuple):
    seconds: float
    """User and system time, including that of awaited children."""
    memory: int
    """The largest resident set, in bytes."""


def environment() -> dict[str, str]:
    """The user's, without what would change how Python starts."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "PYTHONHASHSEED": "0"}


def install(folder: Path) -> str:
    """A Python with the wheel of this repository, as people install it; the path of the interpreter."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    root = Path(__file__).resolve().parent.parent
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(root)], check=True)
    return str(python)


def run(command: Command, env: dict[str, str]) -> Cost:
    with open(os.devnull, "r+b") as null:
        child = subprocess.Popen(command.args, cwd=command.cwd, env=env, stdin=null, stdout=null, stderr=null)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        raise OSError(f"exit code {child.returncode}")
    scale = 1 if sys.platform == "darwin" else 1024
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * scale)


def compare(commands: dict[str, Command], env: dict[str, str], repeat: int) -> dict[str, Cost]:
    """The minimum of several runs of each, interleaved, so that disturbances affect all; failures are left out."""
    costs: dict[str, list[Cost]] = {}
    for turn in range(repeat + 1):
        for name, command in commands.items():
            try:
                cost = run(command, env)
            except OSError as error:
                if turn == 0:
                    print(f"(skipped {name}: {error})", file=sys.stderr)
                continue
            if turn > 0:  # the first run writes bytecode and fills the page cache
                costs.setdefault(name, []).append(cost)
    return {
        name: Cost(min(cost.seconds for cost in each), min(cost.memory for cost in each))
        for name, each in costs.items()
    }


def instructions(command: Command, env: dict[str, str]) -> int | None:
    """The number of instructions by a CPU counter, or by callgrind; None if neither is available."""
    return _perf(command, env) or _callgrind(command, env)


def _perf(command: Command, env: dict[str, str]) -> int | None:
    if shutil.which("perf") is None:
        return None
    args = ["perf", "stat", "-x,", "-e", "instructions:u", *command.args]
    output = subprocess.run(args, cwd=command.cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True).stderr
    found = re.search(rb"^(\d+),[^\n]*instructions", output, re.MULTILINE)
    return int(found[1]) if found else None


def _callgrind(command: Command, env: dict[str, str]) -> int | None:
    if shutil.which("valgrind") is None:
        return None
    args = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={os.devnull}", *command.args]
    output = subprocess.run(args, cwd=command.cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True).stderr
    found = re.search(rb"Collected : (\d+)", output)
    return int(found[1]) if found else None
