"""The lab, as far as it can be tried without a harness: the model, the MCP server, one run, and what is said about it."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any
from urllib.request import Request as HttpRequest
from urllib.request import urlopen

import pytest

from conformance import __main__, mcp_server, sandbox
from conformance.adapter import PROMPT, Adapter, Command, ServedAdapter
from conformance.adapters import get_adapter, names
from conformance.compare import changes
from conformance.compare import lines as change_lines
from conformance.dialects import Request
from conformance.errors import LabError
from conformance.facts import lines, wrong_facts
from conformance.install import install
from conformance.journal import Journal
from conformance.observe import Asker, Starter, observe
from conformance.probe import PROBES, Call, Observation, Probe, as_data, as_observation, as_probe, probe_sets
from conformance.progress import Progress
from conformance.recording import Recorded, Recording, as_text, parse, recordings
from conformance.server import Server
from conformance.standin import StandIn, Step, serving
from conformance.words import grouped
from fsagent_lint.harnesses.tables import get_harness

SCHEMA: dict[str, Any] = {"type": "object", "properties": {}}
REQUESTS: dict[str, dict[str, Any]] = {
    "/v1/messages": {
        "system": [{"type": "text", "text": "Say ok."}],
        "messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "well"}],
        "tools": [{"name": "Bash", "input_schema": SCHEMA}],
    },
    "/v1/chat/completions": {
        "messages": [{"role": "system", "content": "Say ok."}, {"role": "user", "content": [{"text": "hi"}]}],
        "tools": [{"type": "function", "function": {"name": "Bash", "parameters": SCHEMA}}],
    },
    "/v1/responses": {
        "instructions": "Say ok.",
        "input": [{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}],
        "tools": [{"type": "function", "name": "Bash", "parameters": SCHEMA}],
    },
}


def ask(url: str, body: dict[str, Any]) -> str:
    with urlopen(HttpRequest(url, json.dumps(body).encode(), {"content-type": "application/json"})) as answer:
        text: str = answer.read().decode()
        return text


def anywhere(request: Request) -> bool:  # noqa: ARG001
    return True


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("path", REQUESTS)
def test_the_stand_in_makes_each_call_once_and_then_says_ok(path: str, stream: bool) -> None:
    with serving(StandIn([Step(Call("Bash", {"command": "ls"}), anywhere)])) as model:
        first = ask(model.url + path, {**REQUESTS[path], "model": "m", "stream": stream})
        second = ask(model.url + path, {**REQUESTS[path], "model": "m", "stream": stream})
    assert '"Bash"' in first and "ls" in first
    assert '"ok"' in second and "ls" not in second
    assert first.startswith(("event:", "data:")) == stream
    request, again = model.requests
    assert (request.system.strip(), request.opening, request.tools) == ("Say ok.", "hi", ("Bash",))
    assert request == again
    assert model.failure is None


def test_a_tool_that_is_not_offered_is_not_called() -> None:
    with serving(StandIn([Step(Call("Edit"), anywhere)])) as model:
        assert '"ok"' in ask(f"{model.url}/v1/messages", REQUESTS["/v1/messages"])


def test_what_goes_wrong_in_the_stand_in_is_no_answer_of_the_harness() -> None:
    with serving(StandIn()) as model, pytest.raises(OSError, match="400"):
        ask(f"{model.url}/v1/messages", {"messages": 3})
    assert model.failure is not None


def test_the_mcp_server_shakes_hands_lists_its_tools_and_runs_them(tmp_path: Path) -> None:
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "tools/call", "params": {"name": "Get Rows"}},
        {"id": 4, "method": "resources/list"},
    ]
    text = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
    command = [sys.executable, "-IS", mcp_server.__file__, "query", "Get Rows"]
    done = subprocess.run(command, input=text, cwd=tmp_path, capture_output=True, text=True, check=True)
    hello, listed, called, unknown = map(json.loads, done.stdout.splitlines())
    assert (hello["id"], hello["result"]["protocolVersion"]) == (1, "2025-03-26")
    assert [tool["name"] for tool in listed["result"]["tools"]] == ["query", "Get Rows"]
    assert called["result"]["content"]
    assert unknown["error"]["code"] == -32601
    assert (tmp_path / "ran").exists()
    assert len((tmp_path / "listed").read_text().splitlines()) == 1


# A harness of a few lines: it offers its model the tools that the agent's file names, and runs what it calls.
HARNESS = """
import json, pathlib, sys, urllib.request
url, prompt = sys.argv[1:]
text = pathlib.Path("agents/probe.md").read_text()
if "broken" in text:
    sys.exit("cannot read agents/probe.md")
