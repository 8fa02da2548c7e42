"""Tools that a config or an installed package adds to agents, or takes away, wherever they are written for a harness."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import fsagent_lint
from fsagent_lint import Action, Policy, Tool, UserError
from fsagent_lint.cli.main import run
from fsagent_lint.harnesses.tables import builtin_harness, builtin_ids
from fsagent_lint.model.policy import EVERYTHING, allow_only

AGENT = "---\nname: reviewer\ndescription: d\ntags: web, code\ntools: Read\n---\nReview.\n"
SOURCE = ".claude/agents/reviewer.md"
RESULT = ".opencode/agents/reviewer.md"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".claude/agents").mkdir(parents=True)
    (tmp_path / SOURCE).write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


SOMEWHERE = "agents/reviewer.md"
"""A place that no harness reads: there a file can be rewritten for another one."""


def convert(project: Path, *options: str) -> tuple[int, str]:
    status = run(["convert", SOURCE, "--to", "opencode", *options])
    written = project / RESULT
    return status, written.read_text() if written.exists() else ""


def sync(project: Path, *options: str) -> tuple[int, str]:
    with (project / "fsagent-lint.toml").open("a") as config:
        config.write("[sync]\nsource = '.claude/agents'\ntargets = ['opencode']\n")
    status = run(["sync", *options])
    written = project / RESULT
    return status, written.read_text() if written.exists() else ""


def in_place(project: Path, *options: str) -> tuple[int, str]:
    with (project / "fsagent-lint.toml").open("a") as config:
        config.write("[[paths]]\nglob = 'agents/*.md'\nharness = 'claude-code'\n")
    (project / "agents").mkdir()
    (project / SOMEWHERE).write_text(AGENT)
    status = run(["--fix", "--target", "opencode", *options, SOMEWHERE])
    text = (project / SOMEWHERE).read_text()
    return status, text if text != AGENT else ""


def export(project: Path, *options: str) -> tuple[int, str]:
    out = project / "stdout"
    with out.open("w") as stream, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        status = run(["export", SOURCE, "--as", "yaml", "--shape", "opencode", *options])
    return status, out.read_text()


Writer = Callable[..., tuple[int, str]]
WRITERS: tuple[Writer, ...] = (convert, sync, in_place, export)
wherever_written = pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)


@wherever_written
def test_what_the_config_adds_is_allowed_and_what_it_removes_is_not(write: Writer, project: Path) -> None:
    (project / "fsagent-lint.toml").write_text("[[enrich]]\nadd = ['Bash', 'mcp:db/*']\nremove = ['Read']\n")
    status, text = write(project)
    assert status < 2
    assert "bash: allow" in text
    assert "db_*" in text
    assert "read: allow" not in text


@wherever_written
def test_an_unknown_tool_is_an_error_with_the_nearest_one(
    write: Writer, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "fsagent-lint.toml").write_text("[[enrich]]\nadd = ['Read']\n[[enrich]]\nremove = ['Bahs']\n")
    assert write(project) == (2, "")
    assert "enrich[1].remove: 'Bahs' is not a canonical tool" in (error := capsys.readouterr().err)
    assert "Did you mean `Bash`?" in error


def test_a_scope_is_added_and_removed(project: Path) -> None:
    (project / "fsagent-lint.toml").write_text("[[enrich]]\nadd = ['Shell(git diff *)']\n")
    assert '"git diff *": allow' in convert(project)[1]
    (project / "fsagent-lint.toml").write_text("[[enrich]]\nadd = ['Shell']\n[[enrich]]\nremove = ['Shell(rm *)']\n")
    assert '"rm *": deny' in convert(project, "--force")[1]


@pytest.mark.parametrize("target", [id for id in builtin_ids() if builtin_harness(id).reads("agent")])
@pytest.mark.parametrize("tools", ["tools: Read, Grep", "disallowedTools: WebFetch", "model: opus"])
@pytest.mark.parametrize("options", [["--fix"], ["--fix", "--unsafe-fixes"]], ids=["safe", "unsafe"])
def test_a_second_run_in_place_changes_nothing(target: str, tools: str, options: list[str], project: Path) -> None:
    (project / "agents").mkdir()
    place, before = project / SOMEWHERE, AGENT.replace("tools: Read", tools)
    place.write_text(before)
    (project / "fsagent-lint.toml").write_text(
        f"target = '{target}'\n[[paths]]\nglob = 'agents/*.md'\nharness = 'claude-code'\n"
        "[[enrich]]\nadd = ['Todo', 'Edit', 'Task']\nremove = ['Bash', 'mcp:db/*']\n"
    )
    run([*options, SOMEWHERE])
    once = place.read_text()
    run([*options, SOMEWHERE])
    assert place.read_text() == once
    if once != before and options == ["--fix"]:
        agent = fsagent_lint.load(SOMEWHERE, harness=fsagent_lint.harness_id(target), kind="agent")
        assert "Shell" not in granted(agent)
        assert agent.policy.action(Tool("Edit")) is Action.ALLOW


def granted(agent: fsagent_lint.Agent) -> set[str]:
    return {tool for native in agent.effect().tools for tool in agent.subject.harness.tools[native].grants}


def test_the_own_harness_is_written_too(project: Path) -> None:
    (project / "fsagent-lint.toml").write_text("target = 'claude-code'\n[[enrich]]\nadd = ['Grep']\n")
    assert run(["--fix", SOURCE]) == 0
    assert "\ntools: Read, Grep\n" in (project / SOURCE).read_text()
    assert run(["--diff", SOURCE]) == 0


def test_without_a_target_nothing_is_enriched(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "fsagent-lint.toml").write_text("[[enrich]]\nadd = ['Grep']\n")
    assert run(["--fix", SOURCE]) == 0
    assert (project / SOURCE).read_text() == AGENT
    assert run(["--enricher", "x", SOURCE]) == 2
    assert "--enricher needs --target" in capsys.readouterr().err
    assert run(["export", SOURCE, "--as", "json", "--enricher", "x"]) == 2
    assert "--enricher needs --shape" in capsys.readouterr().err
    assert run(["export", SOURCE, "--as", "json"]) == 0
    rules = json.loads(capsys.readouterr().out)["tools"]["rules"]
    assert [rule["tool"] for rule in rules] == ["Read"]


def test_what_is_removed_from_every_tool_is_denied_where_only_a_list_can_say_so(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / SOURCE).write_text(AGENT.replace("tools: Read\n", ""))
    (project / "fsagent-lint.toml").write_text("[[enrich]]\nremove = ['Task']\n")
    assert run(["convert", "--to", "copilot"]) == 1
    out = capsys.readouterr().out
    assert "The denials become a list of tools in Copilot; Message is dropped (same risk as Agent)." in out
    assert "The denials become a list of tools in Copilot; tools of MCP servers are dropped." in out
    made = fsagent_lint.load(project / ".github/agents/reviewer.agent.md")
    assert Action.DENY is made.policy.default
    assert "Agent" not in granted(made)
    assert "Read" in granted(made)


def test_servers_that_cannot_be_denied_are_not_given(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / SOURCE).write_text(AGENT.replace("tools: Read\n", ""))
    (project / "fsagent-lint.toml").write_text("[[enrich]]\nremove = ['mcp:*']\n")
    assert convert(project) == (2, "")
    assert "mcp:*/*" in capsys.readouterr().out


@pytest.mark.parametrize("tool", ["Bash", "Shell", Tool("Bash"), Tool.Bash, Tool.Shell])
def test_a_policy_takes_tools_names_and_aliases(tool: Tool | str) -> None:
    assert Policy(Action.DENY).with_tools(tool).action(Tool.Shell) is Action.ALLOW
    assert EVERYTHING.without(tool).action(Tool.Shell) is Action.DENY


@pytest.mark.parametrize("todo", ["Todo", Tool.Todo])
def test_an_alias_may_stand_for_several_tools(todo: Tool | str) -> None:
    policy = Policy(Action.DENY).with_tools(todo)
    assert policy == allow_only((Tool.TodoWrite, Tool.TodoRead))
    assert policy.action(Tool.Todo) is Action.ALLOW
    assert policy.without(Tool.TodoRead).action(Tool.Todo) is Action.DENY


def test_a_policy_refuses_what_is_no_tool() -> None:
    for change in (EVERYTHING.with_tools, EVERYTHING.without):
        for name in ("Raed", Tool.Read._replace(name="Raed"), Tool.Read._replace(name="Raed")("x")):
            with pytest.raises(UserError, match=r"`Raed` is not a canonical tool.*Did you mean `Read`\?"):
                change(name)
        for name in ("custom:", "mcp:", "Shell(", "Shell()", "", 3, ["Read"]):  # type: ignore[assignment]
            with pytest.raises(UserError, match="is not a canonical tool"):
                change(name)


def test_all_mcp_tools_are_removed_with_their_server() -> None:
    policy = allow_only((Tool.mcp("db", "query"), Tool.mcp("web"), Tool.Read))
    assert policy.without("mcp:db").action(Tool.mcp("db", "query")) is Action.DENY
    assert policy.without("mcp:db").action(Tool.mcp("web")) is Action.ALLOW


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ('path = ".claude/**"', True),
        ('path = ["docs/**", "**/reviewer.md"]', True),
        ('path = "docs/**"', False),
        ('tags = "web"', True),
        ('tags = ["shell", "code"]', True),
        ('tags = "we"', False),
        ('description = "d"', True),
        ('model = "opus"', False),
        ('name = "reviewer", harness = ["opencode", "copilot"]', True),
        ('name = "reviewer", harness = "copilot"', False),
    ],
)
def test_an_entry_counts_where_every_condition_holds(when: str, holds: bool, project: Path) -> None:
    (project / "fsagent-lint.toml").write_text(f"[[enrich]]\nwhen = {{ {when} }}\nadd = ['WebFetch']\n")
    assert run(["convert", "--to", "opencode"]) == 1  # `tags` is lost
    assert ("webfetch: allow" in (project / RESULT).read_text()) is holds


def test_a_tool_that_does_not_exist_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "fsagent-lint.toml").write_text("[[enrich]]\nadd = ['Read']\n[[enrich]]\nadd = ['web-fetch!']\n")
    assert run(["convert", "--to", "opencode"]) == 2
    assert "enrich[1].add: 'web-fetch!' is not a canonical tool" in capsys.readouterr().err
    assert not (project / RESULT).exists()


# -------------------------------------------------------------------------------------------------- installed enrichers

PACKAGE = """
import sys
from fsagent_lint import Action, Policy

