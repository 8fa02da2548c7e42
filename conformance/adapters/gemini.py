"""Gemini CLI: agents run by delegation, and their requests to the model show their tools."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from typing import ClassVar

from conformance.adapter import PROMPT, TASK, Adapter, Command, Outcome
from conformance.probe import Call, Observation, Probe
from conformance.standin import Step

_REASON = re.compile(r"Failed to load agent from \S+: (.*?)(?=\nRipgrep is not available|\Z)", re.DOTALL)


class Gemini(Adapter):
    id = "gemini"
    package = "@google/gemini-cli"
    binary = "@google/gemini-cli/bundle/gemini.js"
    model = "gemini-2.5-flash"
    unknown = r"Subagent 'probe' (?:not found|failed)[^\n]*|params/name must be equal to one of the allowed values"
    paths: ClassVar = {
        "subagent": ".gemini/agents/probe.md",
        "loaded-skill": ".gemini/skills/probe/SKILL.md",
    }

    def home(self, probe: Probe, project: str) -> dict[str, str]:
        # A project's agents do not run until a person has approved exactly this text.
        approved = {project: {"probe": hashlib.sha256(probe.text.encode()).hexdigest()}}
        settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"disableAutoUpdate": True}}
        return {
            ".gemini/acknowledgments/agents.json": json.dumps(approved),
            ".gemini/settings.json": json.dumps(settings),
        }

    def mcp_config(self, servers: dict[str, list[str]]) -> dict[str, str]:
        entries = {name: {"command": "python3", "args": args, "trust": True} for name, args in servers.items()}
        return {".gemini/settings.json": json.dumps({"mcpServers": entries}, indent=2)}

    def command(self, program: list[str], probe: Probe, url: str) -> Command:  # noqa: ARG002
        env = {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": url,
            "GEMINI_TELEMETRY_ENABLED": "false",
            "GEMINI_CLI_NO_RELAUNCH": "true",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }
        return Command([*program, "-m", self.model, "--approval-mode", "yolo", "-p", PROMPT], env)

    def delegation(self) -> Call:
        return Call("invoke_agent", {"agent_name": "probe", "prompt": TASK})

    def loading(self) -> Call:
        return Call("activate_skill", {"name": "probe"})

    def steps(self, probe: Probe) -> tuple[Step, ...]:
        # A subagent goes on until it makes this call.
        done = Step(Call("complete_task", {"result": "ok"}), lambda request: TASK in request.opening)
        return (*super().steps(probe), done)

    def not_started(self, probe: Probe, outcome: Outcome) -> Observation:
        seen = super().not_started(probe, outcome)
        reason = _REASON.search(outcome.output)
        return replace(seen, error=reason[1]) if reason else seen


ADAPTER = Gemini()
