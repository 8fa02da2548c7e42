"""Code actions: fixes, suppression comments, tools in their usual form, and agents for another harness."""

from __future__ import annotations

from pathlib import Path

from editor import MODERN, applied, editor, edits_of, run, write
from lsprotocol import types as lsp

AGENT = ".claude/agents/a.md"
TEXT = "---\nname: a\ndescription: d\ntools: [Read, bash, Grepp, 'Edit']\n---\n\nDo it.\n"
SNIPPETS = lsp.WorkspaceClientCapabilities(
    workspace_edit=lsp.WorkspaceEditClientCapabilities(
        document_changes=True, snippet_edit_support=True, resource_operations=[lsp.ResourceOperationKind.Create]
    )
)


def at(line: int, start: int, end: int) -> lsp.Range:
    return lsp.Range(lsp.Position(line, start), lsp.Position(line, end))


def test_a_safe_fix_is_preferred_and_another_needs_review(tmp_path: Path) -> None:
    write(tmp_path, {AGENT: TEXT})

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(AGENT)
            safe, *_ = await edited.actions(AGENT, at(3, 15, 15), ["quickfix"])
            assert (safe.title, safe.is_preferred) == ("Replace with `Bash`", True)
            assert applied(TEXT, edits_of(safe)) == TEXT.replace("bash", "Bash")
            unsafe, *_ = await edited.actions(AGENT, at(3, 21, 22), ["quickfix"])
            assert unsafe.title.endswith("(needs review)")
            assert not unsafe.is_preferred
            assert applied(TEXT, edits_of(unsafe)) == TEXT.replace("Grepp", "Grep")
            assert [each.code for each in unsafe.diagnostics or ()] == ["unknown-tool"]

    run(scenario())


def test_all_safe_fixes_at_once_leave_the_others(tmp_path: Path) -> None:
    text = TEXT.replace("Do it.", "Ümläut 😀").replace("\n", "\r\n").replace("d\r", "😀\r")
    write(tmp_path, {AGENT: text})

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(AGENT)
            for only in (["source.fixAll"], ["source.fixAll.fsagent-lint"], ["source"]):
                (fix_all,) = await edited.actions(AGENT, only=only)
                (edit,) = edits_of(fix_all)
                assert (edit.new_text, edit.range) == ("B", at(3, 14, 15))
            assert await edited.actions(AGENT, only=["refactor.inline"]) == []

    run(scenario())


def test_a_fix_that_is_not_proven_is_not_offered(tmp_path: Path) -> None:
    broken = "---\nname: a\ndescription: [d\ntools: bash\n---\n\nDo it.\n"
    write(tmp_path, {AGENT: broken})

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(AGENT)
            found = await edited.actions(AGENT, only=["quickfix"])
            assert [each.title for each in found if not each.title.startswith("Ignore")] in (
                [],
                ["Quote the value (needs review)"],
            )

    run(scenario())


def test_a_finding_is_ignored_with_a_comment(tmp_path: Path) -> None:
    write(tmp_path, {AGENT: TEXT})

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(AGENT)
            found = {each.title: each for each in await edited.actions(AGENT, at(3, 21, 22), ["quickfix"])}
            here = applied(TEXT, edits_of(found["Ignore unknown-tool here"]))
            assert "d\n# fsagent: ignore[unknown-tool] TODO: reason\ntools:" in here
            edited.change(AGENT, here)
            await edited.diagnostics(AGENT, ["wrong-case-tool"])
            anywhere = applied(TEXT, edits_of(found["Ignore unknown-tool in this file"]))
            assert anywhere.startswith("---\n# fsagent: ignore-file[unknown-tool] TODO: reason\nname: a\n")
            edited.change(AGENT, anywhere)
            await edited.diagnostics(AGENT, ["wrong-case-tool"])

    run(scenario())


