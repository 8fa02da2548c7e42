"""The Python interface: its names, its page, and what it promises beyond the command line."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import frontmatter
import pytest

import fsagent_lint
from docgen.__main__ import ROOT
from docgen.transcript import write_files
from fsagent_lint import NO_CONFIG, Agent, HarnessId, Policy, Tool, UserError
from fsagent_lint.cli.main import run

PAGE = (ROOT / "docs/api.md").read_text(encoding="utf-8")
PUBLIC = dir(fsagent_lint)
IDS: tuple[HarnessId, ...] = ("claude-code", "opencode", "copilot", "vscode", "gemini")
BAD = "---\nname: {name}\ndescription: Does things.\ntools: read\n---\nYou do things.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three agents with a mistake each, and the current folder."""
    (tmp_path / ".claude/agents").mkdir(parents=True)
    for name in ("a", "b", "c"):
        (tmp_path / f".claude/agents/{name}.md").write_text(BAD.format(name=name), encoding="utf-8", newline="\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ------------------------------------------------------------------------------------------------------- names


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    return done.stdout.strip()


def test_public_api() -> None:
    assert [name for name in PUBLIC if not hasattr(fsagent_lint, name)] == []
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = fsagent_lint.nothing  # type: ignore[attr-defined]


def test_every_public_name_is_on_the_page_and_has_a_docstring() -> None:
    for name in PUBLIC:
        assert f"`{name}`" in PAGE
    for function in (fsagent_lint.load, fsagent_lint.lint, fsagent_lint.fix, fsagent_lint.convert, Agent):
        assert function.__doc__


@pytest.mark.usefixtures("unmeasured")
def test_the_import_brings_nothing_along() -> None:
    code = (
        "import sys, fsagent_lint; print(fsagent_lint.__version__, *(m for m in sys.modules if 'fsagent_lint.' in m))"
    )
    assert python(code) == fsagent_lint.__version__


def test_reading_and_judging_needs_neither_of_the_slow_packages() -> None:
    code = "import sys, fsagent_lint as f; f.load('---\\ndescription: x\\ntools: Read\\n---\\n', harness='claude-code')"
    slow = "print(*(m for m in ('frontmatter', 'ruamel.yaml', 'libcst', 'click') if m in sys.modules))"
    assert python(f"{code}; {slow}") == ""


@pytest.mark.parametrize("first", ["fsagent_lint.converter.convert", "fsagent_lint.api", "fsagent_lint.cli.main"])
def test_convert_is_the_function_whatever_was_imported_before(first: str) -> None:
    assert python(f"import {first}, fsagent_lint; print(fsagent_lint.convert.__module__)") == "fsagent_lint.api"


NAMES = {
    "fsagent_lint": "Action Agent ConvertRun Converted Enricher FileResult FixRun HarnessId Kind NO_CONFIG OutputType Policy "
    "PolicyRule RegisteredTool Registry Result Risk ScopedTool SyncResult Tool ToolFormat ToolLike UserError __version__ "
    "check_iter compose convert convert_all fix harness_id lint lint_text load registry sync",
    "fsagent_lint.rules": "AGENT_FILES ALL_AGENTS Action Bad ClassifiedItem Consequence DATA_FILES Edit Family Finding Fix Good Group Kind "
    "MARKDOWN_FILES Profile Project Related Rule Safety Sort Span Subject Trait Verdict all_rules",
    "fsagent_lint.testing": "check_example fix_example messages unmark",
    "fsagent_lint.enrich": "Action Agent Enricher HarnessId Policy PolicyRule compose",
    "fsagent_lint.tool": "Risk ScopedTool Tool ToolLike",
}


@pytest.mark.parametrize("module", NAMES)
def test_public_names_change_on_purpose_only(module: str) -> None:
    assert sorted(importlib.import_module(module).__all__) == NAMES[module].split()


# -------------------------------------------------------------------------------------------------------- page


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def run_the_page(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names that its examples define, after all of them have run."""
    write_files(PAGE, folder)
    assert (folder / ".claude/agents/reviewer.md").is_file()
    monkeypatch.chdir(folder)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks("pycon")), {}, "api.md", "docs/api.md", 0)
    assert len(examples.examples) > 25
    told: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(examples, out=told.append, clear_globs=False)
    assert "".join(told) == ""
    return examples.globs


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "composed" in run_the_page(tmp_path, monkeypatch)


def test_an_enricher_and_its_entry_in_the_config_have_the_same_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = run_the_page(tmp_path, monkeypatch)
    entries = [block for block in blocks("toml") if block.startswith("[[enrich]]")]
    functions = [names[name] for name in ("for_one_agent", "for_one_harness", "by_tags", "composed")]
    tools = [Tool.Read, Tool.Shell, Tool.mcp("web")]
    agents = [
        Agent(name=name, description="d", tools=tools, fields=fields, prompt="You help.")
        for name in ("reviewer", "other")
        for fields in ({}, {"tags": ["web", "code"]})
    ]
    changed = 0
    for function, entry in zip(functions, entries, strict=True):
        Path("own.toml").write_text(entry)
        for agent in agents:
            for harness in IDS:
                plain = agent.write(harness, config=NO_CONFIG)
                by_function = agent.write(harness, config=NO_CONFIG, enrich=function)
                assert by_function == agent.write(harness, config="own.toml")
                changed += by_function != plain
    assert changed > len(entries)


def test_the_commands_of_the_page_print_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from fsagent_lint.cli.main import run

    write_files(PAGE, tmp_path)
    monkeypatch.chdir(tmp_path)
    (commands,), (shown,) = blocks("sh"), blocks("json")
    lines = [line.partition("#")[0].split() for line in commands.splitlines()]
    assert len(lines) == 3
    assert (run(lines[0][1:]), capfd.readouterr().out) == (0, shown)
    assert {run(line[1:]) for line in lines[1:]} <= {0, 1}


# -------------------------------------------------------------------------------------------------------- load


def test_load_takes_a_path_object(project: Path) -> None:
    agent = fsagent_lint.load(project / ".claude/agents/a.md")
    assert (agent.name, agent.harness, agent.kind) == ("a", "claude-code", "agent")
    assert agent.path.endswith("/.claude/agents/a.md")


@pytest.mark.usefixtures("project")
def test_load_reads_what_the_caller_says_it_is() -> None:
    agent = fsagent_lint.load(".claude/agents/a.md", harness="opencode")
    assert (agent.harness, agent.effect().loads) == ("opencode", False)
    skill = fsagent_lint.load(BAD, harness="claude-code", kind="skill")
    assert skill.kind == "skill"


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        ("gone.md", {}, "gone.md: no such file or folder"),
        (".", {}, "a folder, not a regular file"),
        ("just text\n", {}, "its harness cannot be determined"),
        (BAD, {"harness": "nobody"}, "There is no harness `nobody`"),
        (BAD, {"harness": "claude-code", "kind": "mode"}, "Claude Code has no kind `mode`; it has agent, skill"),
        ("a\0b", {}, "cannot be read"),
    ],
)
def test_load_says_what_is_wrong(
    source: str, options: dict[str, Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=re.escape(message)):
        fsagent_lint.load(source, **options)


def test_load_uses_the_config(project: Path) -> None:
    (project / "fsagent-lint.toml").write_text(
        'mcp-servers = ["db"]\n[[paths]]\nglob = "mine/*.md"\nharness = "opencode"\n'
    )
    (project / "mine").mkdir()
    (project / "mine/x.md").write_text("---\ndescription: x\npermission: {'*': deny, db_query: allow}\n---\n")
    agent = fsagent_lint.load("mine/x.md")
    assert (agent.harness, [str(tool) for tool in agent.policy.named()]) == ("opencode", ["mcp:db/query"])


def test_a_broken_file_is_read_as_far_as_it_goes() -> None:
    agent = fsagent_lint.load("---\nname: a\ndescription: Use it: always\ntools: [Read\n---\nBody\n", harness="copilot")
    assert (agent.description, agent.prompt) == ("Use it: always", "Body")


def test_a_file_without_frontmatter_is_all_prompt() -> None:
    agent = fsagent_lint.load("\ufeffDo it.\n\nNow.\n", harness="claude-code", kind="command")
    assert (agent.frontmatter, agent.prompt, agent.description) == ({}, "Do it.\n\nNow.", None)


def test_values_are_plain_and_exact() -> None:
    fields = "hex: 0x1F\noctal: 0o17\nhuge: 123456789012345678901234567890\nyes: yes\nday: 2024-01-01\nnan: .nan\n"
    shared = "base: &base {a: [1, 2.5]}\nagain: *base\nnothing: ~\n"
    agent = fsagent_lint.load(f"---\ndescription: x\n{fields}{shared}digits: {'9' * 5000}\n---\n", harness="copilot")
    assert agent.fields == {
        "hex": 31,
        "octal": 15,
        "huge": 123456789012345678901234567890,
        "yes": "yes",
        "day": "2024-01-01",
        "nan": ".nan",
        "base": {"a": [1, 2.5]},
        "again": {"a": [1, 2.5]},
        "nothing": None,
        "digits": "9" * 5000,
    }


def test_a_name_that_is_not_what_the_harness_knows_it_by_stays_a_field() -> None:
    agent = fsagent_lint.load("---\nname: The Boss\ndescription: x\n---\n", harness="canonical", kind="agent")
    assert (agent.name, agent.fields) == ("agent", {"name": "The Boss"})


def test_tools_that_are_only_approved_stay_a_field() -> None:
    skill = fsagent_lint.load("---\nname: x\nallowed-tools: Read\n---\n", harness="claude-code", kind="skill")
    assert skill.fields["allowed-tools"] == "Read"


def test_effect_of_a_harness_that_has_no_such_files() -> None:
    agent = fsagent_lint.load(BAD, harness="claude-code", kind="skill")
    with pytest.raises(UserError, match="There is no harness `x`"):
        agent.effect("x")  # type: ignore[arg-type]
    mode = fsagent_lint.load("---\ndescription: x\n---\n", harness="opencode", kind="mode")
    with pytest.raises(UserError, match="Claude Code has no modes"):
        mode.effect("claude-code")


def test_a_post_is_what_python_frontmatter_makes_of_the_file() -> None:
    text = "---\nname: a\ncontent: c\nhandler: h\nn: 3\nlist: [x, {y: true}]\n---\n\nBody\n\n- x\n"
    post = fsagent_lint.load(text, harness="claude-code").to_post()
    other = frontmatter.loads(text.replace("content: c\nhandler: h\n", ""))
    assert {**post.metadata} == {**other.metadata, "content": "c", "handler": "h"}
    assert post.content == other.content
    assert frontmatter.loads(frontmatter.dumps(post).replace("handler: h\n", "").replace("content: c\n", ""))["n"] == 3


# ----------------------------------------------------------------------------------------------- lint and fix


def test_lint_goes_by_paths_and_rules(project: Path) -> None:
    assert len(fsagent_lint.lint().findings) == 3
    one = fsagent_lint.lint(project / ".claude/agents/a.md")
    assert [found.finding.name for found in one.findings] == ["wrong-case-tool"]
    assert fsagent_lint.lint([".claude/agents/a.md", ".claude/agents/b.md"], ignore=["FA1"]).files == 2
    assert fsagent_lint.lint(ignore="wrong-case-tool").findings == []
    config = project / "other.toml"
    config.write_text('ignore = ["FA102"]\n')
    assert fsagent_lint.lint(config=config).findings == []


@pytest.mark.usefixtures("project")
def test_a_dash_is_a_file_like_any_other() -> None:
    assert [problem.path for problem in fsagent_lint.lint("-").errors] == ["-"]


@pytest.mark.usefixtures("project")
def test_lint_for_another_harness() -> None:
    assert {found.finding.name for found in fsagent_lint.lint(target="opencode").findings} >= {"tool-format"}
    with pytest.raises(UserError, match="There is no harness `copilott`"):
        fsagent_lint.lint(target="copilott")  # type: ignore[arg-type]


def test_lint_without_a_config(project: Path) -> None:
    (project / "fsagent-lint.toml").write_text('ignore = ["FA1"]\n')
    assert fsagent_lint.lint().findings == []
    assert len(fsagent_lint.lint(config=fsagent_lint.NO_CONFIG).findings) == 3


def grouped(results: Iterable[fsagent_lint.FileResult]) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for each in results:
        found.setdefault(each.path, []).extend((*each.findings, *each.errors))
    return {path: values for path, values in found.items() if values}


def test_check_iter_finds_what_lint_finds(project: Path) -> None:
    (project / ".claude/agents/d.md").write_text(BAD.format(name="a"))  # the name of another one
    (project / ".claude/agents/e.md").write_bytes(b"---\nname: \xff\n---\n")
    named = [".", "gone.md"]
    result = fsagent_lint.lint(named)
    whole: dict[str, list[object]] = {}
    for path, each in [(each.path, each) for each in result.findings] + [(each.path, each) for each in result.errors]:
        whole.setdefault(path, []).append(each)
    found = grouped(fsagent_lint.check_iter(named))
    assert found.keys() == whole.keys()
    assert all(sorted(map(repr, found[path])) == sorted(map(repr, whole[path])) for path in found)
    assert "duplicate-agent" in {each.finding.name for each in result.findings}


@pytest.mark.usefixtures("project")
def test_check_iter_does_no_more_than_it_is_asked_for() -> None:
    results = fsagent_lint.check_iter()
    Path(".claude/agents/b.md").unlink()
    assert next(results).path == ".claude/agents/a.md"
    Path(".claude/agents/c.md").unlink()
    assert [each.errors[0].message for each in results if each.errors] == ["cannot be read: No such file or directory"]


def test_check_iter_keeps_its_config_whatever_happens_in_between(project: Path) -> None:
    (project / "fsagent-lint.toml").write_text('custom-tools = ["read"]\n')
    results = fsagent_lint.check_iter(select="FA1")
    fsagent_lint.lint(config=fsagent_lint.NO_CONFIG)
    assert [each.findings for each in results] == [(), (), ()]
    with pytest.raises(UserError, match="There is no rule"):
        fsagent_lint.check_iter(select="nonsense")


def test_check_iter_knows_the_baseline(project: Path) -> None:
    assert run(["--write-baseline", "known.json", ".claude/agents/a.md"]) == 0
    (project / "fsagent-lint.toml").write_text('baseline = "known.json"\n')
    assert [*grouped(fsagent_lint.check_iter())] == [".claude/agents/b.md", ".claude/agents/c.md"]


def test_a_text_is_checked_as_the_file_that_it_will_be(project: Path) -> None:
    path = project / ".claude/agents/a.md"
    text = path.read_text()
    assert fsagent_lint.lint_text(text, path) == fsagent_lint.lint(path)
    assert fsagent_lint.lint_text(text.replace("read", "Read"), path).findings == []
    path.unlink()
    assert len(fsagent_lint.lint_text(text.encode(), ".claude/agents/a.md").findings) == 1
    assert fsagent_lint.lint_text(text, "new.md").files == 1  # by its content
    (project / "fsagent-lint.toml").write_text('exclude = [".claude"]\n')
    assert fsagent_lint.lint_text(text, path).files == 0


@pytest.mark.usefixtures("project")
def test_a_text_that_is_no_agent() -> None:
    result = fsagent_lint.lint_text("# Notes\n", "notes.md")
    assert (result.files, result.findings, result.notes) == (
        0, [], ["1 file not recognised as agents; set their harness with --harness"]
    )  # fmt: skip
    assert fsagent_lint.lint_text("# Notes\n", "notes.md", harness="claude-code").files == 1
    assert fsagent_lint.lint_text("x = 1\n", "notes.py").files == 0
    assert fsagent_lint.lint_text("---\nname: x\n---\n", ".agents/agents/x.md").findings[0].finding.name == (
        "unclear-harness"
    )


def test_a_text_is_compared_with_the_same_agent_of_other_harnesses(project: Path) -> None:
    (project / ".opencode/agents").mkdir(parents=True)
    (project / ".opencode/agents/a.md").write_text("---\ndescription: Does things.\n---\nYou do things.\n")
    text = (project / ".claude/agents/a.md").read_text().replace("read", "Read")
    found = fsagent_lint.lint_text(text, project / ".claude/agents/a.md").findings
    assert [each.finding.name for each in found] == ["agents-differ"]


@pytest.mark.usefixtures("project")
def test_progress_and_cancellation() -> None:
    seen: list[tuple[int, int, str]] = []

    def progress(done: int, total: int, path: str) -> None:
        seen.append((done, total, path))

    result = fsagent_lint.lint(progress=progress, cancelled=lambda: len(seen) == 2)
    assert seen == [(1, 3, ".claude/agents/a.md"), (2, 3, ".claude/agents/b.md")]
    assert (result.files, len(result.findings)) == (2, 2)


def test_what_was_fixed_before_a_cancellation_stays_fixed(project: Path) -> None:
    seen: list[str] = []
    run = fsagent_lint.fix((), progress=lambda *told: seen.append(told[2]), cancelled=lambda: bool(seen))
    assert run.result.changed == seen == [".claude/agents/a.md"]
    assert (project / ".claude/agents/a.md").read_text() == BAD.format(name="a").replace("read", "Read")
    assert (project / ".claude/agents/b.md").read_text() == BAD.format(name="b")


@pytest.mark.usefixtures("project")
def test_an_error_in_a_callback_reaches_the_caller() -> None:
    def progress(*told: object) -> None:
        raise KeyError(told)

    with pytest.raises(KeyError):
        fsagent_lint.lint(progress=progress)


def test_fix_writes_only_if_asked_to(project: Path) -> None:
    run = fsagent_lint.fix(".", write=False)
    assert len(run.result.changed) == 3
    assert run.diff.count("+tools: Read") == 3
    assert (project / ".claude/agents/a.md").read_text() == BAD.format(name="a")
    assert fsagent_lint.fix(".").result.fixed == 3
    assert fsagent_lint.fix(".").diff == ""


def test_fix_for_another_harness_where_no_harness_reads_the_folder(project: Path) -> None:
    (project / "agents").mkdir()
    for path in ("agents/d.md", ".claude/agents/e.md"):
        (project / path).write_text(BAD.format(name=Path(path).stem).replace("read", "Read"))
    run = fsagent_lint.fix(["agents/d.md", ".claude/agents/e.md"], target="copilot")
    assert run.result.changed == ["agents/d.md"]
    assert 'tools: ["read"]\n' in (project / "agents/d.md").read_text()
    [refused] = run.result.findings
    assert (refused.path, refused.finding.name) == (".claude/agents/e.md", "tool-format")
    assert "convert --to copilot" in refused.finding.message


def test_fix_in_another_form(project: Path) -> None:
    fsagent_lint.fix(".claude/agents/b.md", tool_format="list")
    assert "tools:\n  - Read\n" in (project / ".claude/agents/b.md").read_text()
    (project / "fsagent-lint.toml").write_text('tool-format = "list"\n')
    fsagent_lint.fix(".claude/agents/c.md")
    assert "tools:\n  - Read\n" in (project / ".claude/agents/c.md").read_text()
    (project / "fsagent-lint.toml").write_text('[tool-format]\nclaude-code = "native"\nopencode = "list"\n')
    fsagent_lint.fix(".claude/agents/c.md")
    assert "tools: Read\n" in (project / ".claude/agents/c.md").read_text()


# ----------------------------------------------------------------------------------------------------- convert


@pytest.mark.usefixtures("project")
def test_convert_takes_paths_texts_and_agents() -> None:
    by_path = fsagent_lint.convert(".claude/agents/a.md", "copilot")
    by_text = fsagent_lint.convert(BAD.format(name="a"), "copilot", harness="claude-code")
    by_agent = fsagent_lint.convert(fsagent_lint.load(".claude/agents/a.md"), "copilot")
    assert by_path == by_agent
    assert by_path.data == by_text.data
    assert by_path.path == ".github/agents/a.agent.md"
    assert not os.path.exists(by_path.path)


@pytest.mark.usefixtures("project")
def test_convert_says_why_not() -> None:
    assert fsagent_lint.convert("---\nname: a\n---\n", "copilot", harness="claude-code").error
    with pytest.raises(UserError, match="There is no harness `x`"):
        fsagent_lint.convert(".claude/agents/a.md", "x")  # type: ignore[arg-type]


def test_convert_to_its_own_harness_keeps_every_field() -> None:
    text = "---\nname: a\ndescription: x\ntools: read\nmodel: some-model\nmcpServers: [db]\n---\nYou.\n"
    made = fsagent_lint.convert(text, "claude-code", harness="claude-code")
    assert (made.data.decode(), made.losses) == (text.replace("read", "Read"), ())


def test_enrichers_of_the_config_come_first(project: Path) -> None:
    (project / "fsagent-lint.toml").write_text('[[enrich]]\nadd = ["Grep", "Shell"]\n')

    def without_shell(harness: HarnessId, agent: Agent, policy: Policy) -> Policy:
        assert (harness, agent.name) == ("opencode", "a")
        return policy.without(Tool.Shell)

    made = fsagent_lint.convert(".claude/agents/a.md", "opencode", enrich=without_shell)
    assert b"  read: allow\n  grep: allow\n" in made.data
    assert b"bash: allow" not in made.data
