"""The laws of writing, over all tables: never wider, for every reader of the place, native, and no denial adds a tool."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from fsagent_lint.agent.readers import readers_of
from fsagent_lint.agent.subject import Subject
from fsagent_lint.cli.main import run
from fsagent_lint.converter.job import Job
from fsagent_lint.converter.run import convert_subject
from fsagent_lint.effect.effect import Effect
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import builtin_ids, get_harness
from fsagent_lint.model.converted import Converted
from fsagent_lint.model.tool import HARMFUL, Tool

BODY = "Do what you are asked to do, and say what you did.\n"
DENIABLE = ("Shell", "Write", "Edit", "WebFetch", "Agent")
TARGETS = [id for id in builtin_ids() if "agent" in get_harness(id).kinds or "mode" in get_harness(id).kinds]


def subject(harness: str, lines: str) -> Subject:
    text = f"---\nname: maker\ndescription: d\n{lines}---\n{BODY}"
    path = get_harness(harness).kinds["agent"].path.format(name="maker")
    return Subject(Document(Source(path, text.encode())), get_harness(harness), "agent")


def denial(harness: str, tools: tuple[str, ...]) -> Subject | None:
    """An agent that has everything but some tools, as a harness writes that; None if it cannot."""
    there, keys = get_harness(harness), get_harness(harness).kinds["agent"].keys
    names = list(dict.fromkeys(name for tool in tools for name in there.write.get(tool, ())))
    key = next((name for name, key in keys.items() if key.role in ("deny", "permission")), "")
    if not key or not names:
        return None
    if keys[key].role == "permission":
        return subject(harness, f"{key}:\n" + "".join(f"  {name}: deny\n" for name in names))
    return subject(harness, f"{key}: [{', '.join(names)}]\n")


DENYING = [id for id in TARGETS if "agent" in get_harness(id).kinds and denial(id, ("Shell",)) is not None]
COMBINATIONS = [tools for count in (1, 2, 3) for tools in combinations(DENIABLE, count)]


def convert(before: Subject, target: str) -> Converted:
    return convert_subject(before, Job(get_harness(target), "."))


def granted(effect: Effect, harness: Harness) -> set[Tool]:
    """What an agent has, except for what no file can deny."""
    natives = [native for native in (*effect.tools, *effect.ask) if harness.tools[native].presence != "always"]
    return {tool for native in natives for tool in harness.tools[native].granted}


def readings(made: Converted, target: str) -> list[set[Tool]]:
    """What each harness grants that reads the place of a converted file."""
    document = Document(Source(made.path, made.data))
    kind = get_harness(target).kinds[made.kind]
    if kind.file != "markdown":
        return []
    readers = [(each.harness, each.effect(document)) for each in readers_of(made.path)]
    own = Subject(document, get_harness(target), made.kind)
    return [granted(effect, harness) for harness, effect in (*readers, (own.harness, own.effect)) if effect.loads]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("source", DENYING)
def test_all_but_some_tools_is_nothing_of_their_risk_for_any_reader(source: str, target: str) -> None:
    for tools in COMBINATIONS if source != target else ():
        before = denial(source, tools)
        assert before is not None
        if (made := convert(before, target)).error:
            continue
        had = granted(before.effect, before.harness)
        denied = {Tool.parse(tool).risk for tool in tools}
        for found in readings(made, target):
            assert not [tool for tool in found if tool.name in tools]
            assert not [tool for tool in found if tool.risk in HARMFUL and tool.risk in denied and tool not in had]
            assert {tool.risk for tool in found if tool.risk in HARMFUL} <= {tool.risk for tool in had}


@pytest.mark.parametrize("source", ["claude-code", "opencode"])
def test_a_list_for_vs_code_has_nothing_that_executes_or_edits(source: str) -> None:
    before = denial(source, ("Shell", "Edit", "Write"))
    assert before is not None
    text = convert(before, "vscode").data.decode()
    todo = ', "todo"' if source == "opencode" else ""  # Claude Code has it with older models only
    assert f'tools: ["read", "search", "web", "agent"{todo}]\n' in text


MAPS = ["{Edit: true, Read: true}", "{edit: true, read: true}", "{Read: true, WebFetch: true}", "{read: true}"]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("source", ["canonical", "opencode", "kilo", "claude-code"])
@pytest.mark.parametrize("tools", MAPS)
def test_adding_a_denial_adds_no_tool(source: str, tools: str, target: str) -> None:
    shell = "Shell" if source == "canonical" else "bash"
    without = subject(source, f"tools: {tools}\n")
    denying = subject(source, f"tools: {tools[:-1]}, {shell}: false}}\n")
    before, after = convert(without, target), convert(denying, target)
    if source == target or before.error or after.error:
        return
    for less, more in zip(readings(after, target), readings(before, target), strict=True):
        assert less <= more


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("source", [id for id in TARGETS if "agent" in get_harness(id).kinds])
def test_what_is_written_is_what_people_write_there(source: str, target: str) -> None:
    """Every tool by itself: only names of the target's table, none that it calls outdated, and each of them once."""
    there = get_harness(target)
    keys = {name: key for kind in there.kinds.values() for name, key in kind.keys.items()}
    for tool, names in get_harness(source).write.items():
        allow = next((name for name, key in get_harness(source).kinds["agent"].keys.items() if "list" in key.forms), "")
        if not allow or get_harness(source).kinds["agent"].keys[allow].role != "allow":
            return
        made = convert(subject(source, f"{allow}: [{', '.join(names)}]\n"), target)
        if made.error or there.kinds[made.kind].file != "markdown":
            continue
        after = Subject(Document(Source(made.path, made.data)), there, made.kind)
        written = [item.name for value in after.values for item in value.items if item.name not in ("*", "none")]
        own = {name for usual in (*there.write.values(), *there.substitutes.values()) for name in usual}
        presets = {name for key in keys.values() for preset in key.presets.values() for name in preset}
        assert {*written} <= {*own, *there.tools, *presets}, tool
        assert len(written) == len({*written}), tool
        known = [there.lookup(name) for name in written]
        assert all(each is not None and each.status == "current" for each in known), tool


