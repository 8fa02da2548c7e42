"""Codex: its agents are roles, in which a running agent starts others; their requests show their tools."""

from __future__ import annotations

import json
import re
from typing import ClassVar

from conformance.adapter import PROMPT, TASK, Adapter, Command, Outcome
from conformance.probe import Call, Observation, Probe
from conformance.standin import Step

_IGNORED = re.compile(r'Ignoring malformed agent role definition: [^"]*?/\.codex/((?:[^"\\]|\\[^n])*)')


class Codex(Adapter):
    id = "codex"
    package = "@openai/codex"
    binary = "@openai/codex-linux-{arch}/vendor/x86_64-unknown-linux-musl/bin/codex"
    model = "gpt-6.1-sol"
    unknown = r"unknown agent_type '[^']*'|Reasoning effort `[^`]*` is not supported|No models are available"
    paths: ClassVar = {"subagent": ".codex/agents/probe.toml", "skill": ".agents/skills/probe/SKILL.md"}

    def home(self, probe: Probe, project: str) -> dict[str, str]:  # noqa: ARG002
        # The agents of a project do not count until a person has trusted it.
        return {".codex/config.toml": f'[projects.{json.dumps(project)}]\ntrust_level = "trusted"\n'}

    def mcp_config(self, servers: dict[str, list[str]]) -> dict[str, str]:
        entries = (f'[mcp_servers.{name}]\ncommand = "python3"\nargs = {args}\n' for name, args in servers.items())
        return {".codex/config.toml": "".join(entries)}

    def command(self, program: list[str], probe: Probe, url: str) -> Command:
        provider = f'{{name = "probe", base_url = "{url}/v1", env_key = "PROBE_KEY", wire_api = "responses"}}'
        model = ["-c", f"model_providers.probe={provider}", "-c", "model_provider=probe", "-m", self.model]
        request = "$probe" if probe.role == "skill" else PROMPT
        approved = "--dangerously-bypass-approvals-and-sandbox"
        return Command([*program, "exec", "--json", approved, *model, request], {"PROBE_KEY": "none"})

    def steps(self, probe: Probe) -> tuple[Step, ...]:
        # When its own turn ends, so do the agents that it started.
        wait = Step(Call("wait_agent"), lambda asked: PROMPT in asked.opening and '{"task_name"' in asked.conversation)
        return (*super().steps(probe), wait)

    def delegation(self) -> Call:
        task = {"task_name": "probe", "message": TASK, "fork_turns": "none"}
        return Call("spawn_agent", {**task, "agent_type": "probe"})

    def observe(self, probe: Probe, outcome: Outcome) -> Observation:
        seen = super().observe(probe, outcome)
        if seen.loads:
            return seen
        if found := _IGNORED.search(outcome.output):
            return Observation(False, found[1].replace('\\"', '"'))
        # Of a skill that it cannot read it says nothing.
        return Observation(False, None if probe.kind == "skill" else seen.error)


ADAPTER = Codex()
