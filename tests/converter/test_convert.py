"""Whole files for another harness, and back."""

from __future__ import annotations

import json
import sys
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fsagent_lint
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.widening import bounds_of, exceeds, wider
from fsagent_lint.cli.main import run
from fsagent_lint.converter.convert import convert_file
from fsagent_lint.effect.effect import effect
from fsagent_lint.effect.presets import FORM
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import get_harness, harness_ids
from fsagent_lint.model.converted import Converted
from fsagent_lint.model.finding import Consequence
from fsagent_lint.model.tool import BUILTIN, COMPANIONS, Tool

HARNESSES = [id for id in harness_ids() if get_harness(id).reads("agent")]
BODY = "\nDo --- it.\r\n\ttabs and trailing blanks  \n"


def agent(text: str, harness: str, path: str = "agents/probe.md") -> Subject:
    return Subject(Document(Source(path, text.encode())), get_harness(harness), "agent")


def converted(text: str, harness: str, to: str, path: str = "agents/probe.md") -> Converted:
    result = convert_file(agent(text, harness, path), get_harness(to))
    assert not result.error, result.error
    return result


CLAUDE = """---
# who
name: code-reviewer
description: Reviews code: often # not valid YAML
tools: Read, Grep, Bash(git diff:*), mcp__db__query # reading
model: sonnet
color: blue
maxTurns: 12
team: platform
---
Review.
"""


def test_claude_to_opencode() -> None:
    result = converted(CLAUDE, "claude-code", "opencode")
    assert result.path == ".opencode/agents/code-reviewer.md"
    assert (
        result.data.decode()
        == """---
# who
description: "Reviews code: often # not valid YAML"
permission: # reading
  "*": deny
  read: allow
  grep: allow
  bash:
    "*": deny
    "git diff *": allow
  db_query: allow
model: anthropic/claude-sonnet-4-5
color: "#3b82f6"
steps: 12
mode: subagent
---
Review.
"""
    )
    assert [loss.message for loss in result.losses] == ["OpenCode has no field for `team` in agents; dropped."]


def test_claude_to_copilot() -> None:
    result = converted(CLAUDE, "claude-code", "copilot")
    assert result.path == ".github/agents/code-reviewer.agent.md"
    assert (
        'tools: ["read", "search", "db/query"] # reading\nmodel: Claude Sonnet 4.5 (copilot)\nteam: platform\n'
        in result.data.decode()
    )
    assert {loss.code for loss in result.losses} == {"lost-scope", "lost-field"}


def test_opencode_to_claude_needs_a_name_and_gets_one() -> None:
    text = "---\ndescription: d\nmode: subagent\npermission:\n  edit: deny\n---\nx\n"
    result = converted(text, "opencode", "claude-code", ".opencode/agents/My Agent.md")
    assert result.path == ".claude/agents/my-agent.md"
    assert (
        result.data.decode()
        == "---\nname: my-agent\ndescription: d\ntools: Read, Glob, Grep, Bash, WebFetch, WebSearch, Agent, Skill, TaskCreate, TaskUpdate, TaskGet, TaskList\n---\nx\n"
    )


def test_modes_and_visibility_by_meaning() -> None:
    hidden = converted("---\ndescription: d\nuser-invocable: false\n---\nx\n", "copilot", "opencode").data.decode()
    assert "hidden: true" in hidden
    primary = converted("---\ndescription: d\nmode: primary\n---\nx\n", "opencode", "copilot").data.decode()
    assert "disable-model-invocation: true" in primary


def test_a_deny_list_becomes_what_remains_where_nothing_can_be_denied() -> None:
    result = converted("---\nname: a\ndescription: d\ndisallowedTools: Bash\n---\nx\n", "claude-code", "copilot")
    natives = effect(
        Document(Source("a.agent.md", result.data)), get_harness("copilot"), get_harness("copilot").kinds["agent"]
    )
    assert "bash" not in natives.tools
    assert {"view", "edit", "grep"} <= set(natives.tools)


def test_inherit_is_dropped_without_a_word_and_an_unknown_model_with_one() -> None:
    assert converted("---\nname: a\ndescription: d\nmodel: inherit\n---\n", "claude-code", "opencode").losses == ()
    result = converted("---\nname: a\ndescription: d\nmodel: my-own-model\n---\n", "claude-code", "opencode")
    assert "model:" not in result.data.decode()
    assert [loss.code for loss in result.losses] == ["lost-field"]


