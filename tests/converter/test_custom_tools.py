"""Tools that no table maps: custom ones, and those of one harness that no other has anything like."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import fsagent_lint
from fsagent_lint import harness_id
from fsagent_lint.cli.main import run
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import builtin_harness, builtin_ids, use_tables
from fsagent_lint.harnesses.vocabulary import identify, native_names
from fsagent_lint.model.policy import Action
from fsagent_lint.model.tool import Tool

HARNESSES = [builtin_harness(id) for id in builtin_ids()]
AGENTS = [harness for harness in HARNESSES if harness.reads("agent")]
every_harness = pytest.mark.parametrize("harness", HARNESSES, ids=lambda harness: harness.id)
every_agent = pytest.mark.parametrize("harness", AGENTS, ids=lambda harness: harness.id)
DEPLOY = Tool.custom("deploy")
BODY = "Do what you are asked to do, and say what you did.\n"
CANONICAL = f"---\nname: maker\ndescription: d\ntools:\n  - Read\n  - custom:deploy\n---\n{BODY}"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    use_tables({})


@pytest.mark.usefixtures("project")
@every_harness
@pytest.mark.parametrize("known", [False, True], ids=["unknown", "in the config"])
def test_what_is_written_for_a_custom_tool_is_read_as_it(harness: Harness, known: bool) -> None:
    use_tables({}, {"deploy": None} if known else {})
    names = native_names((DEPLOY,), harness)
    assert all(identify(name, harness).tools == (DEPLOY,) for name in names)
    if known and harness.takes_custom:
        assert names == (harness.custom.format(name="deploy"),)


@pytest.mark.usefixtures("project")
@every_harness
def test_a_custom_tool_never_becomes_another_one(harness: Harness) -> None:
    taken = [*harness.tools, *harness.names, "Read", "bash", "a, b", "a b", "git*", "Bash(git *)"]
    use_tables({}, dict.fromkeys(taken))
    for name in taken:
        for native in native_names((Tool.custom(name),), harness):
            assert identify(native, harness).tools == (Tool.custom(name),)
            assert not harness.natives(native)


@every_agent
@pytest.mark.parametrize("config", ["", "custom-tools = ['deploy']\n"], ids=["unknown", "in the config"])
def test_canonical_to_a_harness_and_back_is_the_same(harness: Harness, config: str, project: Path) -> None:
    (project / "fsagent-lint.toml").write_text(f"{config}[[paths]]\nglob = 'agents/*.md'\nharness = 'canonical'\n")
    there = fsagent_lint.convert(CANONICAL, harness_id(harness.id), harness="canonical", unsafe=True)
    assert there.error == ""
    lost = [loss.message for loss in there.losses if loss.code == "lost-tool"]
    assert bool(lost) is (b"deploy" not in there.data)
    if lost:
        assert any("no equivalent of custom:deploy" in message for message in lost)
        return
    (project / there.path).parent.mkdir(parents=True, exist_ok=True)
    (project / there.path).write_bytes(there.data)
    assert [
        found.finding.name for found in fsagent_lint.lint(there.path).findings if "deploy" in found.finding.message
    ] == []
    back = fsagent_lint.convert(there.path, "canonical", harness=harness_id(harness.id), unsafe=True)
    policy = fsagent_lint.load(back.data.decode(), harness="canonical", kind="agent").policy
    assert policy.action(DEPLOY) is Action.ALLOW
    assert [tool for tool in policy.named() if tool.is_custom] == [DEPLOY]


@every_agent
def test_the_list_of_tools_says_what_is_written(
    harness: Harness, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "fsagent-lint.toml").write_text("custom-tools = ['deploy']\n")
    assert run(["tools", "deploy", "--harness", harness.id]) == 0
    line = capsys.readouterr().out.splitlines()[1].split(maxsplit=1)
    written = fsagent_lint.convert(CANONICAL, harness_id(harness.id), harness="canonical", unsafe=True)
    if line[1] == "no such tool":
        assert b"deploy" not in written.data
    else:
        assert line[1].encode() in written.data


def test_a_name_of_a_harness_counts_where_the_project_defines_a_tool(project: Path) -> None:
    (project / ".opencode/tools").mkdir(parents=True)
    (project / ".opencode/tools/search.ts").write_text("export default tool({})\n")
    (project / ".opencode/agents").mkdir()
    place = project / ".opencode/agents/a.md"
    place.write_text(f'---\ndescription: d\npermission:\n  "*": deny\n  search: allow\n---\n{BODY}')
    agent = fsagent_lint.load(".opencode/agents/a.md")
    assert agent.policy.named() == (Tool.custom("search"),)  # and not what Copilot calls `search`
    assert "custom:search" in fsagent_lint.convert(agent, "canonical").data.decode()


def test_the_form_of_another_harness_is_replaced(project: Path) -> None:
    (project / ".opencode/agents").mkdir(parents=True)
    place = project / ".opencode/agents/a.md"
    place.write_text(f'---\ndescription: d\npermission:\n  "*": deny\n  custom:deploy: allow\n---\n{BODY}')
    assert run(["--fix", ".opencode"]) == 0
    assert "\n  deploy: allow\n" in place.read_text()


@pytest.fixture
def package(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package that brings a tool."""
    site = tmp_path_factory.mktemp("site")
    names = {"opencode": "acme_deploy", "claude-code": "AcmeDeploy"}
    (site / "acme_tools.py").write_text(f"TOOLS = [{{'name': 'deploy', 'names': {names}}}]\n")
    (site / "acme_tools-1.0.dist-info").mkdir()
    (site / "acme_tools-1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: acme-tools\nVersion: 1.0\n")
    (site / "acme_tools-1.0.dist-info/entry_points.txt").write_text("[fsagent_lint.tools]\nacme = acme_tools:TOOLS\n")
    monkeypatch.syspath_prepend(site)
    monkeypatch.delitem(sys.modules, "acme_tools", raising=False)