tools = [{"name": line[2:]} for line in text.splitlines() if line.startswith("- ")]
body = json.dumps({"system": text, "messages": [{"role": "user", "content": prompt}], "tools": tools}).encode()
answer = json.load(urllib.request.urlopen(urllib.request.Request(url + "/v1/messages", body)))
if answer["stop_reason"] == "tool_use":
    pathlib.Path(answer["content"][0]["input"]["file"]).touch()
"""


class Small(Adapter):
    id = "claude-code"
    package = binary = ""
    paths = {"agent": "agents/probe.md"}  # noqa: RUF012

    def command(self, program: list[str], probe: Probe, url: str) -> Command:  # noqa: ARG002
        return Command([*program, url, PROMPT], {})


@pytest.mark.skipif(sys.platform == "win32", reason="harnesses are run on Linux")
@pytest.mark.parametrize(
    ("probe", "expected"),
    [
        (Probe("two", frontmatter="tools:\n- Read\n- Grep"), Observation(True, None, ("Read", "Grep"))),
        (Probe("none"), Observation(True, None, ())),
        (Probe("broken", frontmatter="broken"), Observation(False, "cannot read agents/probe.md")),
        (
            Probe("runs", frontmatter="tools:\n- Bash", calls=(Call("Bash", {"file": "ran"}),)),
            Observation(True, None, ("Bash",), True),
        ),
        (
            Probe("runs-not", frontmatter="tools:\n- Bash", calls=(Call("Bash", {"file": "other"}),)),
            Observation(True, None, ("Bash",), False),
        ),
    ],
    ids=lambda value: value.id if isinstance(value, Probe) else "",
)
def test_one_probe_from_the_file_to_what_was_seen(probe: Probe, expected: Observation, tmp_path: Path) -> None:
    assert observe(Small(), Starter(Small(), [sys.executable, "-c", HARNESS], tmp_path), probe) == expected


# The same as a server, which counts the projects that it was asked about.
SERVER = """
import http.server, json, os, pathlib, subprocess, sys
url, harness = sys.argv[1:]
class Handler(http.server.BaseHTTPRequestHandler):
    asked = 0
    def do_POST(self):
        project = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if "dies" in pathlib.Path(project, "agents/probe.md").read_text():
            os._exit(1)
        done = subprocess.run([sys.executable, "-c", harness, url, "Begin the probe."], cwd=project, capture_output=True)
        Handler.asked += 1
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps([Handler.asked, done.stderr.decode()]).encode())
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
"""


class Served(ServedAdapter):
    id = "opencode"
    package = binary = ""
    paths = {"agent": "agents/probe.md"}  # noqa: RUF012

    def __init__(self) -> None:
        self.asked: list[int] = []

    def command(self, program: list[str], probe: Probe, url: str) -> Command:  # noqa: ARG002
        return Command([*program, url, HARNESS], {})

    def put(self, probe: Probe, project: str, server: Server, model: StandIn) -> str:  # noqa: ARG002
        count, error = server.ask("POST", "/", {}, project).data
        self.asked.append(count)
        return str(error)


@pytest.mark.skipif(sys.platform == "win32", reason="harnesses are run on Linux")
def test_one_server_runs_many_probes_each_by_itself() -> None:
    served = Served()
    two, broken, runs, dies = (
        Probe(id, frontmatter=text)
        for id, text in (
            ("two", "tools:\n- Read\n- Grep"),
            ("broken", "broken"),
            ("runs", "tools:\n- Bash"),
            ("dies", "dies"),
        )
    )
    runs = replace(runs, calls=(Call("Bash", {"file": "ran"}),))
    with closing(Asker(served, [sys.executable, "-c", SERVER])) as asker:
        seen = [observe(served, asker, each) for each in (two, broken, runs, two)]
        with pytest.raises(LabError, match="did not answer"):
            observe(served, asker, dies)
        seen.append(observe(served, asker, two))
    read = Observation(True, None, ("Read", "Grep"))
    broke = Observation(False, "cannot read agents/probe.md")
    assert seen == [read, broke, Observation(True, None, ("Bash",), True), read, read]
    assert served.asked == [1, 2, 3, 4, 1]


@pytest.mark.skipif(sys.platform == "win32", reason="harnesses are run on Linux")
def test_a_server_that_does_not_start_is_no_observation() -> None:
    with (
        closing(Asker(Served(), [sys.executable, "-c", "raise SystemExit('no disk')"])) as asker,
        pytest.raises(LabError, match="did not start: no disk"),
    ):
        observe(Served(), asker, Probe("x"))


def test_a_probe_survives_being_written_down() -> None:
    probe = Probe("x", "subagent", "tools: Read", servers={"db": ("query",)}, calls=(Call("Bash", {"command": "ls"}),))
    seen = Observation(True, None, ("Read",), False)
    data = json.loads(json.dumps(as_data(probe, seen)))
    assert (as_probe(data), as_observation(data)) == (probe, seen)
    with pytest.raises(LabError, match="frontmater"):
        as_probe({"id": "x", "frontmater": ""})


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    probe, seen = Probe("x", frontmatter="tools: Read"), Observation(True, None, ("Read",))
    Journal(path).add(probe, seen)
    with path.open("a") as file:
        file.write(
            '{"key": "y',
        )
    assert Journal(path).get(probe) == seen
    assert Journal(path).get(replace(probe, frontmatter="tools: Edit")) is None


def test_a_run_that_went_on_later_is_as_old_as_its_oldest_part(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    old, new, seen = Probe("old"), Probe("new"), Observation(True, None, ())
    Journal(path).add(old, seen)
    path.write_text(path.read_text().replace(date.today().isoformat(), "2026-01-31"))
    journal = Journal(path)
    journal.add(new, seen)
    assert journal.day([new]) == date.today().isoformat()
    assert journal.day([old, new]) == Journal(path).day([new, old]) == "2026-01-31"


def test_who_waits_is_told_how_long_and_what_went_wrong() -> None:
    said: list[str] = []
    seconds = iter([0.0, 10.0, 20.0, 30.0, 600.0])
    progress = Progress(6, said.append, lambda: next(seconds))
    for probe in ("a", "b", "c", "d"):
        progress.step("" if probe == "a" else "no ripgrep", f"set/{probe}")
    assert said == [
        "set/b could not be observed: no ripgrep",
        "  2 of 6, about 40 s left",
        "  4 of 6, about 5 min left",
    ]
    assert list(grouped(progress.failed)) == ["no ripgrep (set/b, set/c, set/d)"]


def recording(*probes: tuple[Probe, Observation], version: str = "", day: str = "") -> dict[str, Recording]:
    return {
        "set": Recording(
            "claude-code", version or get_harness("claude-code").version, day, [Recorded(*each) for each in probes]
        )
    }


def test_a_change_is_told_in_words() -> None:
    before = recording(
        (Probe("same"), Observation(True, "one", ("Read",))),
        (Probe("tools"), Observation(True, None, ("Read", "Edit"))),
        (Probe("gone"), Observation(True, None, ())),
        (Probe("ran"), Observation(True, None, (), False)),
    )
    after = recording(
        (Probe("same"), Observation(True, "other", ("Read",))),
        (Probe("tools"), Observation(True, None, ("Edit", "Bash"))),
        (Probe("gone"), Observation(False, "no such agent\nmore", None)),
        (Probe("ran"), Observation(True, None, (), True)),
        (Probe("new"), Observation(True, None, ())),
    )
    assert list(change_lines(changes(before, after))) == [
        "also has Bash (set/tools)",
        "no longer has Read (set/tools)",
        "no longer loads: no such agent (set/gone)",
        "the call runs now (set/ran)",
    ]


def wrong(found: dict[str, Recording]) -> list[str]:
    inventory = ("is in the table, but no agent had it",)
    return [line for line in lines(wrong_facts(get_adapter("claude-code"), found)) if not line.endswith(inventory)]


@pytest.mark.parametrize(
    ("probe", "seen", "said"),
    [
        (Probe("a", frontmatter="tools: Read"), Observation(True, None, ("Read",)), []),
        (
            Probe("a", frontmatter="tools: Read"),
            Observation(True, None, ("Read", "Edit")),
            ["tools.Edit: is given where the table says it is not (a)"],
        ),
        (
            Probe("a", "subagent", "tools: Read"),
            Observation(True, None, ()),
            ["tools.Read: is not given in a subagent where the table says it is (a)"],
        ),
        (
            Probe("a", frontmatter="color: red"),
            Observation(False, "bad colour"),
            ["kinds.agent.fields.color: the harness refuses the file: bad colour (a)"],
        ),
        (
            Probe("a", document="---\nname: probe\n---\nSay ok.\n"),
            Observation(True, None, ()),
            ["kinds.agent.fields.description: the harness loads the file, and the table says not"],
        ),
        (
            Probe("a", "command", "allowed-tools: Bash", calls=(Call("Bash", {"command": "ls"}),)),
            Observation(True, None, ("Bash",), False),
            ["kinds.command.keys.allowed-tools: does not approve the call (a)"],
        ),
        (
            Probe("a", frontmatter="tools: Frobnicate"),
            Observation(True, None, ("Frobnicate",)),
            ["tools.Frobnicate: is not in the table, but agents have it (a)", "tools.Frobnicate: is given where"],
        ),
    ],
)
def test_a_wrong_fact_is_named_by_its_place_in_the_table(probe: Probe, seen: Observation, said: list[str]) -> None:
    found = wrong(recording((probe, seen)))
    assert len(found) == len(said)
    assert all(line.startswith(start) for line, start in zip(found, said, strict=True))


def test_a_table_that_is_older_than_the_recordings_is_a_wrong_fact() -> None:
    found = wrong(recording(version="999.0", day="2999-01-01"))
    assert [line.partition(":")[0] for line in found] == ["version", "verified"]


@pytest.mark.parametrize("file", [path.stem for path in sorted(PROBES.glob("*.toml"))])
def test_every_probe_is_recorded(file: str) -> None:
    name, harness = file.split(".")
    assert harness in names()
    assert [probe for probe, _ in recordings(harness)[name].probes] == probe_sets(harness)[name]
    assert {probe.role for probe in probe_sets(harness)[name]} <= get_adapter(harness).paths.keys()


def test_recordings_are_kept_one_probe_a_line() -> None:
    one = recording((Probe("a", frontmatter="tools: Read"), Observation(True, None, ("Read",))))["set"]
    text = as_text(one)
    assert parse(text) == one
    assert len(text.splitlines()) == 3


@pytest.mark.parametrize(
    "arguments", [["record", "opencode"], ["renew", "opencode"], ["install", "opencode"], ["record", "nobody"]]
)
def test_what_is_missing_is_said_in_a_sentence(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CONFORMANCE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["conformance", *arguments])
    with pytest.raises(SystemExit) as stop:
        __main__.main()
    assert stop.value.code == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_nothing_is_run_without_a_sandbox_or_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LabError, match=r"unshare|Linux"):
        sandbox.require()
    with pytest.raises(LabError, match=r"npm|Linux"):
        install(get_adapter("opencode"), tmp_path, "latest")