def test_plan_mode_denies_edits_where_there_is_no_plan_mode() -> None:
    result = converted("---\nname: a\ndescription: d\npermissionMode: plan\n---\n", "claude-code", "opencode")
    assert "permission:\n  edit: deny\n" in result.data.decode()


def test_what_the_target_cannot_do_without_is_an_error() -> None:
    result = convert_file(agent("---\nmode: all\n---\nx\n", "opencode"), get_harness("copilot"))
    assert result.error == "Copilot requires `description`, which the file does not have"


def test_commands_and_prompts() -> None:
    text = "---\ndescription: d\nallowed-tools: Bash(git diff:*)\n---\nDo $1.\n"
    command = Subject(Document(Source("x/go.md", text.encode())), get_harness("claude-code"), "command")
    assert convert_file(command, get_harness("opencode")).path == ".opencode/commands/go.md"
    assert convert_file(command, get_harness("vscode")).path == ".github/prompts/go.prompt.md"
    assert convert_file(command, get_harness("copilot")).path == ".github/prompts/go.prompt.md"
    assert convert_file(command, get_harness("gemini")).error == "Gemini CLI has no commands"


def says_so_much_or_all(id: str) -> bool:
    """A harness with sets of tools alone has no words for what lies between them."""
    return all(key.forms == (FORM,) for key in get_harness(id).kinds["agent"].keys.values())


def comes_along(tool: Tool, one: str, other: str) -> bool:
    """Is it granted with others, or has one of the harnesses only a substitute for it?"""
    both = [get_harness(one), get_harness(other)]
    if tool.name in COMPANIONS or any(tool.name in facts.along for each in both for facts in each.tools.values()):
        return True
    named = ([name for name in each.write.get(tool.name, ()) if tool.name in each.main_tools(name)] for each in both)
    return not all(named)


tools = st.lists(st.sampled_from(sorted(BUILTIN)), min_size=0, max_size=6, unique=True)


@settings(max_examples=25, deadline=None)
@given(tools)
@pytest.mark.parametrize(("one", "other"), list(permutations(HARNESSES, 2)))
def test_there_and_back_is_the_same_wherever_it_can_be_said(one: str, other: str, names: list[str]) -> None:
    text = f"---\nname: probe\ndescription: d\ntools: [{', '.join(names)}]\n---{BODY}"
    here = convert_file(agent(text, "canonical"), get_harness(one))
    if one == "canonical":
        here = Converted("", text.encode(), ())
    if here.error:
        assert says_so_much_or_all(one)
        return
    source = agent(here.data.decode(), one)
    there = convert_file(source, get_harness(other))
    if there.error:
        assert says_so_much_or_all(other)
        return
    assert there.data.endswith(BODY.encode())
    document = Document(Source("probe.md", there.data))
    result = effect(document, get_harness(other), get_harness(other).kinds["agent"])
    assert result.loads
    assert wider(result, get_harness(other), bounds_of(source)) == ()
    back = convert_file(agent(there.data.decode(), other), get_harness(one))
    assert not back.error
    if not any(loss.code in ("lost-tool", "lost-scope") for loss in (*there.losses, *back.losses)):
        # Equal, but for tools that the other harness cannot give apart; those add no risk.
        again = agent(back.data.decode(), one).granted
        lost = source.granted - again
        assert not [tool for tool in lost if not comes_along(tool, one, other)]
        assert not [tool for tool in again if exceeds(bounds_of(source), tool)]


