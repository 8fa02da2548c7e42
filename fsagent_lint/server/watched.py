"""Which files on the disk bear on the findings, so that the editor reports their changes."""

from __future__ import annotations

from lsprotocol import types as lsp

from fsagent_lint.harnesses.tables import all_harnesses
from fsagent_lint.project.config import FILE

WATCH = "fsagent-lint-files"


def registration() -> lsp.Registration:
    watchers = [lsp.FileSystemWatcher(f"**/{glob}") for glob in _globs()]
    options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
    return lsp.Registration(WATCH, lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)


def _globs() -> list[str]:
    """Markdown, which may be an agent wherever it is; the agent files that are not; and what defines their neighbours."""
    kinds = [kind for harness in all_harnesses() for kind in harness.kinds.values()]
    globs = {glob for kind in kinds for glob in kind.all_globs if not glob.endswith(".md")}
    globs |= {entry.file for harness in all_harnesses() for entry in harness.discovers}
    return ["*.md", FILE, "pyproject.toml", *sorted(glob.removeprefix("{plugin}/") for glob in globs)]
