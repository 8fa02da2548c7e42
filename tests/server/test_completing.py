"""Completion: what may be written at a place, in the form of that place."""

from __future__ import annotations

from pathlib import Path

from editor import MODERN, NEOVIM, applied, cursor, editor, run, write
from lsprotocol import types as lsp

AGENT, OPENCODE, COPILOT = ".claude/agents/a.md", ".opencode/agents/a.md", ".github/agents/a.agent.md"
PROJECT = {
    ".git/HEAD": "",
    ".mcp.json": '{"mcpServers": {"db": {"command": "x"}}}',
    ".claude/skills/review/SKILL.md": "---\nname: review\ndescription: d\n---\nDo it.\n",
    ".claude/agents/helper.md": "---\nname: helper\ndescription: d\n---\nDo it.\n",
    "fsagent-lint.toml": 'custom-tools = ["deploy"]\n',
}

CASES = [
    # The file, what is written with the cursor in it, what is chosen, and what is there then.
    (AGENT, "⎮", "tools", "tools: "),
    (AGENT, "to⎮", "tools", "tools: "),
    (AGENT, "to⎮: Read", "tools", "tools: Read"),
    (AGENT, "tools:⎮", "Read", "tools: Read"),
    (AGENT, "tools: ⎮", "Read", "tools: Read"),
    (AGENT, "tools: Read, G⎮", "Grep", "tools: Read, Grep"),
    (AGENT, "tools: Read, Gr⎮ep, Bash", "Glob", "tools: Read, Glob, Bash"),
    (AGENT, "tools: Bash(a, b), ⎮", "Read", "tools: Bash(a, b), Read"),
    (AGENT, "tools: 'Read, ⎮'", "Grep", "tools: 'Read, Grep'"),
    (AGENT, "tools: [Read,⎮]", "Grep", "tools: [Read,Grep]"),
    (AGENT, "tools: [\n    Read,\n    ⎮\n  ]", "mcp__db__*", "tools: [\n    Read,\n    mcp__db__*\n  ]"),
    (AGENT, "tools:\n  - Read\n  - ⎮", "Grep", "tools:\n  - Read\n  - Grep"),
    (AGENT, "tools:\n- ⎮", "Grep", "tools:\n- Grep"),
    (AGENT, "disallowedTools: B⎮", "Bash", "disallowedTools: Bash"),
    (AGENT, "model: ⎮", "opus", "model: opus"),
    (AGENT, "color: ⎮", "purple", "color: purple"),
    (AGENT, "permissionMode: ⎮", "plan", "permissionMode: plan"),
    (AGENT, "skills:\n  - ⎮", "review", "skills:\n  - review"),
    (AGENT, "tools: Read # fsagent: ignore[a, unknown-⎮", "unknown-tool", "tools: Read # fsagent: ignore[a, unknown-tool"),
    (OPENCODE, "permission:⎮", "read", "permission:\n  read: allow"),
    (OPENCODE, "permission:\n  ⎮", "bash", "permission:\n  bash: allow"),
    (OPENCODE, "permission:\n  bash: ⎮", "ask", "permission:\n  bash: ask"),
    (OPENCODE, 'permission:\n  bash:\n    "git *": ⎮', "deny", 'permission:\n  bash:\n    "git *": deny'),
    (OPENCODE, "tools: {bash: ⎮}", "false", "tools: {bash: false}"),
    (OPENCODE, "tools: {bash: false, ⎮}", "edit", "tools: {bash: false, edit: true}"),
    (OPENCODE, "mode: ⎮", "subagent", "mode: subagent"),
    (COPILOT, "tools: ⎮", "read", 'tools: ["read"]'),
    (COPILOT, "tools: ['read', '⎮']", "search", "tools: ['read', 'search']"),
    (COPILOT, "tools: ['read', ⎮]", "db/*", "tools: ['read', \"db/*\"]"),
]  # fmt: skip


def test_what_is_chosen_is_written_in_the_form_of_its_place(tmp_path: Path) -> None:
    write(tmp_path, PROJECT)

    async def scenario() -> None:
        async with editor(tmp_path, NEOVIM) as edited:
            for path, written, chosen, expected in CASES:
                text = f"---\nname: a\ndescription: d\n{written}\n---\n\nDo it.\n"
                found = await edited.complete(path, text)
                assert chosen in found, (written, [*found])
                edit = found[chosen].text_edit
                assert isinstance(edit, lsp.TextEdit)
                assert applied(cursor(text)[0], [edit]) == f"---\nname: a\ndescription: d\n{expected}\n---\n\nDo it.\n"

    run(scenario())


NOTHING = [
    "---\nname: a\n---\n\nDo⎮ it.\n",
    "---\nname: a\n# to⎮\n---\n",
    "---\nname: ⎮\n---\n",
    "---\ntools: [Read]⎮\n---\n",
    "⎮",
    "---⎮\nname: a\n---\n",
]


def test_nothing_is_offered_where_nothing_is_known(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            for text in NOTHING:
                assert await edited.complete(AGENT, text) == {}, text

    run(scenario())


def test_a_tool_comes_with_its_risk_and_its_scope(tmp_path: Path) -> None:
    write(tmp_path, PROJECT)
    command = ".claude/commands/c.md"

    async def scenario() -> None:
        async with editor(tmp_path, MODERN) as edited:
            found = await edited.complete(command, "---\ndescription: d\nallowed-tools: Read, ⎮\n---\n")
            assert "Read" not in found
            assert found["Bash"].detail == "execute"
            assert str(found["Bash"].documentation).startswith("Run commands in a shell")
            assert str(found["mcp__db__*"].documentation) == ".mcp.json"
            scoped = found["Bash(…)"]
            assert isinstance(scoped.text_edit, lsp.TextEdit)
            assert scoped.text_edit.new_text == "Bash(${1:git diff *})"
            found = await edited.complete(OPENCODE, "---\ndescription: d\npermission:\n  ⎮\n---\n")
            switch = found["bash"]
            assert isinstance(switch.text_edit, lsp.TextEdit)
            assert switch.text_edit.new_text == "bash: ${1|allow,ask,deny|}"

    run(scenario())


def test_keys_that_are_there_or_deprecated_are_not_offered(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            found = await edited.complete(OPENCODE, "---\ndescription: d\n⎮\n---\n")
            assert "description" not in found
            assert "permission" in found
            assert "maxSteps" not in found

    run(scenario())
