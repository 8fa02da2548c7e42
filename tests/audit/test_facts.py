"""The facts of an audit: what each harness makes of each agent, and what follows from that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from audit_projects import Lay, agent, audited

from fsagent_lint.agent.explain import explain
from fsagent_lint.audit.facts import CAPABILITIES, WIDEST, Audit, Reading, State
from fsagent_lint.cli.main import run
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.project.settings import Settings
from fsagent_lint.project.subjects import Subjects


def readings(done: Audit, name: str) -> dict[str, Reading]:
    [entry] = [entry for entry in done.entries if entry.name == name]
    return {reading.harness: reading for reading in entry.readings}


def states(reading: Reading) -> dict[str, str]:
    """The capabilities that are not denied."""
    found = {name: reading.grant(name).state for name in CAPABILITIES}
    return {name: state.value for name, state in found.items() if state is not State.DENIED}


def test_every_harness_that_reads_the_file_says_what_it_grants(lay: Lay) -> None:
    lay({".claude/agents/a.md": agent("a", "tools: Read, Bash(git diff:*)")})
    found = readings(audited(), "a")
    assert list(found) == ["claude-code", "copilot", "vscode"]
    claude = found["claude-code"]
    assert states(claude) == {"read": "given", "execute": "given"}  # it ignores the scope
    assert claude.grant("execute").tools == ("Bash",)
    assert claude.wider == ("Shell without its limit",)


def test_a_scope_counts_where_the_harness_honours_it(lay: Lay) -> None:
    permission = 'permission: {bash: {"*": deny, "git diff *": allow}, edit: ask, webfetch: deny, task: deny}'
    lay({".opencode/agents/a.md": agent("a", permission)})
    found = readings(audited(), "a")["opencode"]
    assert found.grant("execute").state is State.SCOPED
    assert found.grant("execute").scopes == ("git diff *",)
    assert found.grant("write").state is State.ASKS
    assert "delegate" not in states(found)
    assert not found.unrestricted


def test_a_denied_use_is_a_limit_too(lay: Lay) -> None:
    lay({".opencode/agents/a.md": agent("a", 'permission: {bash: {"*": allow, "rm *": deny}}')})
    assert readings(audited(), "a")["opencode"].grant("execute").scopes == ("not rm *",)


def test_an_agent_without_tool_keys_is_unrestricted_and_a_skill_has_the_tools_of_its_user(lay: Lay) -> None:
    skill = "---\nname: s\ndescription: d\nallowed-tools: Bash(git log:*)\n---\nGo.\n"
    lay({".claude/agents/a.md": agent("a"), ".claude/skills/s/SKILL.md": skill})
    done = audited()
    assert readings(done, "a")["claude-code"].unrestricted
    used = readings(done, "s")["claude-code"]
    assert not used.unrestricted
    assert used.grant("execute").state is State.SCOPED
    assert used.grant("execute").scopes == ("git log *",)
    assert used.grant("write").state is State.INHERITED


def test_a_denial_in_a_skill_counts_and_what_a_prompt_lists_is_all_it_has(lay: Lay) -> None:
    lay(
        {
            ".claude/skills/s/SKILL.md": "---\nname: s\ndescription: d\ndisallowed-tools: Bash, Monitor, PowerShell\n---\nGo.\n",
            ".github/prompts/p.prompt.md": "---\ndescription: d\ntools: [read]\n---\nGo.\n",
        }
    )
    done = audited()
    assert readings(done, "s")["claude-code"].grant("execute").state is State.DENIED
    assert states(readings(done, "p")["vscode"]) == {"read": "given"}


def test_what_does_not_load_says_why_and_grants_nothing(lay: Lay) -> None:
    lay({".opencode/agents/a.md": "---\ntools: Read, Grep\n---\nx\n", "opencode.json": "{"})
    entry, config = audited().entries
    [reading] = entry.readings
    assert not reading.loads
    assert "opencode.json" in reading.error
    assert [each.loads for each in config.readings] == [False]
    assert reading.grants == {}
    assert entry.state("execute") is State.DENIED


def test_the_settings_of_the_project_count(lay: Lay) -> None:
    lay(
        {
            ".claude/agents/a.md": agent("a"),
            ".claude/settings.json": '{"permissions": {"deny": ["WebFetch", "WebSearch"]}}',
        }
    )
    found = readings(audited(), "a")["claude-code"]
    assert "WebFetch" not in found.tools
    assert not found.unrestricted


def test_agents_in_data_files_each_have_their_findings(lay: Lay) -> None:
    config = {
        "agent": {
            "one": {"description": "d", "prompt": "x", "tools": {"bash": False}},
            "two": {"description": "d", "prompt": "x", "tools": {"Bash": False}},
        }
    }
    lay({"opencode.json": json.dumps(config, indent=2)})
    done = audited()
    assert [entry.name for entry in done.entries] == ["one", "two"]
    assert readings(done, "one")["opencode"].grant("execute").state is State.DENIED
    assert readings(done, "two")["opencode"].grant("execute").state is State.GIVEN
    one, two = done.entries
    assert one.findings == ()
    assert two.findings
    assert '"Bash": false' in two.head
    assert two.line > one.line


def test_a_data_file_that_cannot_be_read_is_an_agent_that_does_not_load(lay: Lay) -> None:
    lay({".roomodes": "customModes:\n  - slug: a\n   name: b\n"})
    [entry] = audited().entries
    assert [reading.loads for reading in entry.readings] == [False]


def test_python_calls_are_agents(lay: Lay) -> None:
    code = "from claude_agent_sdk import AgentDefinition\n\nx = AgentDefinition(description='d', prompt='p', tools=['Bash'])\n"
    lay({"app.py": code})
    [entry] = audited().entries
    assert entry.line == 3
    assert [states(reading) for reading in entry.readings] == [{"execute": "given"}]


def test_what_starts_by_itself_and_runs_without_asking_is_listed(lay: Lay) -> None:
    lines = ("tools: Read", "permissionMode: bypassPermissions", "hooks: {PreToolUse: [{matcher: Bash, hooks: []}]}")
    lay({".claude/agents/a.md": agent("a", *lines)})
    found = readings(audited(), "a")["claude-code"]
    assert found.permission_mode == "bypassPermissions"
    assert set(found.starts) == {"permissionMode", "hooks"}


def test_an_audit_reports_what_explain_reports(lay: Lay) -> None:
    text = agent("a", "tools: Read, Task, mcp__db__query", "permissionMode: plan")
    lay({".claude/agents/a.md": text})
    explained = explain(
        Subjects(Settings()).read(".claude/agents/a.md", text.encode(), get_harness("claude-code"), "agent"),
        [get_harness("claude-code")],
    )["readers"]
    for id, reading in readings(audited(), "a").items():
        facts = explained[id]
        assert [*reading.tools] == facts["tools"]
        assert [*reading.mcp] == facts["mcp"]
        assert [*reading.conditional] == facts["conditional"]
        assert reading.permission_mode == (facts["permission_mode"] or "")


def test_an_agent_reaches_what_the_agents_have_that_it_may_call(lay: Lay) -> None:
    lay(
        {
            ".claude/agents/lead.md": agent("lead", "tools: Read, Agent(helper)"),
            ".claude/agents/helper.md": agent("helper", "tools: Read, Write"),
            ".claude/agents/builder.md": agent("builder", "tools: Bash"),
            ".claude/agents/chief.md": agent("chief", "tools: Read, Agent"),
        }
    )
    done = audited()
    lead, chief = (readings(done, name)["claude-code"] for name in ("lead", "chief"))
    assert lead.calls == ("helper",)
    assert dict(lead.reaches) == {"write": ("helper",)}
    assert chief.calls == ("*",)
    assert dict(chief.reaches) == {"write": ("helper",), "execute": ("builder",)}
    assert done.totals()["through_others"] == 2


def test_ways_lead_through_several_agents_and_in_circles(lay: Lay) -> None:
    def calls(name: str, *tools: str) -> str:
        allowed = "".join(f', "{each}": allow' for each in tools)
        return f'---\ndescription: d\npermission: {{"*": deny, read: allow, task: {{"*": deny, {name}: allow}}{allowed}}}\n---\nx\n'

    lay(
        {
            ".opencode/agents/one.md": calls("two"),
            ".opencode/agents/two.md": calls("three"),
            ".opencode/agents/three.md": calls("one", "bash"),
        }
    )
    done = audited()
    assert dict(readings(done, "one")["opencode"].reaches) == {"execute": ("two", "three")}
    assert dict(readings(done, "two")["opencode"].reaches) == {"execute": ("three",)}
    assert [(cycle.harness, cycle.names) for cycle in done.cycles] == [("opencode", ("one", "three", "two"))]


def test_agents_of_other_folders_and_private_agents_are_not_reached(lay: Lay) -> None:
    lay(
        {
            "a/.claude/agents/chief.md": agent("chief", "tools: Read, Agent"),
            "b/.claude/agents/builder.md": agent("builder", "tools: Bash"),
            "c/.github/agents/lead.agent.md": "---\ndescription: d\ntools: [agent, read]\n---\nx\n",
            "c/.github/agents/alone.agent.md": "---\ndescription: d\ntools: [execute]\ndisable-model-invocation: true\n---\nx\n",
        }
    )
    done = audited()
    assert readings(done, "chief")["claude-code"].reaches == {}
    assert "execute" not in readings(done, "lead")["copilot"].reaches


def test_a_command_that_runs_as_an_agent_reaches_what_that_has(lay: Lay) -> None:
    lay(
        {
            ".opencode/commands/go.md": "---\ndescription: d\nagent: builder\n---\nGo.\n",
            ".opencode/agents/builder.md": agent("builder", 'permission: {"*": deny, bash: allow}'),
        }
    )
    found = readings(audited(), "go")["opencode"]
    assert found.calls == ("builder",)
    assert dict(found.reaches) == {"execute": ("builder",)}


def test_states_are_ordered_from_wide_to_narrow() -> None:
    assert [state for state in WIDEST if state.is_granted] == [State.GIVEN, State.SCOPED, State.ASKS, State.MAY]


@pytest.mark.parametrize("name", ["text", "html", "csv", "json", "markdown", "github"])
def test_a_project_without_agents_has_a_clear_report(
    name: str, lay: Lay, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    lay({})
    assert run(["audit", "--output-format", name]) == 0
    output = capsys.readouterr().out
    if name == "json":
        assert json.loads(output)["agents"] == []
    elif name == "csv":
        assert output.startswith("path,name,kind,harness,") and output.count("\n") == 1
    else:
        assert "No agents found" in output


def test_a_file_that_cannot_be_read_is_an_error_of_the_run(
    lay: Lay, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "outside.md").write_text("secret")
    folder = lay({".claude/agents/a.md": agent("a")})
    (folder / ".claude/agents/b.md").symlink_to(tmp_path / "outside.md")
    assert run(["audit"]) == 2
    output = capsys.readouterr().out
    assert "error: .claude/agents/b.md: is outside the project" in output
    assert "secret" not in output
