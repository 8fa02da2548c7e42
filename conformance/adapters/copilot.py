"""Copilot CLI: its requests to the model show everything."""

from __future__ import annotations

import json
from typing import ClassVar

from conformance.adapter import PROMPT, TASK, Adapter, Command
from conformance.probe import Call, Probe


class Copilot(Adapter):
    id = "copilot"
    package = "@github/copilot"
    binary = "@github/copilot-linux-{arch}/copilot"
    unpacks = ".cache/copilot/pkg"
    model = "claude-sonnet-4.5"
    # An agent that may not be delegated to is not told from one that is not there.
    unknown = r'(?:Unknown agent_type: probe|Skill "probe" not found)[^\n]*'
    paths: ClassVar = {
        "agent": ".github/agents/probe.agent.md",
        "subagent": ".github/agents/probe.agent.md",
        "loaded-skill": ".github/skills/probe/SKILL.md",
    }

    def mcp_config(self, servers: dict[str, list[str]]) -> dict[str, str]:
        entries = {
            name: {"type": "local", "command": "python3", "args": args, "tools": ["*"]}
            for name, args in servers.items()
        }
        return {".mcp.json": json.dumps({"mcpServers": entries}, indent=2)}

    def command(self, program: list[str], probe: Probe, url: str) -> Command:
        env = {
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_PROVIDER_BASE_URL": url,
            "COPILOT_PROVIDER_TYPE": "anthropic",
            "COPILOT_PROVIDER_API_KEY": "none",
            "COPILOT_MODEL": self.model,
        }
        trusted = ["--trust-folder"] if probe.servers or probe.calls else []
        approved = [] if probe.calls else ["--allow-all-tools"]
        chosen = ["--agent", "probe"] if probe.role == "agent" else []
        return Command([*program, "-p", PROMPT, *chosen, *trusted, *approved], env)

    def delegation(self) -> Call:
        return Call("task", {"name": "probe", "description": "probe", "prompt": TASK, "agent_type": "probe"})

    def loading(self) -> Call:
        return Call("skill", {"skill": "probe"})


ADAPTER = Copilot()
