"""OpenCode prints an agent's tools; its requests to the model show those of MCP servers and of subagents."""

from __future__ import annotations

import json
import shutil
from typing import ClassVar

from conformance import sandbox
from conformance.adapter import PROMPT, TASK, Adapter, Command, Outcome
from conformance.errors import LabError
from conformance.probe import Call, Observation, Probe

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


class OpenCode(Adapter):
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

    def command(self, program: list[str], probe: Probe, url: str) -> Command:
        off = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
        env = {f"{self.prefix}_DISABLE_{what}": "1" for what in off}
        env[f"{self.prefix}_EXPERIMENTAL_DISABLE_FILEWATCHER"] = "1"
        if _is_printed(probe):
            return Command([*program, "debug", "agent", "probe"], env)
        if probe.role == "loaded-skill" and shutil.which("rg", path=sandbox.PATH) is None:
            raise LabError("OpenCode loads skills with ripgrep, which it would fetch: install it")
        options = {"baseURL": f"{url}/v1", "apiKey": "none"}
        provider = {"npm": "@ai-sdk/openai-compatible", "options": options, "models": MODELS}
        model = f"{self.provider}/{MODEL}"
        config = {"provider": {self.provider: provider}, "model": model, "small_model": model}
        env[f"{self.prefix}_CONFIG_CONTENT"] = json.dumps(config)
        match probe.role:
            case "agent":
                request = ["--agent", "probe", PROMPT]
            case "command":
                request = ["--command", "probe", PROMPT]
            case _:
                request = [PROMPT]
        return Command([*program, "run", "--title", "probe", *request], env)

    def delegation(self) -> Call:
        return Call("task", {"description": "probe", "prompt": TASK, "subagent_type": "probe"})

    def loading(self) -> Call:
        return Call("skill", {"name": "probe"})

    def observe(self, probe: Probe, outcome: Outcome) -> Observation:
        if not _is_printed(probe):
            return super().observe(probe, outcome)
        try:
            tools = json.loads(outcome.stdout)["tools"]
        except (ValueError, KeyError):
            return Observation(False, outcome.output)
        return Observation(True, None, tuple(name for name, on in tools.items() if on))


def _is_printed(probe: Probe) -> bool:
    """Does `opencode debug agent` print everything that the probe needs?"""
    return probe.role == "agent" and not probe.servers and not probe.calls


ADAPTER = OpenCode()