def test_a_comment_does_not_go_where_it_would_be_text(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: d\ntools: >-\n  Read,\n  Grepp\n---\n\nDo it.\n"
    write(tmp_path, {AGENT: text})

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(AGENT)
            found = await edited.actions(AGENT, only=["quickfix"])
            for action in found:
                if action.title.startswith("Ignore unknown-tool"):
                    edited.change(AGENT, applied(text, edits_of(action)))
                    await edited.diagnostics(AGENT, [])

    run(scenario())


def test_an_editor_with_snippets_asks_for_the_reason(tmp_path: Path) -> None:
    write(tmp_path, {AGENT: TEXT})

    async def scenario() -> None:
        async with editor(tmp_path, MODERN, workspace=SNIPPETS) as edited:
            edited.open(AGENT)
            found = {each.title: each for each in await edited.actions(AGENT, at(3, 21, 22), ["quickfix"])}
            action = found["Ignore unknown-tool here"]
            assert action.edit is not None
            (change,) = action.edit.document_changes or ()
            assert isinstance(change, lsp.TextDocumentEdit)
            (edit,) = change.edits
            assert isinstance(edit, lsp.SnippetTextEdit)
            assert edit.snippet.value == "# fsagent: ignore[unknown-tool] ${1:reason}\n"

    run(scenario())


def test_tools_are_written_as_usual(tmp_path: Path) -> None:
    text = TEXT.replace("bash, Grepp", "Grep")
    write(tmp_path, {AGENT: text})

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(AGENT)
            (native,) = await edited.actions(AGENT, at(3, 2, 2), ["refactor.rewrite.native"])
            assert native.title == "Write the tools as usual for Claude Code"
            assert "\ntools: Read, Grep, Edit\n" in applied(text, edits_of(native))
            assert await edited.actions(AGENT, at(1, 2, 2), ["refactor.rewrite.native"]) == []

    run(scenario())


def test_formatting_follows_the_config(tmp_path: Path) -> None:
    write(tmp_path, {AGENT: TEXT.replace("Grepp", "Grep")})

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            text = edited.open(AGENT)
            params = lsp.DocumentFormattingParams(edited.identifier(AGENT), lsp.FormattingOptions(2, True))
            assert not await edited.client.text_document_formatting_async(params)
            write(tmp_path, {"fsagent-lint.toml": 'tool-format = "csv"\n'})
            edited.changed_on_disk("fsagent-lint.toml")
            await edited.diagnostics(AGENT, ["tool-format", "wrong-case-tool"])
            edits = await edited.client.text_document_formatting_async(params)
            assert "\ntools: Read, bash, Grep, Edit\n" in applied(text, edits or ())

    run(scenario())


def test_an_agent_is_written_for_another_harness_once_its_losses_are_accepted(tmp_path: Path) -> None:
    text = TEXT.replace("[Read, bash, Grepp, 'Edit']", "Read, Bash\npermissionMode: plan\nmaxTurns: 3")
    write(tmp_path, {AGENT: text, ".opencode/agents/b.md": "---\ndescription: d\n---\nDo it.\n"})

    async def scenario() -> None:
        async with editor(tmp_path, MODERN, workspace=SNIPPETS) as edited:
            edited.open(AGENT)
            found = {each.title: each for each in await edited.actions(AGENT, only=["refactor.rewrite.convert"])}
            assert "Write this agent for OpenCode" in found
            assert "Write this agent for Claude Code" not in found

            async def choose(answer: str | None) -> None:
                edited.answers = [answer]
                command = found["Write this agent for Copilot"].command
                assert command is not None
                params = lsp.ExecuteCommandParams(command=command.command, arguments=command.arguments)
                await edited.client.workspace_execute_command_async(params)

            await choose(None)
            assert edited.edits == []
            assert "permissionMode" in edited.client.messages[-1].message
            await choose("Write it")
            (edit,) = edited.edits
            create, content = edit.document_changes or ()
            assert isinstance(create, lsp.CreateFile)
            assert isinstance(content, lsp.TextDocumentEdit)
            assert create.uri == edited.uri(".github/agents/a.agent.md")
            written = content.edits[0]
            assert isinstance(written, lsp.TextEdit)
            assert "name: a" in written.new_text
            write(tmp_path, {".github/agents/a.agent.md": written.new_text})
            await choose("Write it")
            assert len(edited.edits) == 1
            assert "exists already" in edited.client.messages[-1].message

    run(scenario())
