"""A real editor: Neovim with its own LSP client."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from editor import COMMAND, write

NEOVIM = shutil.which("nvim")
SCRIPT = Path(__file__).with_name("edit.lua")


@pytest.mark.editor
@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed")
def test_neovim_shows_a_finding_applies_its_fix_and_saves(tmp_path: Path) -> None:
    assert NEOVIM is not None
    path, report = "project/.claude/agents/ä.md", tmp_path / "report.json"
    bad = "---\nname: ae\ndescription: Grüße 😀\ntools: [Read, bash] # 😀\n---\n\nDo it. 😀\n"
    write(tmp_path, {path: bad})
    environment = {
        **os.environ,
        "FILE": str(tmp_path / path),
        "FOLDER": str(tmp_path / "project"),
        "REPORT": str(report),
        "SERVER": "\n".join(COMMAND),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    command = [NEOVIM, "--headless", "-u", "NONE", "-n", "+luafile " + str(SCRIPT)]
    subprocess.run(command, env=environment, capture_output=True, timeout=300, check=True)
    found = json.loads(report.read_text(encoding="utf-8"))
    assert found["seen"] == ["wrong-case-tool"]
    assert found["lens"].startswith("Claude Code: Bash, Read · ")
    assert (tmp_path / path).read_text(encoding="utf-8") == bad.replace("bash", "Bash")
