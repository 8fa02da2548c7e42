"""What one editor has open, and the work that is still to be done for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Sequence
from functools import partial
from time import perf_counter
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from fsagent_lint.errors import BugError
from fsagent_lint.files.border import Border
from fsagent_lint.files.paths import relative
from fsagent_lint.model.result import internal_error
from fsagent_lint.report import describe_problem
from fsagent_lint.report.escape import MESSAGE, escape
from fsagent_lint.server.buffers import Buffer, path_of, uri_of
from fsagent_lint.server.diagnostics import diagnostics
from fsagent_lint.server.settings import EditorSettings
from fsagent_lint.server.workspace import Workspace

Work = Callable[[], Coroutine[Any, Any, None]]

_TYPING_PAUSE = 0.05
"""How many seconds after a change a file is checked: what is typed meanwhile makes that check needless."""
_SAVING_PAUSE = 0.2
"""The same for changes on the disk, which come in groups."""
_SLICE = 0.02
"""For how many seconds other files are read before the editor is listened to again."""


class State:
    """Everything runs in one thread, and each step is short, so that what the editor says next is heard soon."""

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self.settings = EditorSettings()
        self.folders: list[str] = []
        self.workspaces: dict[str, Workspace] = {}
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._published: dict[str, Sequence[lsp.Diagnostic]] = {}
        self._told: set[str] = set()

    @property
    def capabilities(self) -> lsp.ClientCapabilities:
        return self.server.client_capabilities

    @property
    def pulls(self) -> bool:
        """Does the editor ask for diagnostics, and can it be told to ask again?"""
        document, workspace = self.capabilities.text_document, self.capabilities.workspace
        refresh = workspace.diagnostics if workspace is not None else None
        return (
            document is not None
            and document.diagnostic is not None
            and refresh is not None
            and bool(refresh.refresh_support)
        )

    @property
    def is_idle(self) -> bool:
        """Is there no work left?"""
        return all(task.done() for task in self._tasks.values())

    def workspace_of(self, path: str) -> Workspace:
        """The innermost folder of the editor that contains a file; else the file's project."""
        inside = [each for each in self.folders if relative(path, each) is not None]
        folder = max(inside, key=len, default="") or _project_of(path)
        if folder not in self.workspaces:
            self.workspaces[folder] = Workspace(folder)
            self.learn(self.workspaces[folder])
        return self.workspaces[folder]

    def set_folders(self, folders: Sequence[str]) -> None:
        """The folders of the editor; what is open is looked for in them again."""
        buffers = {path: buffer for each in self.workspaces.values() for path, buffer in each.open.items()}
        self.folders, self.workspaces = [*folders], {}
        for path, buffer in buffers.items():
            self.workspace_of(path).put(path, buffer)
            self.check_soon(path, 0)

    def find(self, uri: str) -> tuple[str, Workspace] | None:
        """An open document's path and workspace; None for one that is not open, or is not a file."""
        path = path_of(uri)
        if path is None:
            return None
        workspace = self.workspace_of(path)
        return (path, workspace) if path in workspace.open else None

    def opened(self, uri: str, text: str, version: int | None) -> None:
        """A document was opened or changed."""
        path = path_of(uri)
        if path is not None:
            workspace = self.workspace_of(path)
            is_new = path not in workspace.open
            encoding = self.server.workspace.position_encoding or lsp.PositionEncodingKind.Utf16
            workspace.put(path, Buffer(uri, text, version, encoding))
            self.check_soon(path, 0 if is_new else _TYPING_PAUSE)

    def closed(self, uri: str) -> None:
        found = self.find(uri)
        if found is not None:
            path, workspace = found
            self._cancel("check", path)
            workspace.close(path)
            self._publish(uri, [])
            self.learn(workspace)

    def check_soon(self, path: str, delay: float) -> None:
        """Check a file once nothing was typed for a while."""
        if not self.pulls:
            self._start("check", path, lambda: self._check(path, delay))

    def refresh_soon(self, paths: Collection[str] | None) -> None:
        """Files on the disk have changed."""
        for folder, workspace in [*self.workspaces.items()]:
            inside = None if paths is None else [path for path in paths if relative(path, folder) is not None]
            if inside is None or inside:
                workspace.changed = (
                    None if inside is None or workspace.changed is None else workspace.changed | {*inside}
                )
                self._start("refresh", folder, partial(self._refresh, workspace))

    def learn(self, workspace: Workspace) -> None:
        self._start("learn", workspace.folder, partial(self._learn, workspace))

    async def _check(self, path: str, delay: float) -> None:
        await asyncio.sleep(delay)
        others = self._check_now(path)
        for other in others:
            await asyncio.sleep(0)
            self._check_now(other)

    def _check_now(self, path: str) -> set[str]:
        """Send the diagnostics of an open file; returns the open files whose findings may have changed with it."""
        workspace = self.workspace_of(path)
        buffer = workspace.open.get(path)
        if buffer is None:
            return set()
        found, others = self.diagnostics(path, workspace)
        self._publish(buffer.uri, found, buffer.version)
        return others

    def diagnostics(self, path: str, workspace: Workspace) -> tuple[list[lsp.Diagnostic], set[str]]:
        with workspace.entered():
            findings, others = workspace.findings(path)
            view = workspace.view(path)
            found = diagnostics(view, findings) if view is not None else []
        self.report(workspace)
        return found, others

    def _publish(self, uri: str, found: Sequence[lsp.Diagnostic], version: int | None = None) -> None:
        if self.pulls or (version is None and self._published.get(uri, []) == found):
            return
        self._published[uri] = found
        if not found and version is None:
            del self._published[uri]
        self.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, version))

    async def _refresh(self, workspace: Workspace) -> None:
        await asyncio.sleep(_SAVING_PAUSE)
        changed, workspace.changed = workspace.changed, frozenset()
        workspace.refresh(changed)
        self.report(workspace)
        await self._learn(workspace)

    async def _learn(self, workspace: Workspace) -> None:
        """Read the agents of the project bit by bit, then check what is open again."""
        self.report(workspace)
        while workspace.unread:
            until = perf_counter() + _SLICE
            with workspace.entered():
                while workspace.unread and perf_counter() < until:
                    workspace.learn()
            await asyncio.sleep(0.001)
        for path in [*workspace.open]:  # what one of them is compared with may be another one that is not saved
            self.diagnostics(path, workspace)
            await asyncio.sleep(0)
        if self.pulls:
            self.server.workspace_diagnostic_refresh(None)
        else:
            for path in [*workspace.open]:
                self._check_now(path)
                await asyncio.sleep(0)

    def report(self, workspace: Workspace) -> None:
        """Log what went wrong, and show once why a config is not used."""
        for problem in workspace.errors:
            self.log(f"{describe_problem(problem)}\n{problem.traceback}".rstrip())
        workspace.errors.clear()
        if workspace.problem and workspace.problem not in self._told:
            self._told.add(workspace.problem)
            message = f"fsagent-lint checks without the config: {escape(workspace.problem, MESSAGE)}"
            self.server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, message))
        elif not workspace.problem:
            self._told.clear()

    def log(self, text: str, kind: lsp.MessageType = lsp.MessageType.Error) -> None:
        self.server.window_log_message(lsp.LogMessageParams(kind, text))

    def log_bug(self, error: BaseException, where: str) -> None:
        cause = error.__cause__ if isinstance(error, BugError) and error.__cause__ is not None else error
        problem = internal_error("", error.where if isinstance(error, BugError) else where, cause)
        self.log(f"{escape(problem.message, MESSAGE)}\n{problem.traceback}")

    def _start(self, what: str, of: str, work: Work) -> None:
        """Begin some work; the same work that has not been finished is stale, and is cancelled."""
        self._cancel(what, of)
        self._tasks[what, of] = asyncio.ensure_future(self._guarded(work, what))

    def _cancel(self, what: str, of: str) -> None:
        task = self._tasks.pop((what, of), None)
        if task is not None:
            task.cancel()

    async def _guarded(self, work: Work, what: str) -> None:
        try:
            await work()
        except asyncio.CancelledError:
            raise
        except Exception as error:  # whatever it is, the next change is checked again
            self.log_bug(error, what)


def _project_of(path: str) -> str:
    """For a file outside of the editor's folders: its repository, else the parent of the hidden folder it lies in."""
    folder = path.rpartition("/")[0] or "/"
    found = Border().root(folder)
    if found is not None:
        return found
    parts = folder.split("/")
    hidden = next((at for at, part in enumerate(parts) if part.startswith(".")), None)
    return ("/".join(parts[:hidden]) if hidden is not None else folder) or "/"


def folder_paths(params: lsp.InitializeParams) -> list[str]:
    folders = [folder.uri for folder in params.workspace_folders or ()]
    root = params.root_uri or (uri_of(params.root_path) if params.root_path else "")
    found = map(path_of, folders or filter(None, [root]))
    return [path for path in found if path is not None]
