"""The policy of the config: what it forbids, whom it excuses, and which mistakes in it are reported."""

from __future__ import annotations

import pytest
from audit_projects import Lay, agent, audited

from fsagent_lint.cli.main import run

SHELL, READER = agent("builder", "tools: Bash, WebFetch"), agent("reader", "tools: Read")


def broken(lay: Lay, policy: str, files: dict[str, str] | None = None) -> set[tuple[str, str]]:
    """The agents that break a policy in Claude Code, each with the entry of `forbid`."""
    lay(
        {
            "fsagent-lint.toml": f"[audit]\n{policy}\n",
            **(files or {".claude/agents/b.md": SHELL, ".claude/agents/r.md": READER}),
        }
    )
    return {(each.name, each.forbidden) for each in audited().violations if each.harness == "claude-code"}


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("", set()),
        ('forbid = ["execute"]', {("builder", "execute")}),
        ('forbid = ["read"]', {("reader", "read")}),
        ('forbid = ["execute+network"]', {("builder", "execute+network")}),
        ('forbid = ["execute + network"]', {("builder", "execute+network")}),
        ('forbid = ["execute+read"]', set()),
        ('forbid = ["execute:scoped", "execute:asks"]', set()),
        ('forbid = ["execute:given"]', {("builder", "execute:given")}),
        ('forbid = ["unrestricted"]', set()),
        ('forbid = ["execute"]\nallow = { "build*" = ["execute"] }', set()),
        ('forbid = ["execute"]\nallow = { ".claude/agents/b.md" = ["execute"] }', set()),
        ('forbid = ["execute"]\nallow = { "ops-*" = ["execute"] }', {("builder", "execute")}),
        ('forbid = ["execute+network"]\nallow = { "b*" = ["execute"] }', {("builder", "execute+network")}),
        ('forbid = ["execute+network"]\nallow = { "b*" = ["execute", "network"] }', set()),
        ('forbid = ["execute+network"]\nallow = { "b*" = ["execute+network"] }', set()),
    ],
)
def test_what_is_forbidden(policy: str, expected: set[tuple[str, str]], lay: Lay) -> None:
    assert broken(lay, policy) == expected


def test_scoped_and_asked_for_and_called(lay: Lay) -> None:
    files = {
        ".claude/agents/lead.md": agent("lead", "tools: Read, Agent(builder)"),
        ".claude/agents/b.md": SHELL,
        ".opencode/agents/s.md": agent("s", 'permission: {bash: {"*": deny, "git *": allow}, edit: ask}'),
        "fsagent-lint.toml": '[audit]\nforbid = ["execute:called", "execute:scoped", "write:asks", "unrestricted"]\n',
    }
    lay(files)
    found = {(each.name, each.harness, each.forbidden): each.message for each in audited().violations}
    assert set(found) == {
        ("lead", "claude-code", "execute:called"),
        ("s", "opencode", "execute:scoped"),
        ("s", "opencode", "write:asks"),
    }
    assert "can call `builder`, which can run commands" in found["lead", "claude-code", "execute:called"]
    assert "only for git *" in found["s", "opencode", "execute:scoped"]
    assert "after asking" in found["s", "opencode", "write:asks"]


def test_an_agent_that_does_not_load_breaks_no_policy(lay: Lay) -> None:
    lay(
        {
            ".opencode/agents/a.md": "---\ntools: [bash]\n---\nx\n",
            "fsagent-lint.toml": "[audit]\nforbid = ['execute']\n",
        }
    )
    assert audited().violations == ()


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("forbid = ['exec']", "unknown capability 'exec'. Did you mean `execute`?"),
        (
            "forbid = ['execute:maybe']",
            "expected one of execute, execute:given, execute:scoped, execute:asks, execute:called",
        ),
        ("forbid = ['unrestricted:given']", "expected one of unrestricted"),
        ("forbid = ['']", "unknown capability ''"),
        ("forbid = 'execute'", "expected a list"),
        ("forbidden = ['execute']", "did you mean 'forbid'"),
        ("allow = { 'ops-*' = ['shell'] }", "audit.allow.ops-*: unknown capability 'shell'"),
        ("allow = { '../x' = ['execute'] }", "cannot leave it"),
    ],
)
def test_a_mistake_in_the_policy_ends_the_run(
    policy: str, expected: str, lay: Lay, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay({"fsagent-lint.toml": f"[audit]\n{policy}\n", ".claude/agents/a.md": READER})
    assert run(["audit", "--output-format", "html", "--output-file", "report.html"]) == 2
    assert expected in capsys.readouterr().err
    assert not (folder / "report.html").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [([], 1), (["--exit-zero"], 0), (["--fail-on", "policy"], 1), (["--isolated"], 0)],
)
def test_a_violation_fails_the_run(arguments: list[str], expected: int, lay: Lay) -> None:
    lay({"fsagent-lint.toml": "[audit]\nforbid = ['execute']\n", ".claude/agents/a.md": SHELL})
    assert run(["audit", *arguments]) == expected


def test_findings_fail_the_run_as_in_a_check_unless_only_the_policy_counts(lay: Lay) -> None:
    lay({".claude/agents/a.md": agent("a", "tools: read, Grep")})
    assert run([]) == 1
    assert run(["audit"]) == 1
    assert run(["audit", "--fail-on", "policy"]) == 0
    assert run(["audit", "--exit-zero"]) == 0
