"""Connections: what a client does wrong ends neither the server nor other clients."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from editor import COMMAND, PATIENCE, editor, run, write
from fuzz_server import fuzz
from lsprotocol import types as lsp

AGENT = ".claude/agents/a.md"
BAD = "---\nname: a\ndescription: d\ntools: Read, bash\n---\n\nDo it.\n"


class Raw:
    """A client that may send anything."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def send(self, body: bytes) -> None:
        self.writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def ask(self, number: int, method: str, params: object) -> None:
        self.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode())

    def notify(self, method: str, params: object) -> None:
        self.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    async def answer(self, number: int) -> dict[str, Any]:
        while True:
            header = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE)
            size = int(header.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            message: dict[str, Any] = json.loads(await self.reader.readexactly(size))
            if message.get("id") == number:
                return message


@asynccontextmanager
async def listening() -> AsyncIterator[Callable[[], Awaitable[Raw]]]:
    """Connects clients with a server that listens on a free port."""
    process = await asyncio.create_subprocess_exec(*COMMAND, "--tcp", "0", stderr=asyncio.subprocess.PIPE)
    clients: list[Raw] = []
    assert process.stderr is not None
    try:
        line = (await asyncio.wait_for(process.stderr.readline(), PATIENCE)).decode()
        assert line.startswith("Listening on 127.0.0.1:")

        async def connect() -> Raw:
            clients.append(Raw(*await asyncio.open_connection("127.0.0.1", int(line.rpartition(":")[2]))))
            return clients[-1]

        yield connect
    finally:
        for client in clients:
            client.writer.close()
            await client.writer.wait_closed()
        process.terminate()
        await process.communicate()


async def initialized(client: Raw, folder: Path) -> None:
    client.ask(1, "initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}})
    assert "capabilities" in (await client.answer(1))["result"]
    client.notify("initialized", {})
    uri = (folder / AGENT).as_uri()
    text = (folder / AGENT).read_text(encoding="utf-8")
    document = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": document})


async def symbol(client: Raw, folder: Path, number: int) -> str:
    client.ask(number, "textDocument/documentSymbol", {"textDocument": {"uri": (folder / AGENT).as_uri()}})
    name: str = (await client.answer(number))["result"][0]["name"]
    return name


def test_two_editors_share_a_server_and_one_may_leave(tmp_path: Path) -> None:
    folders = tmp_path / "one", tmp_path / "two"
    for folder in folders:
        write(folder, {AGENT: BAD.replace("name: a", f"name: {folder.name}")})

    async def scenario() -> None:
        async with listening() as connect:
            one, two = await connect(), await connect()
            await initialized(one, folders[0])
            await initialized(two, folders[1])
            assert await symbol(one, folders[0], 2) == "one"
            assert await symbol(two, folders[1], 2) == "two"
            one.ask(3, "shutdown", None)
            await one.answer(3)
            one.notify("exit", None)
            assert await asyncio.wait_for(one.reader.read(), PATIENCE) == b""
            assert await symbol(two, folders[1], 3) == "two"
            two.writer.close()
            three = await connect()
            await initialized(three, folders[0])
            assert await symbol(three, folders[0], 2) == "one"

    run(scenario())


def test_a_browser_is_not_an_editor(tmp_path: Path) -> None:
    write(tmp_path, {AGENT: BAD})
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}).encode()

    async def scenario() -> None:
        async with listening() as connect:
            browser = await connect()
            browser.writer.write(b"POST / HTTP/1.1\r\n")
            browser.send(message)
            assert await asyncio.wait_for(browser.reader.read(), PATIENCE) == b""

    run(scenario())


def test_what_a_client_does_wrong_is_answered_and_work_goes_on(tmp_path: Path) -> None:
    write(tmp_path, {AGENT: BAD})
    uri = (tmp_path / AGENT).as_uri()

    async def scenario() -> None:
        async with listening() as connect:
            client = await connect()
            await initialized(client, tmp_path)
            client.send(b"{nonsense")
            client.ask(2, "textDocument/nonsense", {})
            assert (await client.answer(2))["error"]["code"] == -32601
            client.ask(3, "workspace/executeCommand", {"command": "fsagent-lint.convert", "arguments": []})
            assert (await client.answer(3))["error"]["code"] == -32602
            client.notify(
                "textDocument/didChange", {"textDocument": {"uri": "file:///x", "version": 1}, "contentChanges": []}
            )
            client.notify("textDocument/didClose", {"textDocument": {"uri": "file:///never/opened.md"}})
            client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": "nonsense", "type": 1}]})
            client.notify(
                "textDocument/didOpen",
                {"textDocument": {"uri": uri + "/x", "languageId": "", "version": 1, "text": "\ud800"}},
            )
            assert await symbol(client, tmp_path, 4) == "a"

    run(scenario())


def test_a_withdrawn_request_is_not_worked_on(tmp_path: Path) -> None:
    write(tmp_path, {AGENT: BAD})

    async def scenario() -> None:
        async with listening() as connect:
            client = await connect()
            await initialized(client, tmp_path)
            assert await symbol(client, tmp_path, 2) == "a"
            params = {"textDocument": {"uri": (tmp_path / AGENT).as_uri()}, "position": {"line": 3, "character": 1}}
            body = [
                {"jsonrpc": "2.0", "id": 3, "method": "textDocument/hover", "params": params},
                {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 3}},
            ]
            frames = [json.dumps(each).encode() for each in body]
            client.writer.write(b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(each), each) for each in frames))
            assert (await client.answer(3))["error"]["code"] == -32800

    run(scenario())


def test_the_process_ends_with_its_editor(tmp_path: Path) -> None:
    process = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    )
    out, _ = process.communicate(b"", timeout=60)
    assert (process.returncode, out) == (0, b"")


def test_nothing_but_messages_is_written_to_standard_output(tmp_path: Path) -> None:
    write(tmp_path, {AGENT: BAD, "fsagent-lint.toml": "selct = 1"})

    async def scenario() -> None:
        async with editor(tmp_path) as edited:
            edited.open(AGENT)
            await edited.diagnostics(AGENT, ["wrong-case-tool"])
            params = lsp.ExecuteCommandParams("fsagent-lint.convert", [edited.uri(AGENT), "nonsense"])
            await edited.client.workspace_execute_command_async(params)
            assert edited.client.messages[-1].message == "There is no harness `nonsense`."

    run(scenario())


def test_without_its_libraries_the_command_says_what_to_install(tmp_path: Path) -> None:
    write(tmp_path, {"empty/pygls.py": "raise ModuleNotFoundError(name='pygls')\n"})
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'empty')!r}); from fsagent_lint.cli.main import run; sys.exit(run(['server']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 2
    assert done.stderr == "error: The language server is not installed: pip install 'fsagent-lint[server]'.\n"


def test_fuzzing_finds_nothing() -> None:
    assert fuzz(rounds=10, seed=3) == []
