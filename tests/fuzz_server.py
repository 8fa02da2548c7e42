"""Fuzzing of the language server: two editors do in one folder whatever people do, in any order.

    python tests/fuzz_server.py [--rounds 500] [--seed 1]

They open, damage, close, rename and delete files, ask about places inside and outside of the text, withdraw requests,
and change the config. The seed and the number of a round decide what is tried. A find is an internal error, a request
without an answer, a range outside of the text, or diagnostics that are not those of a new server with the same texts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Any

from damage import mutate, own_files
from pygls.io_ import run_async

from fsagent_lint.server.app import Server
from fsagent_lint.server.serve import Protocol

PATHS = (
    ".claude/agents/a.md",
    ".claude/agents/b.md",
    ".opencode/agents/a.md",
    ".github/agents/a.agent.md",
    ".claude/skills/s/SKILL.md",
    ".roomodes",
    "opencode.json",
    "agents.py",
    "README.md",
    "ä ö%20/.kiro/agents/a.json",
)
OTHERS = {
    "fsagent-lint.toml": (b"", b'tool-format = "csv"\n', b"selct = 1\n", b'[sync]\nsource = ".claude/agents"\ntargets = ["opencode"]\n'),
    ".mcp.json": (b"{}", b'{"mcpServers": {"db": {}}}', b"{", b'{"mcpServers": {"\\ud800": 1}}'),
}  # fmt: skip
ODD = ("\ud83d", "\ude00", "😀", "\r", "\r\n", "\u2028", "\x0c", "\x00", "\ufeff", "e\u0301", "⟦", "`" * 5)
REQUESTS = (
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/inlayHint",
    "textDocument/documentLink",
    "textDocument/documentSymbol",
    "textDocument/formatting",
)
CAPABILITIES = {
    "workspace": {
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"], "snippetEditSupport": True}
    }
}
ALLOWED = (-32601, -32602, -32800)
"""What a request may be answered with, besides a result: an unknown method, invalid parameters, cancelled."""


class Connection:
    """One editor, on a wire in memory."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.server = folder, Server(Protocol)
        protocol = self.server.protocol
        assert isinstance(protocol, Protocol)
        protocol.ended = Event()
        protocol.set_writer(self)
        self.stream = asyncio.StreamReader()
        self.task = asyncio.ensure_future(run_async(protocol.ended, self.stream, protocol))
        self.texts: dict[str, str] = {}
        self.shown: dict[str, list[Any]] = {}
        self.waiting: dict[int, str] = {}
        self.problems: list[str] = []
        self.number = 0

    def write(self, data: bytes) -> None:
        message = json.loads(data.partition(b"\r\n\r\n")[2])
        method = message.get("method")
        if method == "textDocument/publishDiagnostics":
            self.shown[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif method in ("window/logMessage", "window/showMessage") and "internal error" in message["params"]["message"]:
            self.problems.append(message["params"]["message"])
        elif method is not None and "id" in message:
            self.send({"id": message["id"], "result": {"applied": True} if method == "workspace/applyEdit" else None})
        elif "id" in message:
            self._answered(message)

    def _answered(self, message: dict[str, Any]) -> None:
        asked = self.waiting.pop(message["id"], "")
        error = message.get("error")
        if error is not None and error["code"] not in ALLOWED:
            self.problems.append(f"{asked}: {error}")
        for found in _ranges(message.get("result")):
            start, end = ((each["line"], each["character"]) for each in (found["start"], found["end"]))
            if not (0, 0) <= start <= end:
                self.problems.append(f"{asked}: {found}")

    def close(self) -> None:
        pass

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.stream.feed_data(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method: str, params: object) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: object) -> int:
        self.number += 1
        self.waiting[self.number] = method
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    async def settle(self) -> None:
        """Until every request is answered and no work is left."""
        for _ in range(3000):
            await asyncio.sleep(0.005)
            if not self.waiting and self.server.state.is_idle:
                return
        self.problems.append(f"never finished: {[*self.waiting.values()]}")

    async def start(self) -> None:
        root = self.folder.as_uri()
        self.ask("initialize", {"processId": None, "rootUri": root, "capabilities": CAPABILITIES})
        await self.settle()
        self.notify("initialized", {})

    def uri(self, path: str) -> str:
        return (self.folder / path).as_uri()

    def put(self, path: str, text: str) -> None:
        uri, version = self.uri(path), random.randrange(1000)
        if path in self.texts:
            self.notify(
                "textDocument/didChange",
                {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]},
            )
        else:
            document = {"uri": uri, "languageId": "markdown", "version": version, "text": text}
            self.notify("textDocument/didOpen", {"textDocument": document})
        self.texts[path] = text

    def drop(self, path: str) -> None:
        self.texts.pop(path, None)
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(path)}})


def _ranges(value: Any) -> Iterator[dict[str, Any]]:
    """Every range in an answer."""
    if isinstance(value, dict):
        if {"start", "end"} == value.keys():
            yield value
        for each in value.values():
            yield from _ranges(each)
    elif isinstance(value, list):
        for each in value:
            yield from _ranges(each)


