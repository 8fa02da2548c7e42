"""Open documents: the text that the editor has, saved or not."""

from __future__ import annotations

from functools import cached_property
from urllib.parse import urlsplit

from lsprotocol import types as lsp
from pygls.uris import from_fs_path, to_fs_path

from fsagent_lint.files.paths import absolute, to_posix
from fsagent_lint.server.positions import Positions, well_formed


class Buffer:
    """One version of an open document."""

    def __init__(self, uri: str, text: str, version: int | None, encoding: lsp.PositionEncodingKind | str) -> None:
        self.uri, self.version, self.encoding = uri, version, encoding
        self.text = well_formed(text)

    @cached_property
    def data(self) -> bytes:
        return self.text.encode("utf-8")

    @cached_property
    def positions(self) -> Positions:
        return Positions(self.text, self.encoding)


def path_of(uri: str) -> str | None:
    """The absolute path of a file; None for a document that is not one, such as an unsaved new one."""
    try:
        path = to_fs_path(uri) if urlsplit(uri).scheme == "file" else None
    except ValueError:
        return None
    return absolute(to_posix(path)) if path and "\0" not in path else None


def uri_of(path: str) -> str:
    return from_fs_path(path) or ""
