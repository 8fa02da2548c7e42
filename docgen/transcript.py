"""Terminal sessions in Markdown: run the commands again, and insert their output."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

_FILE = re.compile(r"^`([^`\n]+)`:\n\n```[a-z]+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SESSION = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PROMPT = "$ "


def replay(text: str) -> str:
    """The text with the current output in every `console` block.

    The commands run in a folder with the files that the text shows: a path in backticks, a colon, then a block.
    """
    with tempfile.TemporaryDirectory() as folder:
        write_files(text, Path(folder))
        return _SESSION.sub(lambda block: f"```console\n{_run_all(block[1], folder)}```", text)


def write_files(text: str, folder: Path) -> None:
    for match in _FILE.finditer(text):
        path = folder / match[1]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(match[2], encoding="utf-8", newline="\n")


def _run_all(block: str, folder: str) -> str:
    commands = [line for line in block.splitlines() if line.startswith(_PROMPT)]
    return "\n".join(f"{line}\n{run(line.removeprefix(_PROMPT), folder).stdout}" for line in commands)


def run(command: str, folder: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command line of the program without a terminal."""
    program, *args = shlex.split(command)
    if program != "fsagent-lint":
        raise ValueError(f"not a command of this program: {command}")
    environment = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "GITHUB_ACTIONS")}
    environment["PYTHONPATH"] = str(Path(__file__).parents[1])
    return subprocess.run(
        [sys.executable, "-m", "fsagent_lint", *args],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
