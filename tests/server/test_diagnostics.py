"""Findings in an editor: the same as those of the command line, for what is open, saved or not."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from editor import MODERN, editor, run, write
from lsprotocol import types as lsp

BAD = "---\nname: a\ndescription: d\ntools: Read, Grepp\n---\n\nDo it.\n"
GOOD = BAD.replace("Grepp", "Grep")
AGENT = ".claude/agents/a.md"


CODE_POINTS = lsp.GeneralClientCapabilities(position_encodings=[lsp.PositionEncodingKind.Utf32])


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
    rows: list[tuple[object, ...]] = []
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


LONG = "Read the diff first, then every file that it touches, and report what is wrong with it, worst first."
PROJECT = {
    ".git/HEAD": "",
    ".claude/agents/a.md": f"---\nname: a\ndescription: d\ntools: Read, mcp__dbb__query\n---\n{LONG}\n",
    ".claude/agents/twin.md": f"---\nname: a\ndescription: d\n---\n{LONG}\n",
    ".claude/agents/b.md": f"---\nname: b\ndescription: d\ntools: Read, Bash(git diff:*)\n---\n{LONG}\n",
    ".opencode/agents/b.md": f"---\ndescription: d\nmode: subagent\ntools: {{read: true}}\n---\n{LONG} Never push.\n",
    ".claude/agents/ünï😀.md": "---\nname: u\ndescription: d\ntools: ['😀', 'Raed', 'Read'] # 😀\n---\nDo it.\n",
    ".claude/skills/s/SKILL.md": "---\nname: t\ndescription: d\n---\nDo it.\n",
    ".roomodes": "customModes:\n  - {slug: a, name: A, roleDefinition: r, groups: [raed]}\n",
    "opencode.json": '{"agent": {"x": {"description": "d", "tools": {"raed": true}}}}',
    "agents.py": "from claude_agent_sdk import AgentDefinition\n\nAgentDefinition(description='d', prompt='p', tools=['Raed'])\n",
    ".mcp.json": '{"mcpServers": {"db": {"command": "x"}}}',
    "sources/c.md": f"---\nname: c\ndescription: d\ntools: Read\n---\n{LONG}\n",
    "fsagent-lint.toml": '[[paths]]\nglob = "sources/*.md"\nharness = "claude-code"\n\n[sync]\nsource = "sources"\ntargets = ["opencode"]\n',
}


def test_every_finding_is_that_of_the_command_line(tmp_path: Path) -> None:
    write(tmp_path, PROJECT)
    expected = command_line(tmp_path)
    paths = sorted({str(row[0]) for row in expected})
    codes = {path: [str(row[5]) for row in expected if row[0] == path] for path in paths}
    assert {"agents-differ", "duplicate-agent", "stale-copy", "unknown-mcp-server"} <= {row[5] for row in expected}
    assert {".roomodes", "opencode.json", "agents.py"} <= {*paths}

    async def scenario() -> None:
        async with editor(tmp_path, general=CODE_POINTS) as edited:
            for path in paths:
                edited.open(path)
            found = [row for path in paths for row in in_editor(path, await edited.diagnostics(path, codes[path]))]
            assert sorted(found, key=repr) == sorted(expected, key=repr)

    run(scenario())


def test_columns_are_counted_in_utf_16(tmp_path: Path) -> None:
    path = ".claude/agents/ünï😀.md"
    write(tmp_path, {path: PROJECT[path]})

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(path)
            found = await edited.diagnostics(path, ["unknown-tool", "unknown-tool"])
            assert [(each.range.start.character, each.range.end.character) for each in found] == [(9, 11), (15, 19)]

    run(scenario())


def test_a_finding_names_its_rule_s_page_and_the_other_file(tmp_path: Path) -> None:
    write(tmp_path, PROJECT)

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(".claude/agents/twin.md")
            (found,) = await edited.diagnostics(".claude/agents/twin.md", ["duplicate-agent"])
            (related,) = found.related_information or ()
            assert related.location.uri == edited.uri(".claude/agents/a.md")
            assert related.location.range.start == lsp.Position(1, 6)

    run(scenario())


def test_what_is_superfluous_or_deprecated_is_tagged(tmp_path: Path) -> None:
    write(tmp_path, {AGENT: BAD.replace("Grepp", "Read, Task")})

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(AGENT)
            found = await edited.diagnostics(AGENT, ["duplicate-tool", "renamed-tool"])
            tags = {each.code: list(each.tags or ()) for each in found}
            assert tags == {
                "duplicate-tool": [lsp.DiagnosticTag.Unnecessary],
                "renamed-tool": [lsp.DiagnosticTag.Deprecated],
            }

    run(scenario())


def test_an_unsaved_change_of_one_agent_is_seen_in_the_other(tmp_path: Path) -> None:
    write(tmp_path, PROJECT)
    one, other = ".claude/agents/a.md", ".claude/agents/twin.md"

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(other)
            await edited.diagnostics(other, ["duplicate-agent"])
            text = edited.open(one)
            edited.change(one, text.replace("name: a", "name: c"))
            await edited.diagnostics(other, [])
            edited.close(one)
            await edited.diagnostics(other, ["duplicate-agent"])

    run(scenario())


def test_a_change_on_the_disk_is_seen_in_what_is_open(tmp_path: Path) -> None:
    write(tmp_path, PROJECT)
    path = ".claude/agents/a.md"

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(path)
            await edited.diagnostics(path, ["unknown-mcp-server"])
            write(tmp_path, {".mcp.json": '{"mcpServers": {"dbb": {"command": "x"}}}'})
            edited.changed_on_disk(".mcp.json")
            await edited.diagnostics(path, [])
            edited.open("sources/c.md")
            await edited.diagnostics("sources/c.md", ["stale-copy"])
            subprocess.run(
                [sys.executable, "-m", "fsagent_lint", "sync"], cwd=tmp_path, capture_output=True, check=True
            )
            edited.changed_on_disk(".opencode/agents/c.md")
            await edited.diagnostics("sources/c.md", [])
            write(tmp_path, {"fsagent-lint.toml": 'select = ["duplicate-agent"]\nmcp-servers = []\n'})
            edited.changed_on_disk("fsagent-lint.toml")
            write(tmp_path, {".claude/agents/third.md": PROJECT[path]})
            edited.open(".claude/agents/twin.md")
            edited.changed_on_disk(".claude/agents/third.md")
            found = await edited.diagnostics(".claude/agents/twin.md", ["duplicate-agent"])
            (tmp_path / path).unlink()
            (tmp_path / ".claude/agents/third.md").unlink()
            edited.close(path)
            edited.changed_on_disk(path, ".claude/agents/third.md")
            await edited.diagnostics(".claude/agents/twin.md", [])
            assert found

    run(scenario())


def test_an_editor_that_asks_for_diagnostics_is_told_when_to_ask_again(tmp_path: Path) -> None:
    write(tmp_path, PROJECT)
    path = ".claude/agents/twin.md"

    async def scenario() -> None:
        async with editor(tmp_path, MODERN, pulls=True) as edited:
            edited.open(path)
            params = lsp.DocumentDiagnosticParams(edited.identifier(path))
            while edited.client.diagnostic_refresh_count == 0:
                await asyncio.sleep(0.02)
            report = await edited.client.text_document_diagnostic_async(params)
            assert isinstance(report, lsp.RelatedFullDocumentDiagnosticReport)
            assert [each.code for each in report.items] == ["duplicate-agent"]
            before = edited.client.diagnostic_refresh_count
            write(tmp_path, {".claude/agents/a.md": PROJECT[path].replace("name: a", "name: z")})
            edited.changed_on_disk(".claude/agents/a.md")
            while edited.client.diagnostic_refresh_count == before:
                await asyncio.sleep(0.02)
            report = await edited.client.text_document_diagnostic_async(params)
            assert isinstance(report, lsp.RelatedFullDocumentDiagnosticReport)
            assert [*report.items] == []
            assert edited.client.diagnostics == {}

    run(scenario())


def test_a_config_that_cannot_be_used_is_shown_and_the_rest_is_checked(tmp_path: Path) -> None:
    write(tmp_path, {AGENT: BAD, "fsagent-lint.toml": "selct = []\n"})

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(AGENT)
            await edited.diagnostics(AGENT, ["unknown-tool"])
            (message,) = edited.client.messages
            assert "fsagent-lint.toml" in message.message
            assert "'selct'" in message.message
            write(tmp_path, {"fsagent-lint.toml": 'ignore = ["unknown-tool"]\n'})
            edited.changed_on_disk("fsagent-lint.toml")
            await edited.diagnostics(AGENT, [])

    run(scenario())


def test_suppression_and_exclusion_count(tmp_path: Path) -> None:
    write(tmp_path, {AGENT: BAD, "b/.claude/agents/b.md": BAD, "fsagent-lint.toml": 'exclude = ["b/"]\n'})

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            text = edited.open(AGENT)
            edited.change(AGENT, text.replace("Grepp", "Grepp # fsagent: ignore[unknown-tool] soon"))
            await edited.diagnostics(AGENT, [])
            edited.open("b/.claude/agents/b.md")
            await edited.diagnostics("b/.claude/agents/b.md", [])
            edited.open("README.md", BAD)
            await edited.diagnostics("README.md", [])

    run(scenario())


def test_a_link_out_of_the_folder_is_not_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write(outside, {"secret.md": "---\nname: twin\ndescription: d\n---\nDo it.\n"})
    folder = tmp_path / "project"
    write(folder, {".git/HEAD": "", ".claude/agents/twin.md": "---\nname: twin\ndescription: d\n---\nDo it.\n"})
    (folder / ".claude/agents/link.md").symlink_to(outside / "secret.md")
    write(folder, {".claude/agents/z.md": "---\nname: twin\ndescription: d\n---\nDo it.\n"})

    async def scenario() -> None:
        async with editor(folder) as edited:
            edited.open(".claude/agents/z.md")
            (found,) = await edited.diagnostics(".claude/agents/z.md", ["duplicate-agent"])
            assert "twin.md" in found.message

    run(scenario())
