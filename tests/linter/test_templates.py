"""Templates of agents: what a program fills in is not judged, and everything else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsagent_lint import lint

SKILL = ".agents/skills/a/SKILL.md"
AGENT = ".claude/agents/a.md"


@pytest.mark.parametrize(
    ("path", "text", "rules"),
    [
        (SKILL, '---\nname: "{{name}}"\ndescription: "{{what}}"\nmade_by: "{{user}}"\n---\n', []),
        (AGENT, "---\nname: pre-{{name}}\ndescription: d\ntools: {{tools}}\n---\n", []),
        (AGENT, '---\nname: a\ndescription: d\ntools: [Read, "{{tool}}"]\n---\n', []),
        (AGENT, '---\nname: "{{name}}"\ndescription: d\ntools: [Raed]\n---\n', ["unknown-tool"]),
        (AGENT, "---\nname: <AGENT_NAME>\ndescription: <what it does>\ntools: <TOOLS>\n---\n", []),
        (AGENT, "---\nname: a\ndescription: d\ntools: [Read, <Bsh>x]\n---\n", ["unknown-tool"]),
        (AGENT, "---\nname: a\ndescription: Fill in {{x}}\ntools: Raed\n---\n", ["unknown-tool"]),
    ],
)
def test_what_a_program_fills_in_is_not_judged(
    path: str, text: str, rules: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(path).parent.mkdir(parents=True)
    Path(path).write_text(text, encoding="utf-8")
    assert [located.finding.name for located in lint().findings] == rules
