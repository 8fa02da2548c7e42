"""Kilo: OpenCode with other names."""

from __future__ import annotations

from typing import ClassVar

from conformance.adapter import Command
from conformance.adapters.opencode import STAND_IN, OpenCode
from conformance.probe import Probe


class Kilo(OpenCode):
    id = "kilo"
    package = "@kilocode/cli-linux-x64"
    product = "@kilocode/cli"
    binary = "@kilocode/cli-linux-x64/bin/kilo"
    never_offered: ClassVar = frozenset(("invalid", "goal_report"))
    paths: ClassVar = {
        "agent": ".kilo/agents/probe.md",
        "subagent": ".kilo/agents/probe.md",
        "loaded-skill": ".kilo/skills/probe/SKILL.md",
        "command": ".kilo/commands/probe.md",
    }
    config: ClassVar = ".kilo/kilo.json"
    prefix: ClassVar = "KILO"
    provider: ClassVar = "kilo"
    refused = r'Agent "probe" is a primary agent[^\n]*'
    # Its own provider would ask its maker, whatever the catalogue says.
    settings: ClassVar = {"snapshot": False, "provider": {"kilo": STAND_IN}}

    def command(self, program: list[str], probe: Probe, url: str) -> Command:
        found = super().command(program, probe, url)
        # Otherwise it waits before it exits.
        return Command(found.argv, {**found.env, "KILO_TELEMETRY_LEVEL": "off"})


ADAPTER = Kilo()