def no_tools(harness, agent, policy):
    return Policy(policy.default)

def from_strings(harness, agent, policy):
    return policy.without("Read").with_tools("Bash", "mcp:db/*")

def nothing(harness, agent, policy): pass
def a_dict(harness, agent, policy): return {"default": "deny"}
def a_tuple(harness, agent, policy): return tuple(policy)
def a_word(harness, agent, policy): return Policy("deny")
def no_action(harness, agent, policy): return Policy(None)
def no_rules(harness, agent, policy): return Policy(Action.DENY, ("Read",))
def rules_of_none(harness, agent, policy): return Policy(Action.DENY, None)
def wrong_rule(harness, agent, policy): return Policy(Action.DENY, tuple(rule._replace(action="allow") for rule in policy.rules))
def wrong_tool(harness, agent, policy): return Policy(Action.DENY, tuple(rule._replace(tool="Read") for rule in policy.rules))
def unknown(harness, agent, policy): return policy.with_tools("Raed")
def unknown_tool(harness, agent, policy): return Policy(Action.DENY, tuple(rule._replace(tool=rule.tool._replace(name="Raed")) for rule in policy.rules))
def raises(harness, agent, policy): raise KeyError("tools")
def leaves(harness, agent, policy): sys.exit(0)
def takes_one(policy): return policy
not_callable = 3
"""
BAD = {
    "nothing": "it returned None and not a policy",
    "a_dict": "it returned {'default': 'deny'} and not a policy",
    "a_tuple": "and not a policy",
    "a_word": "the default of its policy is 'deny' and not an action",
    "no_action": "the default of its policy is None and not an action",
    "no_rules": "its policy has 'Read' and not a rule",
    "rules_of_none": "the rules of its policy are None and not a tuple",
    "wrong_rule": "and not a rule",
    "wrong_tool": "and not a rule",
    "unknown": "`Raed` is not a canonical tool, nor `mcp:server/tool` or `custom:name`. Did you mean `Read`?",
    "unknown_tool": "Did you mean `Read`?",
    "raises": "failed: KeyError: 'tools'",
    "leaves": "failed: SystemExit: 0",
    "takes_one": "failed: TypeError",
    "not_callable": "failed: TypeError",
}


@pytest.fixture
def package(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with entry points, as an installer leaves it."""
    site = tmp_path_factory.mktemp("site")
    names = ["no_tools", "from_strings", *BAD]
    points = "".join(f"{name} = acme_enrichers:{name}\n" for name in names)
    (site / "acme_enrichers.py").write_text(PACKAGE)
    (site / "acme-1.0.dist-info").mkdir()
    (site / "acme-1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    (site / "acme-1.0.dist-info/entry_points.txt").write_text(f"[fsagent_lint.enrichers]\n{points}")
    monkeypatch.syspath_prepend(site)
    monkeypatch.delitem(sys.modules, "acme_enrichers", raising=False)
    return site


@pytest.mark.usefixtures("package")
@wherever_written
def test_an_installed_enricher_runs_when_a_person_names_it(write: Writer, project: Path) -> None:
    status, text = write(project, "--enricher", "from_strings")
    assert status < 2
    assert "bash: allow" in text
    assert "db_*" in text
    assert "read: allow" not in text


@pytest.mark.usefixtures("package")
@wherever_written
def test_one_that_the_config_names_runs_with_consent_alone(
    write: Writer, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "fsagent-lint.toml").write_text("enrichers = ['no_tools']\n")
    assert write(project) == (2, "")
    error = capsys.readouterr().err
    assert "The config runs code of installed packages (`no_tools`). Allow it with --plugins." in error
    assert "acme_enrichers" not in sys.modules


@pytest.mark.usefixtures("package")
@wherever_written
def test_with_consent_it_runs(write: Writer, project: Path) -> None:
    (project / "fsagent-lint.toml").write_text("enrichers = ['no_tools']\n")
    status, text = write(project, "--plugins")
    assert status < 2
    assert "read: allow" not in text
    assert "deny" in text


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(("name", "problem"), BAD.items(), ids=BAD)
@wherever_written
def test_one_that_returns_no_policy_is_named_and_nothing_is_written(
    write: Writer, name: str, problem: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert write(project, "--enricher", name) == (2, "")
    told = "".join(capsys.readouterr())
    assert f"The enricher `{name}` of acme_enrichers:{name}" in told
    assert problem in told
    assert not (project / RESULT).exists()


@wherever_written
def test_one_that_is_not_installed_is_named(write: Writer, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert write(project, "--enricher", "other") == (2, "")
    assert "no installed enricher `other`" in capsys.readouterr().err


@wherever_written
def test_one_that_cannot_be_loaded_is_no_traceback(
    write: Writer, project: Path, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "acme_enrichers.py").unlink()
    assert write(project, "--enricher", "no_tools") == (2, "")
    error = capsys.readouterr().err
    assert "`no_tools` of acme_enrichers:no_tools cannot be loaded: No module named 'acme_enrichers'" in error


@pytest.mark.usefixtures("package")
def test_the_python_interface_asks_for_consent_too(project: Path) -> None:
    (project / "fsagent-lint.toml").write_text("target = 'claude-code'\nenrichers = ['no_tools']\n")
    for call in (
        lambda **consent: fsagent_lint.convert(SOURCE, "opencode", **consent),
        lambda **consent: fsagent_lint.fix(SOURCE, write=False, **consent),
        lambda **consent: fsagent_lint.lint(SOURCE, **consent),
    ):
        with pytest.raises(UserError, match="Allow it with --plugins"):
            call()
        call(plugins=True)


@pytest.mark.usefixtures("project")
def test_a_function_changes_what_the_python_interface_writes() -> None:
    run = fsagent_lint.fix(
        SOURCE, write=False, target="claude-code", enrich=lambda _harness, _agent, policy: policy.with_tools("Grep")
    )
    assert "+tools: Read, Grep\n" in run.diff
    failed = fsagent_lint.fix(SOURCE, target="claude-code", enrich=lambda *_: None)  # type: ignore[arg-type]
    assert "<lambda>`: it returned None and not a policy" in failed.result.errors[0].message
