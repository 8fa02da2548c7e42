"""An editor for tests: a client that talks to the language server in a process of its own, in a folder with files."""

from __future__ import annotations

import ast
import asyncio
import os
import sys
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client

COMMAND = (sys.executable, "-m", "fsagent_lint", "server")
NEOVIM, MODERN = "neovim@v0.7.0", "neovim@v0.11.0"
PATIENCE = 15.0
"""How many seconds the server may take for one thing before a test fails."""


def run(scenario: Coroutine[Any, Any, None]) -> None:
    """What never comes fails the test, with what it waited for."""
    asyncio.run(asyncio.wait_for(scenario, 4 * PATIENCE))


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode("utf-8"))


def cursor(text: str) -> tuple[str, lsp.Position]:
    """The text without its mark `⎮`, and the position of the mark."""
    before, _, after = text.partition("⎮")
    lines = before.replace("\r\n", "\n").split("\n")
    return before + after, lsp.Position(len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2)


class Editor:
    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client, self.folder = client, folder
        self.versions: dict[str, int] = {}
        self.answers: list[str | None] = []
        """What a person chooses when asked."""
        self.edits: list[lsp.WorkspaceEdit] = []
        """What the server has asked for."""

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def identifier(self, name: str) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri(name))

    def open(self, name: str, text: str | None = None) -> str:
        """Open a file, with a text of its own if it is not saved."""
        text = (self.folder / name).read_bytes().decode("utf-8") if text is None else text
        self.versions[name] = 1
        document = lsp.TextDocumentItem(self.uri(name), "markdown", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
        return text

    def change(self, name: str, text: str) -> None:
        self.versions[name] += 1
        document = lsp.VersionedTextDocumentIdentifier(uri=self.uri(name), version=self.versions[name])
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    def close(self, name: str) -> None:
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(self.identifier(name)))

    def changed_on_disk(self, *names: str) -> None:
        """Tell the server, as editors do that watch files."""
        changes = [lsp.FileEvent(self.uri(name), lsp.FileChangeType.Changed) for name in names]
        self.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(changes))

    async def diagnostics(self, name: str, codes: Sequence[str]) -> list[lsp.Diagnostic]:
        """The diagnostics of a file, once they are those of some rules; what they are then if that never happens."""
        for _ in range(int(PATIENCE / 0.02)):
            found = [*self.client.diagnostics.get(self.uri(name), ())]
            if sorted(str(each.code) for each in found) == sorted(codes) and self.uri(name) in self.client.diagnostics:
                return found
            await asyncio.sleep(0.02)
        found = [*self.client.diagnostics.get(self.uri(name), ())]
        raise AssertionError([each.code for each in found])

    async def actions(
        self, name: str, selection: lsp.Range | None = None, only: Sequence[str] | None = None
    ) -> list[lsp.CodeAction]:
        """The code actions for a range, by default the whole file."""
        everything = lsp.Range(lsp.Position(0, 0), lsp.Position(10_000, 0))
        kinds = None if only is None else [lsp.CodeActionKind(each) if each in KNOWN_KINDS else each for each in only]
        context = lsp.CodeActionContext([], kinds)
        params = lsp.CodeActionParams(self.identifier(name), selection or everything, context)
        found = await self.client.text_document_code_action_async(params)
        return [each if isinstance(each, lsp.CodeAction) else _with_command(each) for each in found or ()]

    async def complete(self, name: str, text: str) -> dict[str, lsp.CompletionItem]:
        """What is offered at the mark in a text."""
        plain, position = cursor(text)
        if name in self.versions:
            self.change(name, plain)
        else:
            self.open(name, plain)
        params = lsp.CompletionParams(self.identifier(name), position)
        found = await self.client.text_document_completion_async(params)
        assert isinstance(found, list)
        return {item.label: item for item in found}

    async def hover(self, name: str, position: lsp.Position) -> str:
        found = await self.client.text_document_hover_async(lsp.HoverParams(self.identifier(name), position))
        return found.contents.value if found is not None and isinstance(found.contents, lsp.MarkupContent) else ""


def _with_command(found: lsp.Command) -> lsp.CodeAction:
    """A code action that has a command, which the client's library reads as a command with a dictionary for a name."""
    inner = ast.literal_eval(found.command)
    return lsp.CodeAction(found.title, command=lsp.Command(**inner))


KNOWN_KINDS = {each.value for each in lsp.CodeActionKind}


def applied(text: str, edits: Sequence[lsp.TextEdit]) -> str:
    """The text after edits of ASCII lines, as an editor applies them."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True):
        start, end = (_offset(lines, position) for position in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text


def _offset(lines: Sequence[str], position: lsp.Position) -> int:
    before = sum(len(line) + 1 for line in lines[: position.line])
    line = lines[position.line] if position.line < len(lines) else ""
    head = line.encode("utf-16-le")[: position.character * 2].decode("utf-16-le", "ignore")
    return before + len(head)


def edits_of(action: lsp.CodeAction) -> list[lsp.TextEdit]:
    """The edits of an action that changes one document."""
    assert action.edit is not None
    if action.edit.changes:
        return [*next(iter(action.edit.changes.values()))]
    changes = action.edit.document_changes or []
    return [each for change in changes if isinstance(change, lsp.TextDocumentEdit) for each in change.edits]  # type: ignore[misc]


@asynccontextmanager
async def editor(
    folder: Path,
    capabilities: str = NEOVIM,
    options: Mapping[str, object] | None = None,
    *,
    pulls: bool = False,
    **added: Any,
) -> AsyncIterator[Editor]:
    """An editor with one folder open.

    `options`: the initialization options; `pulls`: it asks for diagnostics; `added`: more capabilities, by section.
    """
    client = make_test_lsp_client()
    found = Editor(client, folder)

    @client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)  # type: ignore[untyped-decorator]
    def choose(params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
        client.messages.append(lsp.ShowMessageParams(params.type, params.message))
        title = found.answers.pop(0)
        return lsp.MessageActionItem(title) if title is not None else None

    @client.feature(lsp.WORKSPACE_APPLY_EDIT)  # type: ignore[untyped-decorator]
    def apply(params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        found.edits.append(params.edit)
        return lsp.ApplyWorkspaceEditResult(True)

    await client.start_io(*COMMAND, env={**os.environ})
    known = client_capabilities(capabilities)
    for section, value in added.items():
        setattr(known, section, value)
    if pulls:
        assert known.workspace is not None
        known.workspace.diagnostics = lsp.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    root = folder.as_uri()
    params = lsp.InitializeParams(
        known, root_uri=root, workspace_folders=[lsp.WorkspaceFolder(root, folder.name)], initialization_options=options
    )
    try:
        await client.initialize_session(params)
        yield found
    finally:
        await client.shutdown_session()
        await client.stop()  # type: ignore[no-untyped-call]
