"""Findings in an editor: the same as those of the command line, for what is open, saved or not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from editor import editor, run, write
from lsprotocol import types as lsp

BAD = "---\nname: a\ndescription: d\ntools: Read, Grepp\n---\n\nDo it.\n"
GOOD = BAD.replace("Grepp", "Grep")
AGENT = ".claude/agents/a.md"


def command_line(folder: Path) -> list[tuple[object, ...]]:
    """What the command line finds: path, range, rule, severity and message."""
    done = subprocess.run(
        [sys.executable, "-m", "fsagent_lint", "--output-format", "json"], cwd=folder, capture_output=True, check=False
    )
    found = json.loads(done.stdout)["findings"]
    return [
        (each["path"], each["line"], each["column"], each["end_line"], each["end_column"], each["name"], each["severity"], each["message"])
        for each in found
    ]  # fmt: skip


_NAMES = {lsp.DiagnosticSeverity.Error: "error", lsp.DiagnosticSeverity.Warning: "warning"}


def in_editor(path: str, found: list[lsp.Diagnostic]) -> list[tuple[object, ...]]:
    rows = []
    for each in found:
        start, end = each.range.start, each.range.end
        severity = _NAMES.get(each.severity or lsp.DiagnosticSeverity.Hint, "note")
        place = start.line + 1, start.character + 1, end.line + 1, end.character + 1
        rows.append((path, *place, each.code, severity, each.message))
    return rows


def test_a_bad_agent_is_reported_and_a_corrected_one_is_not(tmp_path: Path) -> None:
    write(tmp_path, {AGENT: BAD})

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(AGENT)
            (found,) = await edited.diagnostics(AGENT, ["unknown-tool"])
            assert found.source == "fsagent-lint"
            assert found.severity == lsp.DiagnosticSeverity.Error
            assert found.range == lsp.Range(lsp.Position(3, 13), lsp.Position(3, 18))
            edited.change(AGENT, GOOD)
            await edited.diagnostics(AGENT, [])

    run(scenario())