def test_losses_have_consequences() -> None:
    result = converted("---\nname: a\ndescription: d\ntools: Edit\n---\n", "claude-code", "opencode")
    assert [(loss.code, loss.consequence) for loss in result.losses] == [("widened", Consequence.STYLE)]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    folder = tmp_path / ".claude" / "agents"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("---\nname: a\ndescription: d\ntools: Read\n---\nx\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_convert_writes_where_the_harness_looks(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "--to", "opencode"]) == 0
    assert capsys.readouterr().out == ".claude/agents/a.md: wrote .opencode/agents/a.md\n"
    assert "read: allow" in (project / ".opencode/agents/a.md").read_text()
    assert run(["convert", "--to", "opencode", "--from", "claude-code"]) == 0
    assert capsys.readouterr().out == "The file is already current.\n"


def test_convert_overwrites_only_when_told_to(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = project / ".opencode" / "agents" / "a.md"
    there.parent.mkdir(parents=True)
    there.write_text("mine\n")
    assert run(["convert", "--to", "opencode", "--from", "claude-code"]) == 2
    assert there.read_text() == "mine\n"
    assert run(["convert", "--to", "opencode", "--from", "claude-code", "--diff"]) == 0
    assert there.read_text() == "mine\n"
    assert run(["convert", "--to", "opencode", "--from", "claude-code", "--force"]) == 0
    assert "read: allow" in there.read_text()
    assert "--force overwrites it" in capsys.readouterr().out


@pytest.mark.usefixtures("project")
def test_convert_with_nothing_to_convert() -> None:
    assert run(["convert", "--to", "claude-code"]) == 2
    assert run(["convert", "--to", "nobody"]) == 2


def test_a_name_goes_where_the_other_harness_has_no_field_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    path = tmp_path / ".github/prompts/go.prompt.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\nname: go\ndescription: d\n---\nDo it.\n")
    monkeypatch.chdir(tmp_path)
    assert run(["convert", "--to", "opencode"]) == 0
    assert (tmp_path / ".opencode/commands/go.md").read_text() == "---\ndescription: d\n---\nDo it.\n"


def test_several_targets_in_one_run(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "--to", "opencode", "--to", "gemini", "--to", "opencode"]) == 0
    assert capsys.readouterr().out == (
        ".claude/agents/a.md: wrote .opencode/agents/a.md\n.claude/agents/a.md: wrote .gemini/agents/a.md\n"
    )
    assert (project / ".gemini/agents/a.md").exists()


def test_a_file_of_one_target_is_converted_for_the_other(project: Path) -> None:
    assert run(["convert", "--to", "claude-code", "--to", "opencode"]) == 0
    assert (project / ".opencode/agents/a.md").exists()


@pytest.mark.usefixtures("project")
def test_out_is_made_and_an_absolute_one_is_shown_as_git_does(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path_factory.mktemp("elsewhere") / "not" / "there"
    assert run(["convert", "--to", "opencode", "--out", str(out), "--diff"]) == 0
    assert f"+++ b{out.as_posix()}/.opencode/agents/a.md\n" in capsys.readouterr().out
    assert not out.exists()
    assert run(["convert", "--to", "opencode", "--out", str(out)]) == 0
    assert (out / ".opencode/agents/a.md").exists()
    assert run(["convert", "--to", "opencode", "--out", ".claude/agents/a.md"]) == 2
    assert ".claude/agents/a.md: not a folder." in capsys.readouterr().err


def test_two_agents_for_one_file_are_both_named_and_not_written(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".github/agents").mkdir(parents=True)
    (project / ".github/agents/a.agent.md").write_text("---\ndescription: other\ntools: [read]\n---\nx\n")
    assert run(["convert", "--to", "opencode"]) == 2
    assert capsys.readouterr().out == (
        "error: .opencode/agents/a.md: .claude/agents/a.md and .github/agents/a.agent.md would both be written to this file; "
        "select one with --from claude-code or --from copilot, or convert only one\n"
    )
    assert not (project / ".opencode").exists()
    assert run(["convert", "--to", "opencode", "--from", "copilot"]) == 0
    assert "other" in (project / ".opencode/agents/a.md").read_text()


def test_two_agents_of_one_name_are_told_to_change_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".claude/agents/b.md").write_text("---\nname: A\ndescription: e\n---\nx\n")
    assert run(["convert", "--to", "opencode"]) == 2
    assert "rename one of them, or convert only one of them" in capsys.readouterr().out


