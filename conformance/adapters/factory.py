"""Factory: its droids run by delegation, on a model of the user's own, and their requests show their tools."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import ClassVar

from conformance.adapter import PROMPT, TASK, Adapter, Command, Outcome
from conformance.probe import Call, Observation, Probe

_DEFERRED = re.compile(r"^Deferred tools:\n(.*?)\n</system-reminder>", re.MULTILINE | re.DOTALL)

# The address of the model is known only when it is started, and no option takes it.
_SETTINGS = 'mkdir "$HOME/.factory" && printf %s "$1" > "$HOME/.factory/settings.json" && shift && exec "$@"'


class Factory(Adapter):
    id = "factory"
    package = "@factory/cli-linux-x64"
    binary = "@factory/cli-linux-{arch}/bin/droid"
    model = "probe"
    unknown = r"Droid configuration not found for subagent: probe|Skill \"probe\" (?:not found|is disabled)"
    paths: ClassVar = {
        "subagent": ".factory/droids/probe.md",
        "loaded-skill": ".factory/skills/probe/SKILL.md",
        "command": ".factory/commands/probe.md",
    }

    def mcp_config(self, servers: dict[str, list[str]]) -> dict[str, str]:
        entries = {name: {"type": "stdio", "command": "python3", "args": args} for name, args in servers.items()}
        return {".factory/mcp.json": json.dumps({"mcpServers": entries}, indent=2)}

    def command(self, program: list[str], probe: Probe, url: str) -> Command:
        env = {
            "FACTORY_API_KEY": "fk-none",
            # Without an account. Then its own web tools, connectors and image generation are not there.
            "FACTORY_AIRGAP_ENABLED": "true",
            "FACTORY_DROID_AUTO_UPDATE_ENABLED": "false",
            "FACTORY_DISABLE_KEYRING": "true",
        }
        request = "/probe" if probe.role == "command" else PROMPT
        own = {"model": self.model, "displayName": "probe", "provider": "anthropic", "maxOutputTokens": 1000}
        settings = json.dumps({"customModels": [{**own, "baseUrl": url, "apiKey": "none"}]})
        run = [*program, "exec", "-m", "custom:probe-0", "--skip-permissions-unsafe", request]
        return Command(["sh", "-c", _SETTINGS, "sh", settings, *run], env)

    def delegation(self) -> Call:
        return Call("Task", {"description": "probe", "prompt": TASK, "subagent_type": "probe", "await": True})

    def loading(self) -> Call:
        return Call("Skill", {"skill": "probe"})

    def observe(self, probe: Probe, outcome: Outcome) -> Observation:
        seen = super().observe(probe, outcome)
        subject = self.subject(probe, outcome)
        found = _DEFERRED.search(subject.opening) if subject is not None else None
        # These are loaded when the model asks for them.
        return seen if found is None else replace(seen, tools=(*(seen.tools or ()), *found[1].splitlines()))


ADAPTER = Factory()