def _text(chance: random.Random, files: Sequence[bytes], before: str) -> str:
    """A new text for a file, often the old one with a change as somebody types it."""
    if before and chance.random() < 0.6:
        start = chance.randrange(len(before) + 1)
        end = min(len(before), start + chance.choice((0, 0, 1, 5, 50)))
        piece = chance.choice((*ODD, "a", " ", ":", "tools: ", "- ", "\n", ""))
        return before[:start] + piece + before[end:]
    text = mutate(chance, files).decode("utf-8", "replace")
    return text.replace("\n", chance.choice(("\n", "\n", "\r\n", "\r")))


def _position(chance: random.Random, text: str) -> dict[str, int]:
    lines = text.count("\n") + 1
    line = chance.choice((chance.randrange(lines), min(3, lines), lines + 5, 10**9))
    return {"line": line, "character": chance.choice((0, chance.randrange(40), 10**9))}


def _step(chance: random.Random, files: Sequence[bytes], editor: Connection) -> None:
    path = chance.choice(PATHS)
    disk = editor.folder / path
    what = chance.random()
    if what < 0.4:
        editor.put(path, _text(chance, files, editor.texts.get(path, "")))
    elif what < 0.5:
        editor.drop(path)
    elif what < 0.62:
        _change_disk(chance, files, editor, disk)
    elif what < 0.66:
        name = chance.choice([*OTHERS])
        (editor.folder / name).write_bytes(chance.choice(OTHERS[name]))
        _tell(editor, name, 2)
    else:
        number = _ask(chance, editor, path)
        if chance.random() < 0.2:
            editor.notify("$/cancelRequest", {"id": number})


def _change_disk(chance: random.Random, files: Sequence[bytes], editor: Connection, disk: Path) -> None:
    name = disk.relative_to(editor.folder).as_posix()
    if disk.exists() and chance.random() < 0.5:
        if chance.random() < 0.5:
            other = chance.choice(PATHS)
            (editor.folder / other).parent.mkdir(parents=True, exist_ok=True)
            disk.replace(editor.folder / other)
            _tell(editor, other, 1)
        else:
            disk.unlink()
        _tell(editor, name, 3)
    else:
        disk.parent.mkdir(parents=True, exist_ok=True)
        disk.write_bytes(mutate(chance, files))
        _tell(editor, name, 2)


def _tell(editor: Connection, name: str, kind: int) -> None:
    changes = [{"uri": editor.uri(name), "type": kind}]
    editor.notify("workspace/didChangeWatchedFiles", {"changes": changes})


def _ask(chance: random.Random, editor: Connection, path: str) -> int:
    text = editor.texts.get(path, "")
    start = _position(chance, text)
    params = {
        "textDocument": {"uri": chance.choice((editor.uri(path), editor.uri(path), "untitled:x", "file:///%00", "x"))},
        "position": start,
        "range": {"start": start, "end": _position(chance, text)},
        "context": {"diagnostics": [], "triggerKind": 1},
        "options": {"tabSize": 2, "insertSpaces": True},
    }
    if chance.random() < 0.05:
        arguments = [params["textDocument"]["uri"], chance.choice(("opencode", "copilot", "nonsense"))]  # type: ignore[index]
        return editor.ask("workspace/executeCommand", {"command": "fsagent-lint.convert", "arguments": arguments})
    return editor.ask(chance.choice(REQUESTS), params)


async def _round(chance: random.Random, files: Sequence[bytes], folder: Path) -> list[str]:
    editors = [Connection(folder), Connection(folder)]
    for editor in editors:
        await editor.start()
    for _ in range(chance.randrange(10, 40)):
        _step(chance, files, chance.choice(editors))
        if chance.random() < 0.3:
            await asyncio.sleep(chance.choice((0, 0.001, 0.06)))
    problems = []
    for editor in editors:
        for name in (*PATHS, *OTHERS):  # what the other one did
            _tell(editor, name, 2)
        await asyncio.sleep(0.01)
        await editor.settle()
        new = Connection(folder)
        await new.start()
        for path, text in editor.texts.items():
            new.put(path, text)
        await asyncio.sleep(0.01)
        await new.settle()
        for path in editor.texts:
            uri = editor.uri(path)
            if editor.shown.get(uri, []) != new.shown.get(uri, []):
                problems.append(f"{path}: {_codes(editor, uri)}, but a new server finds {_codes(new, uri)}")
        problems += [*editor.problems, *new.problems]
        for each in (editor, new):
            each.stream.feed_eof()
            await each.task
    return problems


def _codes(editor: Connection, uri: str) -> list[str]:
    return [each["code"] for each in editor.shown.get(uri, [])]


def fuzz(rounds: int, seed: int) -> list[str]:
    """What was found, each with its round."""
    files = own_files()
    found = []
    for number in range(rounds):
        random.seed(f"{seed} {number}")
        with tempfile.TemporaryDirectory() as folder:
            problems = asyncio.run(_round(random.Random(f"{seed} {number}"), files, Path(folder).resolve()))
        found += [f"round {number} of seed {seed}: {problem}" for problem in problems]
        print("\n".join(found[len(found) - len(problems) :]), end="\n" if problems else "", flush=True)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    finds = fuzz(chosen.rounds, chosen.seed)
    print(f"{chosen.rounds} rounds, {len(finds)} finds")
    sys.exit(bool(finds))
