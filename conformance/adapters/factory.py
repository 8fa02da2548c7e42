"""Factory: its droids run by delegation, on a model of the user's own, and their requests show their tools."""

from __future__ import annotations

import json
from typing import ClassVar

from conformance.adapter import PROMPT, TASK, Adapter, Command
from conformance.probe import Call, Probe


class Factory(Adapter):
    id = "factory"
    package = "@factory/cli-linux-x64"
    binary = "@factory/cli-linux-{arch}/bin/droid"
    model = "probe"
    paths: ClassVar = {
        "subagent": ".factory/droids/probe.md",
        "loaded-skill": ".factory/skills/probe/SKILL.md",
    }

    def command(self, program: list[str], probe: Probe, url: str) -> Command:  # noqa: ARG002
        own = {"model": self.model, "displayName": "probe", "baseUrl": url, "apiKey": "none", "provider": "anthropic"}
        settings = {"customModels": [{**own, "maxOutputTokens": 1000}]}
        start = ["sh", "-c", 'mkdir -p "$HOME/.factory"; printf %s "$1" > "$HOME/.factory/settings.json"; shift; exec "$@"', "sh", json.dumps(settings)]
        return Command(
            [*start, *program, "exec", "-m", "custom:probe-0", "--skip-permissions-unsafe", PROMPT],
            {"FACTORY_API_KEY": "fk-none"},
        )

    def delegation(self) -> Call:
        return Call("Task", {"description": "probe", "prompt": TASK, "subagent_type": "probe", "await": True})

    def loading(self) -> Call:
        return Call("Skill", {"skill": "probe"})


ADAPTER = Factory()
