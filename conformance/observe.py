"""Runs in the sandbox: creates the project of each probe, has the harness run it, and prints what it did."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Protocol

from conformance import mcp_server, sandbox
from conformance.adapter import MCP_SERVER, Adapter, Command, Outcome, ServedAdapter, without_noise
from conformance.adapters import get_adapter
from conformance.errors import LabError
from conformance.probe import Observation, Probe, as_probe
from conformance.server import Server
from conformance.standin import StandIn, serving

TIMEOUT = 300.0
ERROR = 400
"""How many characters of what a harness said are kept."""
PROBES_PER_SERVER = 60
"""A server keeps something of every project in memory."""


class Runner(Protocol):
    """Runs a harness in the projects of probes."""

    def run(self, probe: Probe, place: Path) -> tuple[str, StandIn]:
        """Run a probe, whose files lie in `project` below `place`: the output, and the model with what it was asked."""

    def close(self) -> None:
        """Stop what still runs."""


class Starter:
    """A process for each probe."""

    def __init__(self, adapter: Adapter, program: list[str], unpacked: Path) -> None:
        self._adapter, self._program, self._unpacked = adapter, program, unpacked

    def run(self, probe: Probe, place: Path) -> tuple[str, StandIn]:
        adapter, project, home = self._adapter, place / "project", place / "home"
        home.mkdir()
        if adapter.unpacks:
            (home / adapter.unpacks).parent.mkdir(parents=True)
            (home / adapter.unpacks).symlink_to(self._unpacked)
        write_files(home, adapter.home(probe, str(project)))
        with serving(StandIn(adapter.steps(probe))) as model:
            return start(adapter.command(self._program, probe, model.url), project, place), model

    def close(self) -> None:
        """Nothing is left running."""


class Asker:
    """A server for many probes, with one home."""

    def __init__(self, adapter: ServedAdapter, program: list[str]) -> None:
        self._adapter, self._program = adapter, program
        self._place = Path(tempfile.mkdtemp(prefix="conformance-server-"))
        self._serving = serving(StandIn())
        self._model = self._serving.__enter__()
        self._server: Server | None = None
        self._asked = 0

    def run(self, probe: Probe, place: Path) -> tuple[str, StandIn]:
        server = self._running()
        self._model.begin(self._adapter.steps(probe))
        return self._adapter.put(probe, str(place / "project"), server, self._model), self._model

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
        self._serving.__exit__(None, None, None)
        shutil.rmtree(self._place, ignore_errors=True)

    def _running(self) -> Server:
        if self._server is None or not self._server.runs or self._asked == PROBES_PER_SERVER:
            self._server, self._asked = self._started(), 0
        self._asked += 1
        return self._server

    def _started(self) -> Server:
        if self._server is not None:
            self._server.close()
        shutil.rmtree(self._place)
        home = self._place / "home"
        write_files(home, self._adapter.home(Probe(""), ""))
        command = self._adapter.command(self._program, Probe(""), self._model.url)
        return self._adapter.server(command.argv, environment(command, self._place), self._place)


def runner(adapter: Adapter, program: list[str], unpacked: Path) -> Runner:
    if isinstance(adapter, ServedAdapter):
        return Asker(adapter, program)
    return Starter(adapter, program, unpacked)


@contextmanager
def laid_out(adapter: Adapter, probe: Probe) -> Iterator[Path]:
    """A folder with the project of a probe."""
    place = Path(tempfile.mkdtemp(prefix="conformance-"))
    project = place / "project"
    try:
        write_files(project, adapter.project(probe))
        subprocess.run(["git", "init", "--quiet", str(project)], check=True, env={"PATH": os.defpath})
        if probe.servers:
            shutil.copy(mcp_server.__file__, project / MCP_SERVER)
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def observe(adapter: Adapter, runner: Runner, probe: Probe) -> Observation:
    with laid_out(adapter, probe) as place:
        project = place / "project"
        output, model = runner.run(probe, place)
        if model.failure is not None:
            raise LabError(f"the stand-in model failed: {model.failure!r}")
        if probe.servers and model.asked and not listed_in_time(project, len(probe.servers), model.asked):
            raise LabError("the model was asked before every MCP server had said what it offers")
        asked = {each.model for each in model.requests}
        names_one = any("model" in text for text in adapter.project(probe).values())
        if adapter.model and asked and adapter.model not in asked and not names_one:
            raise LabError(
                f"it asked {', '.join(asked)} in place of {adapter.model}, and tools may depend on the model"
            )
        message = without_noise(output, project, place / "home")
        return adapter.observe(probe, Outcome(message, model.requests, model.called, (project / "ran").exists()))


def listed_in_time(project: Path, servers: int, asked: float) -> bool:
    """Had this many MCP servers listed their tools by then?"""
    listed = project / "listed"
    lines = [line.split() for line in listed.read_text().splitlines()] if listed.exists() else []
    return len({process for process, when in lines if float(when) < asked}) >= servers


def write_files(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def environment(command: Command, place: Path) -> dict[str, str]:
    (place / "tmp").mkdir(parents=True, exist_ok=True)
    return sandbox.environment(str(place / "home"), {"TMPDIR": str(place / "tmp"), **command.env})


def start(command: Command, project: Path, place: Path) -> str:
    """The output."""
    process = subprocess.Popen(
        command.argv,
        cwd=project,
        env=environment(command, place),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        stdout, stderr = process.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise LabError(f"no answer in {TIMEOUT:.0f} s") from None
    return (stdout + stderr).decode("utf-8", "replace")


def main() -> None:
    """The first line says which harness, and each other one is a probe; each has a line for an answer."""
    setup: dict[str, Any] = json.loads(sys.stdin.readline())
    try:
        sandbox.enter()
        adapter = get_adapter(setup["harness"])
        with closing(runner(adapter, setup["program"], Path(setup["unpacked"]))) as own:
            for line in sys.stdin:
                print(json.dumps(_answer(adapter, own, as_probe(json.loads(line)))), flush=True)
    except LabError as error:
        sys.exit(str(error))


def _answer(adapter: Adapter, runner: Runner, probe: Probe) -> dict[str, Any]:
    try:
        seen = observe(adapter, runner, probe)
    except LabError as error:
        return {"failed": str(error)}
    return {"seen": asdict(replace(seen, error=(seen.error or "").strip()[:ERROR] or None))}


if __name__ == "__main__":
    main()
