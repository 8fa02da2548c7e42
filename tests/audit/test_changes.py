"""What changed since a revision, or since an earlier report."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from audit_projects import Lay, agent
from test_docs import git

from fsagent_lint.audit.before import at
from fsagent_lint.audit.changes import gains
from fsagent_lint.audit.facts import Audit, Comparison
from fsagent_lint.audit.run import audit
from fsagent_lint.cli.main import run
from fsagent_lint.linter.run import Request

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def commit(folder: Path) -> None:
    if not (folder / ".git").exists():
        git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "x", "--allow-empty")


def compared(since: str = "HEAD", *paths: str) -> Audit:
    request = Request(paths=paths)
    return audit(request, before=at(since, request))


def shifts(comparison: Comparison | None) -> dict[tuple[str, str], list[str]]:
    """Agent and harness to what it gained or lost."""
    assert comparison is not None
    return {
        (change.name, change.harness): [
            f"{'+' if shift.is_gain else '-'}{shift.name}: {shift.before} > {shift.after}" for shift in change.shifts
        ]
        for change in comparison.changes
    }


def test_an_agent_that_is_given_a_shell_has_gained_it(lay: Lay) -> None:
    folder = lay({".opencode/agents/a.md": agent("a", 'permission: {"*": deny, read: allow}')})
    commit(folder)
    assert shifts(compared().comparison) == {}
    lay({".opencode/agents/a.md": agent("a", 'permission: {"*": deny, read: ask, bash: allow}')})
    done = compared()
    assert shifts(done.comparison) == {
        ("a", "opencode"): ["-read: given > asks", "+execute: denied > given"],
    }
    assert done.comparison is not None
    assert gains(done.comparison.changes) == {"execute": 1}


def test_a_limit_that_is_changed_is_a_gain_unless_it_is_narrower(lay: Lay) -> None:
    def limited(*patterns: str) -> dict[str, str]:
        allowed = ", ".join(f'"{pattern}": allow' for pattern in patterns)
        return {".opencode/agents/a.md": agent("a", f'permission: {{"*": deny, bash: {{"*": deny, {allowed}}}}}')}

    folder = lay(limited("git diff *", "git log *"))
    commit(folder)
    lay(limited("git diff *"))
    assert shifts(compared().comparison)["a", "opencode"][0].startswith("-execute")
    lay(limited("git diff *", "git push *"))
    assert shifts(compared().comparison)["a", "opencode"][0].startswith("+execute")


def test_agents_come_and_go(lay: Lay) -> None:
    folder = lay({".opencode/agents/old.md": agent("old", 'permission: {"*": deny, read: allow}')})
    commit(folder)
    (folder / ".opencode/agents/old.md").unlink()
    lay({".opencode/agents/new.md": agent("new", 'permission: {"*": deny, bash: allow}')})
    comparison = compared().comparison
    assert comparison is not None
    assert {(change.name, change.what) for change in comparison.changes} == {("old", "removed"), ("new", "added")}
    assert gains(comparison.changes) == {"execute": 1}


def test_settings_of_the_project_are_those_of_the_revision(lay: Lay) -> None:
    denied = {"permissions": {"deny": ["Bash", "Monitor", "PowerShell"]}}
    folder = lay({".claude/agents/a.md": agent("a", "tools: Read, Bash"), ".claude/settings.json": json.dumps(denied)})
    commit(folder)
    lay({".claude/settings.json": "{}"})
    assert shifts(compared().comparison) == {("a", "claude-code"): ["+execute: denied > given"]}


def test_a_way_to_another_agent_is_a_gain(lay: Lay) -> None:
    folder = lay(
        {
            ".claude/agents/lead.md": agent("lead", "tools: Read, Agent(builder)"),
            ".claude/agents/builder.md": agent("builder", "tools: Read"),
        }
    )
    commit(folder)
    lay({".claude/agents/builder.md": agent("builder", "tools: Read, Bash")})
    assert shifts(compared().comparison)["lead", "claude-code"] == ["+execute:called: no > builder"]


def test_agents_that_git_finds_by_their_content_are_compared_too(lay: Lay) -> None:
    folder = lay({"agents/a.md": agent("a", "tools: Read, Grep")})
    commit(folder)
    assert [entry.name for entry in compared().entries] == ["a"]
    assert shifts(compared().comparison) == {}
    lay({"agents/a.md": agent("a", "tools: Read, Grep, Bash")})
    assert [*shifts(compared().comparison)] == [("a", "claude-code")]


def test_only_what_lies_below_the_folder_and_the_paths_is_compared(lay: Lay, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = lay(
        {
            "one/.claude/agents/a.md": agent("a", "tools: Read"),
            "two/.claude/agents/b.md": agent("b", "tools: Read"),
            "fsagent-lint.toml": "exclude = ['one/.claude/agents/no.md']\n",
            "one/.claude/agents/no.md": agent("no", "tools: Read"),
        }
    )
    commit(folder)
    for name in ("one/.claude/agents/a.md", "two/.claude/agents/b.md", "one/.claude/agents/no.md"):
        path = folder / name
        path.write_text(path.read_text().replace("Read", "Bash"))
    assert {name for name, _ in shifts(compared("HEAD", "one").comparison)} == {"a"}
    monkeypatch.chdir(folder / "one")
    assert {name for name, _ in shifts(compared().comparison)} == {"a"}
    assert os.getcwd() == str(folder / "one")


def test_what_was_there_before_does_not_fail_the_run(lay: Lay, capsys: pytest.CaptureFixture[str]) -> None:
    policy = {"fsagent-lint.toml": "[audit]\nforbid = ['execute']\n"}
    folder = lay({**policy, ".claude/agents/a.md": agent("a", "tools: bash, Bash")})
    commit(folder)
    assert run(["audit"]) == 1
    assert run(["audit", "--since", "HEAD"]) == 0
    assert "No new violation of the policy; 3 known." in capsys.readouterr().out
    lay({".claude/agents/b.md": agent("b", "tools: Bash")})
    assert run(["audit", "--since", "HEAD"]) == 1
    lay({".claude/agents/b.md": agent("b", "tools: read, Grep")})
    assert run(["audit", "--since", "HEAD"]) == 1  # a new finding
    assert run(["audit", "--since", "HEAD", "--fail-on", "policy"]) == 0


def test_a_report_is_compared_as_a_revision_is(lay: Lay, capsys: pytest.CaptureFixture[str]) -> None:
    folder = lay(
        {
            "fsagent-lint.toml": "[audit]\nforbid = ['execute:called']\n",
            ".claude/agents/lead.md": agent("lead", "tools: Read, Agent(builder)"),
            ".claude/agents/builder.md": agent("builder", "tools: read"),
            ".opencode/agents/s.md": agent("s", 'permission: {"*": deny, bash: {"*": deny, "git *": allow}}'),
            ".opencode/agents/broken.md": "---\ntools: Read\n---\nx\n",
        }
    )
    commit(folder)
    run(["audit", "--output-format", "json", "--output-file", "../before.json"])
    lay({".claude/agents/builder.md": agent("builder", "tools: Bash"), ".opencode/agents/broken.md": agent("broken")})
    reports = []
    for option in (["--since", "HEAD"], ["--baseline-report", "../before.json"]):
        run(["audit", "--output-format", "json", *option])
        report = json.loads(capsys.readouterr().out)
        assert report["changes"].pop("since") == option[1]
        reports.append(report)
    assert reports[0] == reports[1]
    assert reports[0]["changes"]["gained"]["execute"] == 2
    assert [each["known"] for each in reports[0]["violations"]] == [False]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "invalid JSON"),
        ("[]", "`version` is missing"),
        ('{"version": 2}', "version 2, expected 1"),
        ('{"version": 1, "agents": {}}', "`agents` is missing or has the wrong type"),
        ('{"version": 1, "agents": [{}], "findings": []}', "`path` is missing"),
        ("[" * 100_000, "invalid JSON"),
    ],
)
def test_a_report_that_cannot_be_used_is_named(
    text: str, expected: str, lay: Lay, capsys: pytest.CaptureFixture[str]
) -> None:
    lay({"before.json": text, ".claude/agents/a.md": agent("a")})
    assert run(["audit", "--baseline-report", "before.json"]) == 2
    captured = capsys.readouterr()
    assert "before.json: not a report of `fsagent-lint audit --output-format json`: " in captured.err
    assert expected in captured.err
    assert captured.out == ""


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--since", "nothing"], "unknown revision: 'nothing'"),
        (["--since", "--output=x"], "not a revision"),
        (["--since", "HEAD", "--baseline-report", "x"], "exclude each other"),
        (["--baseline-report", "gone.json"], "gone.json: "),
        (["--since", "HEAD", "/"], "below the current folder only"),
        (["-"], "not standard input"),
        (["--output-format", "pdf"], "There is no output format `pdf`."),
    ],
)
def test_a_comparison_that_is_not_possible_is_a_clear_error(
    arguments: list[str], expected: str, lay: Lay, capsys: pytest.CaptureFixture[str]
) -> None:
    commit(lay({".claude/agents/a.md": agent("a")}))
    assert run(["audit", *arguments]) == 2
    assert expected in capsys.readouterr().err


def test_outside_a_repository_a_revision_is_a_clear_error(lay: Lay, capsys: pytest.CaptureFixture[str]) -> None:
    lay({".claude/agents/a.md": agent("a")})
    assert run(["audit", "--since", "HEAD"]) == 2
    assert "--since needs git" in capsys.readouterr().err
