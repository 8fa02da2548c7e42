"""The language server: which function answers which request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter

from fsagent_lint import __version__
from fsagent_lint.server import actions, completion, hints, hover, links, symbols
from fsagent_lint.server.buffers import path_of, uri_of
from fsagent_lint.server.convert import NewFile, converted
from fsagent_lint.server.edits import new_file, text_edits
from fsagent_lint.server.settings import SECTION, read_settings
from fsagent_lint.server.state import State, folder_paths
from fsagent_lint.server.watched import registration
from fsagent_lint.server.workspace import View

R = TypeVar("R")


class Server(LanguageServer):
    """An editor's server. What goes wrong is logged, not shown: the next request may well go right."""

    def __init__(self, protocol: type[LanguageServerProtocol] = LanguageServerProtocol) -> None:
        # Only whole texts: changes of ranges would have to agree with the editor on what ends a line.
        super().__init__(
            "fsagent-lint",
            __version__,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Full,
            protocol_cls=protocol,
            converter_factory=default_converter,
        )
        self.state = State(self)
        _add_lifecycle(self)
        _add_documents(self)
        _add_requests(self)
        _add_actions(self)

    def report_server_error(self, error: Exception, source: object) -> None:
        self.state.log_bug(error, getattr(source, "__name__", "the server"))

    async def answer(self, uri: str, function: Callable[[View], R]) -> R | None:
        """Answer a request about an open agent file, unless it is withdrawn first; None for any other document."""
        await asyncio.sleep(0)
        return self.answer_now(uri, function)

    def answer_now(self, uri: str, function: Callable[[View], R]) -> R | None:
        found = self.state.find(uri)
        if found is None:
            return None
        path, workspace = found
        with workspace.entered():
            view = workspace.view(path)
            return function(view) if view is not None else None


def _add_lifecycle(server: Server) -> None:
    state = server.state

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        state.settings = read_settings(params.initialization_options)
        state.folders = folder_paths(params)
        if state.pulls:
            _add_pulling(server)

    @server.feature(lsp.INITIALIZED)
    async def initialized(_: lsp.InitializedParams) -> None:
        for folder in state.folders:
            state.workspace_of(f"{folder}/.")
        workspace = server.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace is not None else None
        if watched is not None and watched.dynamic_registration:
            await _asked(server.client_register_capability_async(lsp.RegistrationParams([registration()])))
        await _pull_settings(server)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(params: lsp.DidChangeConfigurationParams) -> None:
        state.settings = read_settings(params.settings, state.settings)
        await _pull_settings(server)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_folders(_: lsp.DidChangeWorkspaceFoldersParams) -> None:
        found = map(path_of, server.workspace.folders)
        state.set_folders([path for path in found if path is not None])


async def _asked(question: Awaitable[object]) -> object:
    """What the editor answers; None if it refuses."""
    try:
        return await question
    except JsonRpcException:
        return None


async def _pull_settings(server: Server) -> None:
    """Ask for the settings, if the editor lets its servers ask; then show hints accordingly."""
    workspace = server.client_capabilities.workspace
    if workspace is not None and workspace.configuration:
        items = lsp.ConfigurationParams([lsp.ConfigurationItem(section=SECTION)])
        values = await _asked(server.workspace_configuration_async(items))
        if isinstance(values, list) and values and values[0] is not None:
            server.state.settings = read_settings(values[0], server.state.settings)
    if workspace is not None and workspace.inlay_hint is not None and workspace.inlay_hint.refresh_support:
        server.workspace_inlay_hint_refresh(None)
    if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
        server.workspace_code_lens_refresh(None)


