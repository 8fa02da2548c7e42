"""OpenCode: a server runs every probe in its own project, and its requests to the model show everything."""

from __future__ import annotations

import json
import re
import shutil
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ClassVar

from conformance import sandbox
from conformance.adapter import PROMPT, TASK, Command, ServedAdapter
from conformance.errors import LabError
from conformance.probe import Call, Probe
from conformance.server import Answer, Server
from conformance.standin import StandIn

MODEL = "probe"
MODELS = {
    MODEL: {
        "id": MODEL,
        "name": MODEL,
        "release_date": "2025-01-01",
        "attachment": False,
        "reasoning": False,
        "temperature": True,
        "tool_call": True,
        "cost": {"input": 0, "output": 0},
        "limit": {"context": 100000, "output": 1000},
    }
}
NPM = "@ai-sdk/openai-compatible"
STAND_IN = {"npm": NPM, "options": {"baseURL": "{env:STAND_IN}", "apiKey": "none"}}
"""A provider that is the stand-in model."""
INTERVAL = 0.1
"""Seconds between two looks at what a person would be asked."""


class OpenCode(ServedAdapter):
    id = "opencode"
    package = "opencode-ai"
    binary = "opencode-linux-{arch}/bin/opencode"
    never_offered: ClassVar = frozenset(("invalid",))
    paths: ClassVar = {
        "agent": ".opencode/agents/probe.md",
        "subagent": ".opencode/agents/probe.md",
        "loaded-skill": ".opencode/skills/probe/SKILL.md",
        "command": ".opencode/commands/probe.md",
    }
    model = MODEL
    unknown = r'Unknown agent type: probe[^\n]*|Skill "probe" not found[^\n]*'
    config: ClassVar = ".opencode/opencode.json"
    prefix: ClassVar = "OPENCODE"
    """The prefix of its environment variables."""
    provider: ClassVar = "opencode"
    """Its own provider: the default for an agent without a model, and the condition for websearch."""

    settings: ClassVar[dict[str, Any]] = {"snapshot": False}
    """What holds in every project, over its own config."""

    def home(self, probe: Probe, project: str) -> dict[str, str]:  # noqa: ARG002
        own = {
            "id": self.provider,
            "name": self.provider,
            "env": [],
            "npm": NPM,
            "api": "${STAND_IN}",
            "models": MODELS,
        }
        return {
            # Replaces the built-in catalogue of some thousand models, which would take a third of the time to read.
            f".cache/{self.id}/models.json": json.dumps({self.provider: own}),
            # A project's own tools make it fetch a package from npm; it is offline, so retries would only take time.
            ".npmrc": "fetch-retries=0\n",
        }

    def mcp_config(self, servers: dict[str, list[str]]) -> dict[str, str]:
        entries = {name: {"type": "local", "command": ["python3", *args]} for name, args in servers.items()}
        return {self.config: json.dumps({"mcp": entries}, indent=2)}

    def command(self, program: list[str], probe: Probe, url: str) -> Command:  # noqa: ARG002
        off = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
        env = {f"{self.prefix}_DISABLE_{what}": "1" for what in off}
        env[f"{self.prefix}_EXPERIMENTAL_DISABLE_FILEWATCHER"] = "1"
        env[f"{self.prefix}_CONFIG_CONTENT"] = json.dumps(self.settings)
        env["STAND_IN"] = f"{url}/v1"
        return Command([*program, "serve", "--print-logs", "--log-level", "ERROR"], env)

    def put(self, probe: Probe, project: str, server: Server, model: StandIn) -> str:  # noqa: ARG002
        if probe.role == "loaded-skill" and shutil.which("rg", path=sandbox.PATH) is None:
            raise LabError("OpenCode loads skills with ripgrep, which it would fetch: install it")
        place = {f"x-{self.id}-directory": project}
        session = server.ask("POST", "/session", place, {"title": "probe"})
        if session.status != 200:
            return _words(session, server)
        has_models = self._offer_models(server, place)
        path = f"/session/{session.data['id']}/"
        match probe.role:
            case "agent":
                path, body = f"{path}message", {"agent": "probe", **_text(PROMPT)}
            case "command":
                path, body = f"{path}command", {"command": "probe", "arguments": PROMPT}
            case _:
                path, body = f"{path}message", _text(PROMPT)
        with ThreadPoolExecutor(1) as pool:
            answer = self._refusing(pool.submit(server.ask, "POST", path, place, body), server, place)
        words = self._missing(probe, server, place) or _words(answer, server) if answer.status != 200 else ""
        server.ask("POST", "/instance/dispose", place)
        if has_models:
            server.close()  # the models are there for every project
        return words

    def _missing(self, probe: Probe, server: Server, place: dict[str, str]) -> str:
        """The server has no words for an agent that is not there, but lists those that are."""
        agents = server.ask("GET", "/agent", place)
        there = [each["name"] for each in _list(agents)]
        is_there = probe.role != "agent" or agents.status != 200 or "probe" in there
        return "" if is_there else f"Agent probe not found; there are: {', '.join(there)}"

    def _offer_models(self, server: Server, place: dict[str, str]) -> bool:
        """Have the models that the project names, and which its tools may depend on, answered by the same stand-in."""
        config = server.ask("GET", "/config", place).data
        agents = [each["model"] for each in _list(server.ask("GET", "/agent", place)) if "model" in each]
        named = {(each["providerID"], each["modelID"]) for each in agents}
        named |= {(*config["model"].split("/", 1), "")[:2]} if "model" in config else set()
        added = dict.fromkeys({*config.get("provider", ())} - {self.provider}, STAND_IN)
        for provider, model in named - {(self.provider, MODEL)}:
            added[provider] = {**STAND_IN, "models": {model: {**MODELS[MODEL], "id": model}}}
        if added:
            server.ask("PATCH", "/global/config", {}, {"provider": added})
        return bool(added)

    def _refusing(self, asked: Future[Answer], server: Server, place: dict[str, str]) -> Answer:
        """The answer, with every question to a person refused: nobody is there."""
        while not asked.done():
            for each in _list(server.ask("GET", "/permission", place)):
                server.ask("POST", f"/permission/{each['id']}/reply", place, {"reply": "reject"})
            time.sleep(INTERVAL)
        return asked.result()

    def delegation(self) -> Call:
        return Call("task", {"description": "probe", "prompt": TASK, "subagent_type": "probe"})

    def loading(self) -> Call:
        return Call("skill", {"name": "probe"})


def _text(text: str) -> dict[str, Any]:
    return {"parts": [{"type": "text", "text": text}]}


def _list(answer: Answer) -> list[dict[str, Any]]:
    return answer.data if answer.status == 200 else []


def _words(answer: Answer, server: Server) -> str:
    """An error of the server: its name, the file, and what is wrong there. Unexpected ones stand in its log alone."""
    data = answer.data.get("data") or {}
    if found := re.search(rf'ref={data["ref"]} error="(.*?)" cause=', server.output) if "ref" in data else None:
        return found[1]
    issues = [f"{each['message']} {'.'.join(map(str, each['path']))}" for each in data.get("issues") or ()]
    return "\n".join(filter(None, [answer.data["name"], data.get("path"), data.get("message"), *issues]))


ADAPTER = OpenCode()
