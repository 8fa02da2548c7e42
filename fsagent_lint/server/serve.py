"""Connections: one editor on standard input and output, or any number of them on a port of this machine."""

from __future__ import annotations

import asyncio
import io
import os
import sys
from collections.abc import Generator
from contextlib import suppress
from threading import Event
from typing import Any

from lsprotocol import types as lsp
from pygls.io_ import run_async
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

from fsagent_lint.server.app import Server

HOST = "127.0.0.1"


def serve_stdio() -> None:
    """Until the editor closes the connection. Nothing else may be written to standard output."""
    sys.stdout.flush()
    output = io.FileIO(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr
    Server().start_io(sys.stdin.buffer, io.BufferedWriter(output))


def serve_tcp(port: int) -> None:
    """Until somebody stops the process; each connection is an editor of its own."""
    with suppress(KeyboardInterrupt):
        asyncio.run(_listen(port))


async def _listen(port: int) -> None:
    server = await asyncio.start_server(_connected, HOST, port)
    print(f"Listening on {HOST}:{server.sockets[0].getsockname()[1]}", file=sys.stderr, flush=True)
    async with server:
        await server.serve_forever()


class Protocol(LanguageServerProtocol):
    """When an editor leaves, its connection ends, and not the process."""

    ended: Event

    @lsp_method(lsp.EXIT)
    def lsp_exit(self, *_: object) -> Generator[Any, Any, None]:
        self.ended.set()
        if self.writer is not None:
            self.writer.close()
        yield from ()


class _Reader:
    """A stream of which the first line has been read already."""

    def __init__(self, first: bytes, stream: asyncio.StreamReader) -> None:
        self.first, self.stream = first, stream

    async def readline(self) -> bytes:
        line, self.first = self.first, b""
        return line or await self.stream.readline()

    async def readexactly(self, size: int) -> bytes:
        return await self.stream.readexactly(size)


async def _connected(stream: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    # A web page can make a browser send requests to any port, but not without `POST` or the like in the first line.
    first = await stream.readline()
    if not first.lower().startswith(b"content-"):
        writer.close()
        return
    server = Server(Protocol)
    protocol = server.protocol
    assert isinstance(protocol, Protocol)
    protocol.ended = Event()
    protocol.set_writer(writer)
    try:
        await run_async(protocol.ended, _Reader(first, stream), protocol)
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()