@pytest.mark.usefixtures("package")
def test_the_names_that_a_package_gives_are_written_and_read(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "agents").mkdir()
    (project / "agents/maker.md").write_text(CANONICAL)
    (project / "fsagent-lint.toml").write_text("[[paths]]\nglob = 'agents/*.md'\nharness = 'canonical'\n")
    assert run(["convert", "agents", "--to", "opencode", "--plugins"]) == 0
    assert "\n  acme_deploy: allow\n" in (project / ".opencode/agents/maker.md").read_text()
    assert run(["export", "agents/maker.md", "--as", "yaml", "--shape", "opencode", "--plugins"]) == 0
    assert "acme_deploy: allow" in capsys.readouterr().out
    assert run(["export", ".opencode/agents/maker.md", "--as", "md", "--plugins"]) == 0
    assert "custom:deploy" in capsys.readouterr().out
    assert run(["convert", "agents", "--to", "qwen", "--plugins"]) == 1
    assert "Qwen Code has no equivalent of custom:deploy" in capsys.readouterr().out
    assert run(["tools", "deploy", "--plugins", "--harness", "opencode"]) == 0
    assert "acme_deploy" in capsys.readouterr().out
    assert run(["convert", "agents", "--to", "claude-code", "--plugins"]) == 0
    assert "AcmeDeploy" in (project / ".claude/agents/maker.md").read_text()
    assert run([".claude"]) == 1
    assert "Claude Code has no tool `AcmeDeploy`" in capsys.readouterr().out
    assert run(["--plugins", ".claude"]) == 0


UNLIKE = [
    (harness, name)
    for harness in AGENTS
    for name, facts in harness.tools.items()
    if not facts.grants and native_names((Tool.native(name),), harness)
]


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(("harness", "tool"), UNLIKE, ids=lambda each: each if isinstance(each, str) else each.id)
@pytest.mark.parametrize("target", AGENTS, ids=lambda target: target.id)
def test_a_tool_that_no_other_harness_has_is_lost_aloud(harness: Harness, tool: str, target: Harness) -> None:
    kind = harness.kinds["agent"]
    allow = next(name for name, key in kind.keys.items() if key.role in ("allow", "permission"))
    read = harness.write["Read"][0]
    is_list = kind.keys[allow].role == "allow"
    tools = f"[{read}, {tool}]" if is_list else f'{{"*": deny, {read}: allow, {tool}: allow}}'
    text = f"---\nname: maker\ndescription: d\n{allow}: {tools}\n---\n{BODY}"
    made = fsagent_lint.convert(text, harness_id(target.id), harness=harness_id(harness.id), kind="agent", unsafe=True)
    assert made.error == ""
    told = any(f"{target.title} has no equivalent of `{tool}`" in loss.message for loss in made.losses)
    assert told is (tool.encode() not in made.data)
    if target is harness:
        assert not told
