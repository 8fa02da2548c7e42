"""Kilo, which is OpenCode under other names."""

from __future__ import annotations

from typing import ClassVar

from conformance.adapters.opencode import OpenCode


class Kilo(OpenCode):
    id = "kilo"
    package = "@kilocode/cli-linux-x64"
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


ADAPTER = Kilo()