@pytest.mark.parametrize(
    ("target", "lines"),
    [
        ("copilot", 'tools: ["read", "edit", "search", "execute", "db/query"]\n'),
        ("vscode", 'tools: ["read", "edit", "search", "execute", "db/query"]\n'),
        ("opencode", 'permission:\n  "*": deny\n  read: allow\n  edit: allow\n  grep: allow\n  bash: allow\n'),
        ("kilo", 'permission:\n  "*": deny\n  read: allow\n  edit: allow\n  grep: allow\n  bash: allow\n'),
        ("gemini", "tools:\n  - read_file\n  - write_file\n  - replace\n  - grep_search\n  - run_shell_command\n"),
        ("qwen", "tools:\n  - read_file\n  - write_file\n  - edit\n  - grep_search\n  - run_shell_command\n"),
        ("factory", 'tools: ["Read", "Create", "Edit", "Grep", "Execute", "db___query"]\n'),
        ("kiro", 'tools:\n  - read\n  - write\n  - shell\n  - "@db/query"\n'),
        ("canonical", "tools:\n  - Read\n  - Write\n  - Edit\n  - Grep\n  - Shell\n  - mcp:db/query\n"),
    ],
)
def test_names_form_and_quotes_are_those_of_the_target(target: str, lines: str) -> None:
    made = convert(subject("claude-code", "tools: Read, Write, Edit, Grep, Bash, mcp__db__query\n"), target)
    assert made.error == ""
    assert lines in made.data.decode()


