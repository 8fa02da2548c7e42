"""The program as a process: streams that are closed, and a folder that is gone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = f"{sys.executable} -m fsagent_lint"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a shell that closes streams")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / ".claude/agents/a.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\nname: a\ndescription: d\ntools: Raed\n---\nPrompt.\n")
    return tmp_path


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_a_stream_that_is_closed_changes_no_exit_status(closed: str, project: Path) -> None:
    done = subprocess.run(["sh", "-c", f"{COMMAND} {closed}"], cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("command", ["", "explain a.md", "convert --to opencode", "sync"])
def test_a_folder_that_is_gone_is_no_traceback(command: str, project: Path) -> None:
    gone = project / "gone"
    gone.mkdir()
    script = f"rmdir '{gone}'; {COMMAND} {command}"
    done = subprocess.run(["sh", "-c", script], cwd=gone, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("error: ")