def _add_documents(server: Server) -> None:
    state = server.state

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        state.opened(document.uri, document.text, document.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        if params.content_changes:
            document = params.text_document
            state.opened(document.uri, params.content_changes[-1].text, document.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        state.closed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path is not None:
            state.refresh_soon([path])

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def did_change_watched_files(params: lsp.DidChangeWatchedFilesParams) -> None:
        paths = (path_of(change.uri) for change in params.changes)
        state.refresh_soon([path for path in paths if path is not None])


def _add_pulling(server: Server) -> None:
    """Diagnostics on request, for an editor that can be told to ask again. Any other editor would show them twice."""

    @server.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, lsp.DiagnosticOptions(True, False, identifier="fsagent-lint"))
    async def diagnostic(params: lsp.DocumentDiagnosticParams) -> lsp.DocumentDiagnosticReport:
        await asyncio.sleep(0)
        found = server.state.find(params.text_document.uri)
        items = server.state.diagnostics(*found)[0] if found is not None else []
        return lsp.RelatedFullDocumentDiagnosticReport(items)


def _add_requests(server: Server) -> None:
    """Requests about a place in an open document, or all of it."""

    def add(method: str, function: Callable[[View, Any], object], options: object = None) -> None:
        @server.feature(method, options)
        async def handle(params: Any) -> object:
            return await server.answer(params.text_document.uri, lambda view: function(view, params))

    def complete(view: View, params: lsp.CompletionParams) -> object:
        document = server.client_capabilities.text_document
        item = document.completion.completion_item if document is not None and document.completion else None
        snippets = item is not None and bool(item.snippet_support)
        return completion.completions(view, _offset(view, params), snippets=snippets)

    def inlay_hints(view: View, params: lsp.InlayHintParams) -> object:
        is_shown = server.state.settings.shows("inlay", server.client_capabilities)
        return hints.inlay_hints(view, params.range) if is_shown else []

    def code_lenses(view: View, _: object) -> object:
        return hints.code_lenses(view) if server.state.settings.shows("lens", server.client_capabilities) else []

    add(lsp.TEXT_DOCUMENT_COMPLETION, complete, lsp.CompletionOptions(trigger_characters=completion.TRIGGERS))
    add(lsp.TEXT_DOCUMENT_HOVER, lambda view, params: hover.hover(view, _offset(view, params)))
    add(lsp.TEXT_DOCUMENT_INLAY_HINT, inlay_hints)
    add(lsp.TEXT_DOCUMENT_CODE_LENS, code_lenses)
    add(lsp.TEXT_DOCUMENT_DEFINITION, lambda view, params: links.definitions(view, _offset(view, params)))
    add(lsp.TEXT_DOCUMENT_DOCUMENT_LINK, lambda view, _: links.document_links(view))
    add(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, lambda view, _: symbols.symbols(view))
    add(lsp.TEXT_DOCUMENT_FORMATTING, lambda view, _: text_edits(view.buffer, actions.formatted(view)))


def _offset(view: View, params: lsp.HoverParams | lsp.CompletionParams | lsp.DefinitionParams) -> int:
    return view.buffer.positions.offset(params.position)


def _add_actions(server: Server) -> None:
    state = server.state

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(actions.KINDS))
    async def code_action(params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
        def find(view: View) -> list[lsp.CodeAction]:
            findings, _ = view.workspace.findings(view.workspace.absolute(view.target.path))
            only = params.context.only
            return [*actions.code_actions(view, findings, params.range, only, server.client_capabilities)]

        return await server.answer(params.text_document.uri, find)

    @server.command(actions.CONVERT_COMMAND)
    async def convert(uri: str, harness: str) -> None:
        found = server.answer_now(uri, lambda view: converted(view, harness))
        if found is not None:
            await _write(server, found)

    async def _write(server: Server, file: NewFile) -> None:
        """Show what is lost, and write the file if that is agreed to."""
        if file.error:
            server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, file.error))
            return
        if file.question:
            choice = lsp.MessageActionItem("Write it")
            question = lsp.ShowMessageRequestParams(lsp.MessageType.Warning, file.question, [choice])
            answer = await _asked(server.window_show_message_request_async(question))
            if getattr(answer, "title", None) != choice.title:
                return
        edit = lsp.ApplyWorkspaceEditParams(
            new_file(uri_of(file.path), file.text), "Write an agent for another harness"
        )
        await _asked(server.workspace_apply_edit_async(edit))
        state.refresh_soon([file.path])
