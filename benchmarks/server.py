"""`python benchmarks/server.py`: CPU time of the language server for what people do, in a repository with 1,000 agents."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import samples

AGENTS, LINES, TARGET = 1000, 200, 50
_TICK = os.sysconf("SC_CLK_TCK")


class Client:
    """Waits for each answer before it goes on."""

    def __init__(self, python: str, folder: Path) -> None:
        command = [python, "-m", "fsagent_lint", "server"]
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.input: IO[bytes] = self.process.stdin
        self.output: IO[bytes] = self.process.stdout
        self.number = self.version = 0

    def send(self, method: str, params: object, number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        body = json.dumps(message if number is None else {**message, "id": number}).encode()
        self.input.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.input.flush()

    def receive(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            size = 0
            while (line := self.output.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            message: dict[str, Any] = json.loads(self.output.read(size))
            if wanted(message):
                return message

    def ask(self, method: str, params: object) -> dict[str, Any]:
        self.number += 1
        number = self.number
        self.send(method, params, number)
        return self.receive(lambda message: message.get("id") == number)

    def change(self, uri: str, text: str) -> None:
        """Until the diagnostics of the new text are there."""
        self.version += 1
        version = self.version
        document = {"uri": uri, "version": version}
        self.send("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        self.receive(lambda message: message.get("params", {}).get("version") == version)

    def cpu(self) -> float:
        """Milliseconds of processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICK * 1000


def agent(name: str) -> str:
    """An agent of 200 lines with what there usually is to say about one."""
    head = f"---\nname: {name}\ndescription: Reviews changes.\ntools: Read, grep, Bash(git diff:*), mcp__db__query, Tsk\nmodel: sonnet\n---\n"
    return head + "Read the diff first, and report what matters most.\n" * (LINES - head.count("\n"))


def measure(python: str, repeat: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        samples.write(folder, AGENTS)
        (folder / ".git").mkdir()
        path = folder / "project-0000/.claude/agents/agent-00000.md"
        text = agent("agent-00000")
        path.write_text(text, encoding="utf-8")
        client, uri = Client(python, folder), path.as_uri()
        client.ask("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}})
        client.send("initialized", {})
        document = {"uri": uri, "languageId": "markdown", "version": 0, "text": text}
        client.send("textDocument/didOpen", {"textDocument": document})
        client.receive(lambda message: message.get("method") == "textDocument/publishDiagnostics")
        client.receive(lambda message: message.get("method") == "textDocument/publishDiagnostics")  # all is read
        print(f"| start, and reading {AGENTS:,} agents | {client.cpu():.0f} ms | |")
        place = {"textDocument": {"uri": uri}, "position": {"line": 3, "character": 9}}
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": LINES, "character": 0}}
        steps: dict[str, Callable[[int], object]] = {
            "a change, answered with diagnostics": lambda at: client.change(uri, f"{text}{at}\n"),
            "completion of a tool": lambda _: client.ask("textDocument/completion", place),
            "hover over a tool": lambda _: client.ask("textDocument/hover", place),
            "code lens": lambda _: client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}}),
            "code actions for the whole file": lambda _: client.ask(
                "textDocument/codeAction",
                {"textDocument": {"uri": uri}, "range": everything, "context": {"diagnostics": []}},
            ),
        }
        for what, step in steps.items():
            step(0)
            before = client.cpu()
            for at in range(1, repeat + 1):
                step(at)
            target = f"≤ {TARGET} ms" if what.startswith("a change") else ""
            print(f"| {what} | {(client.cpu() - before) / repeat:.1f} ms | {target} |", flush=True)
        client.process.terminate()
        client.process.communicate()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--python", default=sys.executable, help="an interpreter that has fsagent-lint[server] installed"
    )
    parser.add_argument("--repeat", type=int, default=50, help="how often to do each; the mean counts")
    options = parser.parse_args()
    print("| what | CPU time | target |\n| --- | --- | --- |")
    measure(options.python, options.repeat)
