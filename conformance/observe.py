"""Runs in the sandbox: creates the project of one probe, starts the harness, and prints what it did."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from conformance import mcp_server, sandbox
from conformance.adapter import MCP_SERVER, Adapter, Command, Outcome, without_noise
from conformance.adapters import get_adapter
from conformance.errors import LabError
from conformance.probe import Observation, Probe, as_probe
from conformance.standin import StandIn, serving

TIMEOUT = 300.0


def observe(adapter: Adapter, program: list[str], unpacked: Path, probe: Probe) -> Observation:
    place = Path(tempfile.mkdtemp(prefix="conformance-"))
    project, home = place / "project", place / "home"
    (place / "tmp").mkdir()
    try:
        home.mkdir()
        if adapter.unpacks:
            (home / adapter.unpacks).parent.mkdir(parents=True)
            (home / adapter.unpacks).symlink_to(unpacked)
        write_files(project, adapter.project(probe))
        write_files(home, adapter.home(probe, str(project)))
        subprocess.run(["git", "init", "--quiet", str(project)], check=True, env={"PATH": os.defpath})
        if probe.servers:
            shutil.copy(mcp_server.__file__, project / MCP_SERVER)
        with serving(StandIn(adapter.steps(probe))) as model:
            stdout, output = start(adapter.command(program, probe, model.url), project, home)
        if model.failure is not None:
            raise LabError(f"the stand-in model failed: {model.failure!r}")
        if probe.servers and model.asked and not listed_in_time(project, len(probe.servers), model.asked):
            raise LabError("the model was asked before every MCP server had said what it offers")
        asked = {each.model for each in model.requests}
        if adapter.model and asked and adapter.model not in asked and "model" not in probe.text:
            raise LabError(
                f"it asked {', '.join(asked)} in place of {adapter.model}, and tools may depend on the model"
            )
        message = without_noise(output, project, home)
        outcome = Outcome(message, stdout, model.requests, model.called, (project / "ran").exists())
        return adapter.observe(probe, outcome)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def observe_batch(adapter: Adapter, program: list[str], probes: Sequence[Probe]) -> Iterator[Observation | LabError]:
    """One start of the harness for several probes, each in a project of its own."""
    place = Path(tempfile.mkdtemp(prefix="conformance-"))
    home = place / "home"
    try:
        home.mkdir()
        (place / "tmp").mkdir()
        with serving(StandIn()) as model, adapter.running(program, home, model) as harness:
            for number, probe in enumerate(probes):
                project = place / f"project{number}"
                write_files(project, adapter.project(probe))
                subprocess.run(["git", "init", "--quiet", str(project)], check=True, env={"PATH": os.defpath})
                model.begin(adapter.steps(probe))
                try:
                    output = harness(probe, project)
                    if model.failure is not None:
                        raise LabError(f"the stand-in model failed: {model.failure!r}")
                    ran = (project / "ran").exists()
                    yield adapter.observe(probe, Outcome(output, output, model.requests, model.called, ran))
                except LabError as error:
                    yield error
                finally:
                    for path in adapter.project(probe):
                        (project / path).unlink(missing_ok=True)
    finally:
        shutil.rmtree(place, ignore_errors=True)


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


def start(command: Command, project: Path, home: Path) -> tuple[str, str]:
    """Standard output, and all output together."""
    process = subprocess.Popen(
        command.argv,
        cwd=project,
        env=sandbox.environment(str(home), {"TMPDIR": str(home.parent / "tmp"), **command.env}),
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
    text = stdout.decode("utf-8", "replace")
    return text, text + stderr.decode("utf-8", "replace")


def main() -> None:
    job: dict[str, Any] = json.load(sys.stdin)
    adapter, program = get_adapter(job["harness"]), job["program"]
    probes = [as_probe(each) for each in job["probes"]]
    try:
        sandbox.enter()
        if adapter.batch > 1:
            found: Iterable[Observation | LabError] = observe_batch(adapter, program, probes)
        else:
            found = (observe(adapter, program, Path(job["unpacked"]), probe) for probe in probes)
        for seen in found:
            if isinstance(seen, LabError):
                print(json.dumps({"failed": str(seen)}), flush=True)
            else:
                print(json.dumps(asdict(replace(seen, error=seen.error or None))), flush=True)
    except LabError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
