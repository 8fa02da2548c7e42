"""Qwen Code: agents run by delegation, and their requests to the model show their tools."""

from __future__ import annotations

import json
from typing import ClassVar

from conformance.adapter import PROMPT, TASK, Adapter, Command
from conformance.probe import Call, Probe


class Qwen(Adapter):
    id = "qwen"
    package = "@qwen-code/qwen-code"
    binary = "@qwen-code/qwen-code/cli.js"
    model = "probe"
    unknown = r'(?:Subagent|Skill) "probe" not found[^\n]*|(?<=<result>)Error: Missing context values[^<]*'
    paths: ClassVar = {
        "subagent": ".qwen/agents/probe.md",
        "skill": ".qwen/skills/probe/SKILL.md",
        "loaded-skill": ".qwen/skills/probe/SKILL.md",
        "command": ".qwen/commands/probe.md",
    }

    def mcp_config(self, servers: dict[str, list[str]]) -> dict[str, str]:
        entries = {name: {"command": "python3", "args": args, "trust": True} for name, args in servers.items()}
        return {".qwen/settings.json": json.dumps({"mcpServers": entries}, indent=2)}

    def command(self, program: list[str], probe: Probe, url: str) -> Command:
        env = {
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": f"{url}/v1",
            "OPENAI_MODEL": self.model,
            "QWEN_CODE_NO_RELAUNCH": "true",
            "QWEN_CODE_SUPPRESS_YOLO_WARNING": "1",
        }
        approved = ["--approval-mode", "yolo"]
        if probe.calls:
            # A shell that always needs approval would not be offered at all.
            approved = ["--approval-mode", "default", "--allowed-tools", "skill", "run_shell_command(echo)"]
        request = "/probe" if probe.role in ("skill", "command") else PROMPT
        return Command([*program, "--auth-type", "openai", *approved, "-p", request], env)

    def delegation(self) -> Call:
        return Call("agent", {"description": "probe", "prompt": TASK, "subagent_type": "probe"})

    def loading(self) -> Call:
        return Call("skill", {"skill": "probe"})


ADAPTER = Qwen()
