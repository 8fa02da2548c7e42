"""Qwen Code: agents are delegated to, and seen in what is asked for them."""

from __future__ import annotations

import json
from typing import ClassVar

from conformance.adapter import PROMPT, TASK, Adapter, Command
from conformance.probe import Call, Probe


class Qwen(Adapter):
    id = "qwen"
    package = "@qwen-code/qwen-code"
    binary = "@qwen-code/qwen-code/cli.js"
    node = "22"
    paths: ClassVar = {"subagent": ".qwen/agents/probe.md"}

    def mcp_config(self, servers: dict[str, list[str]]) -> dict[str, str]:
        entries = {name: {"command": "python3", "args": args, "trust": True} for name, args in servers.items()}
        return {".qwen/settings.json": json.dumps({"mcpServers": entries}, indent=2)}

    def command(self, program: list[str], probe: Probe, url: str) -> Command:  # noqa: ARG002
        env = {
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": f"{url}/v1",
            "OPENAI_MODEL": "probe",
            "QWEN_CODE_NO_RELAUNCH": "true",
            "QWEN_CODE_SUPPRESS_YOLO_WARNING": "1",
        }
        return Command([*program, "--auth-type", "openai", "--approval-mode", "yolo", "-p", PROMPT], env)

    def delegation(self) -> Call:
        return Call("agent", {"description": "probe", "prompt": TASK, "subagent_type": "probe"})


ADAPTER = Qwen()
