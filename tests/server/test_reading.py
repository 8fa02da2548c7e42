"""Hover, hints, links, definitions and symbols: what an editor shows about a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from editor import MODERN, NEOVIM, Editor, editor, run, write
from lsprotocol import types as lsp

LONG = "Read the diff first, then every file that it touches, and report what is wrong with it, worst first."
PROJECT = {
    ".git/HEAD": "",
    ".mcp.json": '{\n  "mcpServers": {\n    "db": {"command": "x"}\n  }\n}\n',
    ".claude/agents/a.md": f"---\nname: a\ndescription: d\ntools: Read, Bash(git diff:*), mcp__db__query\nskills: [s]\n---\n{LONG}\n",
    ".opencode/agents/a.md": f"---\ndescription: d\npermission:\n  '*': deny\n  read: allow\n---\n{LONG}\n",
    ".claude/skills/s/SKILL.md": "---\nname: s\ndescription: d\n---\nDo it.\n",
    ".roomodes": "customModes:\n  - slug: one\n    name: One\n    roleDefinition: r\n    groups: [read]\n  - {slug: two, name: Two, roleDefinition: r, groups: []}\n",
    "sources/c.md": "---\nname: c\ndescription: d\ntools: Read\n---\nDo it.\n",
    "fsagent-lint.toml": '[[paths]]\nglob = "sources/*.md"\nharness = "claude-code"\n\n[sync]\nsource = "sources"\ntargets = ["opencode"]\n',
}  # fmt: skip
AGENT = ".claude/agents/a.md"


def test_hover_explains_tools_keys_and_fields(tmp_path: Path) -> None:
    write(tmp_path, PROJECT)

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(AGENT)
            tool = await edited.hover(AGENT, lsp.Position(3, 15))
            assert tool.startswith("**Shell** · execute\n\nRun commands in a shell")
            assert "| OpenCode | `bash` |" in tool
            server = await edited.hover(AGENT, lsp.Position(3, 36))
            assert "defined in `.mcp.json`" in server
            key = await edited.hover(AGENT, lsp.Position(3, 2))
            assert "claude-code  grants Bash, Read" in key
            assert "wider than intended: Shell without its limit" in key
            assert "narrower than intended: Shell" in key
            field = await edited.hover(AGENT, lsp.Position(2, 14))
            assert field.startswith("**description** · Claude Code: string\n\nSets the description; required")
            assert "https://" in field
            assert await edited.hover(AGENT, lsp.Position(6, 2)) == ""
            assert await edited.hover(AGENT, lsp.Position(999, 999)) == ""

    run(scenario())


def test_text_from_the_project_cannot_leave_its_block(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: d\ntools: [\"```\\n[x](command:evil)\", '<b>', 'mcp__`x`__y']\n---\nDo it.\n"
    write(tmp_path, {AGENT: text})

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(AGENT)
            shown = await edited.hover(AGENT, lsp.Position(3, 2))
            fence = shown[shown.index("`") :].partition("text\n")[0]
            assert shown.rstrip().endswith(fence)
            assert "\n[x](" not in shown

    run(scenario())


async def shown(edited: Editor, capabilities: str) -> tuple[list[str], list[str]]:
    """The inlay hints and the code lenses of the agent; an editor asks only for what it knows."""
    client, document = edited.client, edited.identifier(AGENT)
    everything = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
    inlay: Sequence[lsp.InlayHint] = ()
    if capabilities == MODERN:
        inlay = await client.text_document_inlay_hint_async(lsp.InlayHintParams(document, everything)) or ()
        assert all(hint.position == lsp.Position(3, 45) for hint in inlay)
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(document)) or ()
    return [str(hint.label) for hint in inlay], [lens.command.title for lens in lenses if lens.command is not None]


@pytest.mark.parametrize(("capabilities", "usual"), [(MODERN, "inlay"), (NEOVIM, "lens")])
def test_hints_name_what_each_reader_grants(tmp_path: Path, capabilities: str, usual: str) -> None:
    write(tmp_path, PROJECT)

    async def scenario() -> None:
        async with editor(tmp_path, capabilities, {"hints": "auto"}) as edited:
            edited.open(AGENT)
            for hints, how in (
                ("auto", usual),
                ("lens", "lens"),
                ("nonsense", "lens"),
                ("inlay", "inlay"),
                ("off", ""),
            ):
                settings = lsp.DidChangeConfigurationParams({"fsagent-lint": {"hints": hints}})
                edited.client.workspace_did_change_configuration(settings)
                inlay, lenses = await shown(edited, capabilities)
                assert [bool(inlay), bool(lenses)] == [how == "inlay" and capabilities == MODERN, how == "lens"]
                for text in (*inlay, *lenses):
                    assert text.startswith("Claude Code: Bash, Read, mcp__db__query · Copilot: view, ")

    run(scenario())


def test_names_lead_to_where_they_are_defined(tmp_path: Path) -> None:
    write(tmp_path, PROJECT)

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(AGENT)
            await edited.diagnostics(AGENT, ["ignored-scope", "agents-differ"])

            async def follow(path: str, line: int, column: int) -> list[tuple[str, int, int]]:
                params = lsp.DefinitionParams(edited.identifier(path), lsp.Position(line, column))
                found = await edited.client.text_document_definition_async(params)
                assert found is None or not isinstance(found, lsp.Location)
                places = [each for each in found or () if isinstance(each, lsp.Location)]
                return [
                    (each.uri.removeprefix(f"{edited.uri('')}/"), each.range.start.line, each.range.start.character)
                    for each in places
                ]

            assert await follow(AGENT, 3, 34) == [(".mcp.json", 2, 4)]
            assert await follow(AGENT, 4, 10) == [(".claude/skills/s/SKILL.md", 0, 0)]
            assert await follow(AGENT, 1, 6) == [(".opencode/agents/a.md", 0, 0)]
            links = await edited.client.text_document_document_link_async(
                lsp.DocumentLinkParams(edited.identifier(AGENT))
            )
            assert len(links or ()) == 3
            copy = "---\n# Generated by fsagent-lint from sources/c.md; do not edit. 0123456789abcdef\ndescription: d\n---\nDo it.\n"
            edited.open(".opencode/agents/c.md", copy)
            assert await follow(".opencode/agents/c.md", 1, 40) == [("sources/c.md", 0, 0)]

    run(scenario())


def test_the_agents_of_a_list_are_symbols(tmp_path: Path) -> None:
    write(tmp_path, PROJECT)

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            for path, names in ((".roomodes", ["one", "two"]), (AGENT, ["a"])):
                edited.open(path)
                found = await edited.client.text_document_document_symbol_async(
                    lsp.DocumentSymbolParams(edited.identifier(path))
                )
                symbols = [each for each in found or () if isinstance(each, lsp.DocumentSymbol)]
                assert [each.name for each in symbols] == names
                keys = [each.name for each in symbols[0].children or ()]
                assert keys[:3] == (
                    ["slug", "name", "roleDefinition"] if path == ".roomodes" else ["name", "description", "tools"]
                )

    run(scenario())
