"""Claude Code: its requests to the model show everything."""

from __future__ import annotations

import json
from typing import ClassVar

from conformance.adapter import PROMPT, TASK, Adapter, Command
from conformance.probe import Call, Probe


class ClaudeCode(Adapter):
    id = "claude-code"
    package = "@anthropic-ai/claude-code"
    binary = "@anthropic-ai/claude-code-linux-{arch}/claude"
    # Its default when this was written. Older models have other tools, and a newer default may have others again.
    model = "claude-opus-5-5"
    unknown = r"(?:Agent type 'probe' not found|Unknown skill: probe)[^\n]*"
    refused = r"(?:Agent 'probe' would be spawned with zero tools|Agent type 'probe' has been denied|Skill probe cannot be used)[^\n<]*"
    paths: ClassVar = {
        "agent": ".claude/agents/probe.md",
        "subagent": ".claude/agents/probe.md",
        "skill": ".claude/skills/probe/SKILL.md",
        "loaded-skill": ".claude/skills/probe/SKILL.md",
        "command": ".claude/commands/probe.md",
    }

    def mcp_config(self, servers: dict[str, list[str]]) -> dict[str, str]:
        entries = {name: {"command": "python3", "args": args} for name, args in servers.items()}
        return {".mcp.json": json.dumps({"mcpServers": entries}, indent=2)}

    def home(self, probe: Probe, project: str) -> dict[str, str]:  # noqa: ARG002
        return {".claude.json": json.dumps({"projects": {project: {"hasTrustDialogAccepted": True}}})}

    def command(self, program: list[str], probe: Probe, url: str) -> Command:
        env = {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "none",
            "ANTHROPIC_MODEL": self.model,
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            # Wait for MCP servers before the first request.
            "MCP_CONNECTION_NONBLOCKING": "0",
            "MCP_CONNECT_TIMEOUT_MS": "120000",
            # Send every tool in the request, instead of a tool that finds the others.
            "ENABLE_TOOL_SEARCH": "false",
        }
        # A project's servers and the model's use of skills need the approval of a person, which these settings give.
        settings = {"enableAllProjectMcpServers": True, "permissions": {"allow": ["Skill"]}}
        match probe.role:
            case "agent":
                request = ["--agent", "probe", PROMPT]
            case "command" | "skill":
                request = ["/probe"]
            case _:
                request = [PROMPT]
        return Command([*program, "-p", "--settings", json.dumps(settings), *request], env)

    def delegation(self) -> Call:
        return Call("Agent", {"description": "probe", "prompt": TASK, "subagent_type": "probe"})

    def loading(self) -> Call:
        return Call("Skill", {"skill": "probe"})


ADAPTER = ClaudeCode()