def test_for_claude_code_only_what_people_name() -> None:
    made = convert(subject("copilot", 'tools: ["read", "edit", "search", "execute", "todo"]\n'), "claude-code")
    names = "Read, Write, Edit, Grep, Glob, Bash, TaskCreate, TaskUpdate, TaskGet, TaskList"
    assert f"tools: {names}\n" in made.data.decode()
    made = convert(subject("opencode", 'permission:\n  "*": deny\n  read: allow\n  grep: allow\n'), "claude-code")
    assert "tools: Read, Grep\n" in made.data.decode()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(project: Path, path: str, lines: str) -> Path:
    file = project / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"---\nname: a\ndescription: d\n{lines}---\n{BODY}")
    return file


@pytest.mark.parametrize("target", ["opencode", "copilot", "vscode", "qwen", "gemini", "kiro"])
@pytest.mark.parametrize("lines", ["tools: Read, Grep\n", "disallowedTools: Bash\n"])
def test_a_file_is_not_rewritten_where_its_harness_reads_it(
    project: Path, target: str, lines: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = put(project, ".claude/agents/a.md", lines)
    before = file.read_bytes()
    assert run(["--fix", "--target", target]) == 1
    assert f"`fsagent-lint convert --to {target} .claude/agents/a.md`" in capsys.readouterr().out
    (project / "fsagent-lint.toml").write_text(f'target = "{target}"\n')
    assert run(["--fix"]) == 1
    assert file.read_bytes() == before
    copy = put(project, "agents/a.md", lines)
    run(["--fix", "--isolated", "--harness", "claude-code", "--target", target, "agents/a.md"])
    assert copy.read_bytes() != before


def test_a_format_for_each_harness(project: Path) -> None:
    claude = put(project, ".claude/agents/a.md", "tools:\n  - Read # r\n  - Grep\ndisallowedTools: [Bash]\n")
    qwen = put(project, ".qwen/agents/a.md", "tools: [read_file]\n")
    opencode = put(project, ".opencode/agents/a.md", "tools: {bash: false}\n")
    before = [file.read_bytes() for file in (qwen, opencode)]
    (project / "fsagent-lint.toml").write_text('select = ["tool-format"]\n[tool-format]\nclaude-code = "csv"\n')
    assert run(["--fix"]) == 0
    assert "# r\ntools: Read, Grep\ndisallowedTools: Bash\n" in claude.read_text()
    assert [file.read_bytes() for file in (qwen, opencode)] == before
    assert run(["--fix", "--tool-format", "list"]) == 0
    assert "tools: [Read, Grep]\n" in claude.read_text() or "tools:\n  - Read\n  - Grep\n" in claude.read_text()
    assert opencode.read_bytes() == before[1], "it has no lists"


def test_a_map_as_a_list_has_what_is_on(project: Path) -> None:
    file = put(project, "agents/a.md", "tools: {Read: true, Shell: false, Grep: true}\n")
    command = ["--fix", "--harness", "canonical", "--tool-format", "list", "--select", "tool-format", "agents"]
    assert run(command) == 0
    after = Subject(Document(Source("a.md", file.read_bytes())), get_harness("canonical"), "agent")
    assert [item.name for value in after.values for item in value.items] == ["Read", "Grep"]


def test_an_agent_whose_tools_all_are_unknown_there_is_refused(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(project, ".claude/agents/a.md", "tools: Monitor, Workflow\n")
    assert run(["convert", "--to", "opencode"]) == 2
    assert (
        "the agent would have no tools: OpenCode has no equivalent of Monitor and Workflow; dropped\n"
        in capsys.readouterr().out
    )
    assert run(["convert", "--to", "opencode", "--unsafe-fixes"]) == 1
    assert 'permission:\n  "*": deny\n' in (project / ".opencode/agents/a.md").read_text()
    put(project, ".claude/agents/a.md", "tools: []\n")
    assert run(["convert", "--to", "copilot", "--from", "claude-code"]) == 0
    assert "tools: []\n" in (project / ".github/agents/a.agent.md").read_text()