def test_two_targets_with_one_place_are_told_apart(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "---\nname: a\ndescription: d\ntools: Read, LSP\nmodel: sonnet\n---\nx\n"
    (project / ".claude/agents/a.md").write_text(text)
    assert run(["convert", "--to", "copilot", "--to", "vscode"]) == 2
    assert "--to copilot and --to vscode write different files here" in capsys.readouterr().out
    assert not (project / ".github").exists()
    (project / ".claude/agents/a.md").write_text(text.replace(", LSP", ""))
    assert run(["convert", "--to", "copilot", "--to", "vscode"]) == 0
    assert capsys.readouterr().out.count("wrote .github/agents/a.agent.md") == 1


@pytest.mark.parametrize("kind", ["agent", "prompt"])
def test_a_tool_that_only_the_source_has_is_not_taken_for_one_of_a_server(kind: fsagent_lint.Kind) -> None:
    text = "---\nname: a\ndescription: d\ntools: [execute/runNotebookCell, read]\n---\nx\n"
    made = fsagent_lint.convert(fsagent_lint.load(text, harness="vscode", kind=kind), "copilot")
    assert not made.error
    assert "runNotebookCell" not in made.data.decode()
    assert [loss.message for loss in made.losses] == ["Copilot has no equivalent of RunNotebook; dropped."]
    quote = {"agent": '"', "prompt": "'"}[kind]
    assert f"tools: [{quote}read{quote}]" in made.data.decode()


def test_a_name_that_the_target_ignores_is_not_written() -> None:
    prompt = fsagent_lint.load("---\nname: a\ndescription: d\n---\nx\n", harness="vscode", kind="prompt")
    assert fsagent_lint.convert(prompt, "claude-code").data == b"---\ndescription: d\n---\nx\n"


@pytest.mark.parametrize("target", [id for id in HARNESSES if id not in ("claude-code", "qwen", "factory")])
def test_a_byte_order_mark_hides_nothing(target: str, project: Path) -> None:
    (project / ".claude/agents/a.md").write_bytes(
        b"\xef\xbb\xbf---\r\nname: a\r\ndescription: d\r\ntools: Read\r\n---\r\nDo it.\r\n"
    )
    assert run(["convert", "--to", target]) in (0, 1)
    made = project / get_harness(target).kinds["agent"].path.format(name="a")
    subject = Subject(Document(Source(str(made), made.read_bytes())), get_harness(target), "agent")
    assert subject.effect.loads
    assert subject.document.text_of("description") == "d"


def test_an_agent_without_a_name_has_that_of_its_file(project: Path) -> None:
    (project / ".claude/agents/a.md").write_text("---\ndescription: d\ntools: Read\n---\nx\n")
    assert run(["convert", "--to", "gemini"]) == 0
    assert "name: a\n" in (project / ".gemini/agents/a.md").read_text()


@pytest.mark.parametrize(
    ("name", "file", "path"),
    [
        ("Обзор", "review", "обзор"),
        ("Обзор v2", "review", "обзор-v2"),
        ("Café Crème", "c", "cafe-creme"),
        ("審査", "審査", "審査"),
        ("समीक्षक", "a", "समीक्षक"),
        ("検査: con", "a", "検査-con"),
        ("CON", "console", "console"),
        ("aux.", "helper", "helper"),
        ("lpt1.x", "b", "b"),
        ("git~1", "b", "git-1"),
        (".GIT", "b", "git"),
        ("a\u200b\u202eb", "b", "a-b"),
        ("..", "b", "b"),
        ("a" * 300, "b", "b"),
    ],
)
def test_names_keep_their_letters_and_mean_no_device(name: str, file: str, path: str, project: Path) -> None:
    if not (file + path).isascii() and sys.getfilesystemencoding() != "utf-8":
        pytest.skip("file names are ASCII here")
    (project / ".claude/agents/a.md").unlink()
    text = f"---\nname: {json.dumps(name)}\ndescription: d\ntools: Read\n---\nx\n"
    (project / f".claude/agents/{file}.md").write_text(text, encoding="utf-8")
    assert run(["convert", "--to", "opencode"]) == 0
    assert [each.name for each in (project / ".opencode/agents").glob("*")] == [f"{path}.md"]


@pytest.mark.parametrize(("name", "target"), [("審査", "gemini"), ("con", "opencode")])
def test_a_name_that_the_target_cannot_have_is_refused(
    name: str, target: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".claude/agents/a.md").unlink()
    text = f"---\nname: {name}\ndescription: d\ntools: Read\n---\nx\n"
    (project / f".claude/agents/{name}.md").write_text(text, encoding="utf-8")
    assert run(["convert", "--to", target]) == 2
    assert "neither its name nor its file name is usable" in capsys.readouterr().out


@pytest.mark.parametrize("names", [("Straße", "strasse"), ("й", "\u0438\u0306"), ("ΟΔΟΣ", "οδος"), ("A.B", "a.b")])
def test_agents_whose_files_would_be_one_are_both_reported(
    names: tuple[str, str], project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".claude/agents/a.md").unlink()
    for file, name in zip(("one", "two"), names, strict=True):
        text = f"---\nname: {name}\ndescription: d\ntools: Read\n---\n{file}\n"
        (project / f".claude/agents/{file}.md").write_text(text, encoding="utf-8")
    assert run(["convert", "--to", "opencode"]) == 2
    output = capsys.readouterr().out
    assert ".claude/agents/one.md and .claude/agents/two.md would both be written to this file" in output
    assert not (project / ".opencode").exists()


def test_a_target_folder_that_leads_out_of_the_project_is_refused(
    project: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (project / ".opencode").symlink_to(outside)
    assert run(["convert", "--to", "opencode"]) == 2
    assert ".opencode/agents/a.md: is outside the project; not written" in capsys.readouterr().out
    assert list(outside.iterdir()) == []
