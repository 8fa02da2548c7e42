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
    config: ClassVar = ".opencode/opencode.json"
    prefix: ClassVar = "OPENCODE"
    """The prefix of its environment variables."""
    provider: ClassVar = "opencode"
    """Its own provider: the default for an agent without a model, and the condition for websearch."""

    def home(self, probe: Probe, project: str) -> dict[str, str]:  # noqa: ARG002
        catalogue = {self.provider: {"id": self.provider, "name": self.provider, "env": [], "models": MODELS}}
        return {
            # Replaces the built-in catalogue of some thousand models, which would take a third of the time to read.
            f".cache/{self.id}/models.json": json.dumps(catalogue),
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
        model = f"{self.provider}/{MODEL}"
        config = {"model": model, "small_model": model, "snapshot": False}
        env[f"{self.prefix}_CONFIG_CONTENT"] = json.dumps({**config, "provider": self._providers(url)})
        return Command([*program, "serve", "--print-logs", "--log-level", "ERROR"], env)

    def _providers(self, url: str) -> dict[str, Any]:
        options = {"baseURL": f"{url}/v1", "apiKey": "none"}
        return {self.provider: {"npm": "@ai-sdk/openai-compatible", "options": options, "models": MODELS}}

    def put(self, probe: Probe, project: str, server: Server) -> str:
        if probe.role == "loaded-skill" and shutil.which("rg", path=sandbox.PATH) is None:
            raise LabError("OpenCode loads skills with ripgrep, which it would fetch: install it")
        place = {f"x-{self.id}-directory": project}
        session = server.ask("POST", "/session", place, {"title": "probe"})
        if session.status != 200:
            return _words(session, server)
        self._offer_model(server, place)
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
        server.ask("POST", "/instance/dispose", place)
        return _words(answer, server)

    def _offer_model(self, server: Server, place: dict[str, str]) -> None:
        """Have the model that the file names, and which the tools may depend on, answered by the same stand-in."""
        agents = server.ask("GET", "/agent", place)
        named = next((each.get("model") for each in _list(agents) if each["name"] == "probe"), None)
        if named is None or (named["providerID"], named["modelID"]) == (self.provider, MODEL):
            return
        known = server.ask("GET", "/config", place).data["provider"][self.provider]
        provider = {**known, "models": {named["modelID"]: {**MODELS[MODEL], "id": named["modelID"]}}}
        server.ask("PATCH", "/global/config", {}, {"provider": {named["providerID"]: provider}})

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
    if answer.status == 200:
        return ""
    data = answer.data.get("data") or {}
    if found := re.search(rf'ref={data["ref"]} error="(.*)"', server.output) if "ref" in data else None:
        return found[1]
    issues = [f"{each['message']} {'.'.join(map(str, each['path']))}" for each in data.get("issues") or ()]
    return "\n".join(filter(None, [answer.data["name"], data.get("path"), data.get("message"), *issues]))


ADAPTER = OpenCode()
