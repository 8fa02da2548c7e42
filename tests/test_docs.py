"""The documentation is what the program does: pages are current, commands run, links lead somewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import get_type_hints

import click
import pytest
import yaml

from docgen import code, fsagent, surprises
from docgen.__main__ import ROOT, TRUTH, generate, main, stale
from docgen.markdown import fill, table
from docgen.outcome import outcome
from docgen.recordings import Recordings
from docgen.rules import file_name
from docgen.transcript import replay, run, write_files
from fsagent_lint.audit.facts import State
from fsagent_lint.audit.formats import FORMATS as AUDIT_FORMATS
from fsagent_lint.audit.policy import read_policy
from fsagent_lint.cli.main import cli
from fsagent_lint.cli.outputs import FORMATS
from fsagent_lint.harnesses.tables import harness_ids
from fsagent_lint.project.config import load_settings
from fsagent_lint.project.settings import Options
from fsagent_lint.rules import all_rules

README = (ROOT / "README.md").read_text(encoding="utf-8")
CONFIGURATION = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
CONVERT = (ROOT / "docs/convert.md").read_text(encoding="utf-8")
AUDIT = (ROOT / "docs/audit.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


ENDLESS = {"--watch", "server"}
"""What runs until it is stopped."""


def commands() -> list[str]:
    """Every command of the program, in the README and on the pages beside it, that shows no output."""
    texts = [
        block
        for text in (README, CONFIGURATION, CONVERT, AUDIT)
        for name in ("sh", "yaml")
        for block in blocks(text, name)
    ]
    lines = [line for text in texts for line in text.splitlines()]
    found = (re.match(r"(?:\s*- run: )?(fsagent-lint .*?|fsagent-lint)\s*(?:#.*)?$", line) for line in lines)
    return [match[1] for match in found if match and not ENDLESS.intersection(match[1].split())]


def git(folder: Path, *args: str) -> None:
    settings = ("user.name=a", "user.email=a@b", "commit.gpgsign=false")
    command = ["git", *(word for setting in settings for word in ("-c", setting)), *args]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    subprocess.run(command, cwd=folder, env=environment, check=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """What the README speaks of: its example files, committed, and the paths that its commands name."""
    if shutil.which("git") is None:
        pytest.skip("needs git")
    write_files(README, tmp_path)
    for folder in ("path/to/project", "agents", "notes"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "notes/helper.md").write_text("---\nname: helper\ndescription: Helps.\ntools: Read\n---\n")
    (tmp_path / "fsagent-lint.toml").write_text("[sync]\nsource = '.claude/agents'\ntargets = ['opencode']\n")
    (tmp_path / "fsagent-lint-baseline.json").write_text('{"version": 1, "findings": []}')
    git(tmp_path, "init", "--quiet")
    for message in ("first", "second"):
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "--quiet", "--allow-empty", "--message", message)
    git(tmp_path, "update-ref", "refs/remotes/origin/main", "HEAD~1")
    return tmp_path


def test_generated_files_are_current() -> None:
    assert stale(ROOT, generate(ROOT)) == []


def test_check_names_what_is_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("docgen.__main__.ROOT", tmp_path)
    (tmp_path / "README.md").write_text(README, encoding="utf-8", newline="\n")
    for name in (
        "CONTRIBUTING.md",
        "docs/README.md",
        "docs/convert.md",
        "docs/audit.md",
        fsagent.PAGE,
        code.CHOICES,
        code.TOOL,
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    assert main([]) == 0
    capfd.readouterr()
    assert (main(["--check"]), capfd.readouterr().out) == (0, "")
    (tmp_path / "docs/tools.md").write_text("old")
    (tmp_path / "docs/rules/FA000-gone.md").write_text("old")
    assert main(["--check"]) == 1
    assert capfd.readouterr().out.splitlines()[:2] == [
        "docs/rules/FA000-gone.md is not current",
        "docs/tools.md is not current",
    ]
    assert main([]) == 0
    assert not (tmp_path / "docs/rules/FA000-gone.md").exists()
    assert main(["--check"]) == 0


def test_every_rule_and_harness_has_its_page() -> None:
    rules = {path.name for path in (ROOT / "docs/rules").iterdir()}
    assert rules == {"README.md", *(file_name(rule) for rule in all_rules())}
    harnesses = {path.name for path in (ROOT / "docs/harnesses").iterdir()}
    assert harnesses == {"README.md", *(f"{id}.md" for id in harness_ids())}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$|`[^`\n]+`", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    links = [link.partition("#") for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    assert [path for path, _, _ in links if path and not (page.parent / path).is_file()] == []
    targets = [(page.parent / path if path else page, anchor) for path, _, anchor in links if anchor]
    assert [(target, anchor) for target, anchor in targets if anchor not in anchors(target)] == []


def anchors(page: Path) -> set[str]:
    """What GitHub makes of the headings of a page."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_shown_output_is_what_the_program_prints() -> None:
    shown = blocks(README, "console")
    assert len(shown) >= 2 and all(block.count("\n") > 2 for block in shown)
    assert replay(README) == README


def test_replay_shows_new_output() -> None:
    text = "`.claude/agents/a.md`:\n\n```markdown\nx\n```\n\n```console\n$ fsagent-lint --version\nold\n```\n"
    assert "old" not in replay(text)
    with pytest.raises(ValueError, match="not a command of this program"):
        replay("```console\n$ rm -r x\n```\n")


@pytest.mark.parametrize("command", commands())
def test_commands_run(command: str, project: Path) -> None:
    done = run(command, project)
    assert done.returncode in (0, 1), done.stdout
    assert "Traceback" not in done.stdout


def test_there_are_commands() -> None:
    assert len(commands()) > 15
    assert any("--output-format" in command for command in commands())


def test_the_test_command_is_the_one_that_ci_runs() -> None:
    (command,) = [line for block in blocks(README, "sh") for line in block.splitlines() if "pytest" in line]
    assert f'run "{command}"' in (ROOT / ".ci/run").read_text(encoding="utf-8")


def test_options_exist() -> None:
    context = click.Context(cli)
    programs = [cli, *(cli.get_command(context, name) for name in cli.list_commands(context))]
    known = {option for program in programs if program for parameter in program.params for option in parameter.opts}
    mentioned = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README + CONFIGURATION + CONVERT + AUDIT))
    assert mentioned - known == set()


def test_every_output_format_is_named() -> None:
    assert [name for name in FORMATS if f"| `{name}` |" not in CONFIGURATION] == []
    assert [name for name in AUDIT_FORMATS if f"| `{name}` |" not in AUDIT] == []
    assert [state.value for state in State if f"| `{state}` |" not in AUDIT] == []


def test_the_config_is_legal_and_complete(tmp_path: Path) -> None:
    whole, *others = blocks(CONFIGURATION, "toml") + blocks(README, "toml") + blocks(AUDIT, "toml")
    for block in (whole, *others):
        file = tmp_path / "fsagent-lint.toml"
        file.write_text(block, encoding="utf-8")
        read_policy(load_settings(str(file)))
    keys = {name.replace("_", "-") for name in get_type_hints(Options)}
    assert set(tomllib.loads(whole)) == keys


def test_the_comment_silences_the_finding(project: Path) -> None:
    (block,) = [block for block in blocks(README, "markdown") if "fsagent: ignore" in block]
    (project / ".claude/agents/reviewer.md").write_text(block, encoding="utf-8")
    done = run("fsagent-lint --isolated .claude", project)
    assert (done.returncode, done.stdout) == (0, "No problems in 1 file (suppressed: 1 by comments).\n")


def test_yaml_is_valid() -> None:
    for block in [*blocks(README, "yaml"), *blocks(CONFIGURATION, "yaml")]:
        assert yaml.safe_load(block)


def test_the_table_to_start_from_is_legal(tmp_path: Path) -> None:
    [block] = blocks(CONTRIBUTING, "toml")
    (tmp_path / "example.toml").write_text(block, encoding="utf-8")
    (tmp_path / "fsagent-lint.toml").write_text("harness-tables = ['example.toml']\n", encoding="utf-8")
    assert list(load_settings(str(tmp_path / "fsagent-lint.toml")).tables) == ["example"]


def test_a_region_must_be_there() -> None:
    assert fill("<!-- begin:a -->\nold\n<!-- end:a -->\n", "a", "new") == "<!-- begin:a -->\n\nnew\n<!-- end:a -->\n"
    with pytest.raises(ValueError, match="there is no region 'b'"):
        fill("<!-- begin:b -->\n", "b", "new")


def test_a_table_keeps_its_columns() -> None:
    assert table(["a"], [["x|y\nz"]]) == "| a |\n| --- |\n| x\\|y z |\n"


RECORDINGS = Recordings(TRUTH)


@pytest.mark.parametrize(
    ("harness", "id", "said"),
    [
        ("claude-code", "csv", "only `Grep`, `Read`"),
        ("claude-code", "csv-lower", "no tools"),
        ("opencode", "csv", "not loaded"),
        ("opencode", "tools-off-bash", "every tool but `bash`"),
        ("opencode", "tools-perm-string-tools", "every tool, and `question`"),
        ("copilot", "unknown-only", "no tools"),
    ],
)
def test_an_outcome_is_what_was_recorded(harness: str, id: str, said: str) -> None:
    assert outcome(RECORDINGS.get(harness, id), RECORDINGS) == said


def choose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, same: str, show: str, kind: str = "wider") -> None:
    choice = tmp_path / "surprises.toml"
    choice.write_text(f"same = [{same}]\n[[groups]]\ntitle = 't'\nabout = 'a'\nkind = '{kind}'\nshow = {{{show}}}\n")
    monkeypatch.setattr(surprises, "CHOICE", choice)


@pytest.mark.parametrize(
    ("same", "show", "problem"),
    [
        ("", "opencode = ['gone']", "there is no recording 'gone' of opencode"),
        ("", "opencode = ['csv']", "opencode: 'csv' is not wider"),
        ("", "claude-code = ['csv']", "claude-code: 'csv' is not wider"),
        ("'name-Read'", "opencode = []", "the recordings 'name-Read' are not of the same file"),
    ],
)
def test_a_surprise_must_be_one(
    same: str, show: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(tmp_path, monkeypatch, same, show)
    with pytest.raises(ValueError, match=problem):
        surprises.page(RECORDINGS)


def test_what_lay_beside_an_agent_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose(tmp_path, monkeypatch, "", "claude-code = ['file-settings-deny']", "beside")
    page = surprises.page(RECORDINGS)
    assert "Next to it, `.claude/settings.json`:" in page
    assert "**The agent has only `Edit`, `Read`.**" in page


def test_roles_servers_and_calls_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    servers = {"db": ["query"]}
    calls = [{"tool": "Bash", "input": {"command": "git init x"}}]
    usual = ["Bash", "Read", "mcp__db__query"]
    probes: list[dict[str, object]] = [
        {"id": "all", "servers": servers, "tools": usual},
        {"id": "deny", "servers": servers, "frontmatter": "disallowedTools: mcp__db", "tools": ["Bash", "Read"]},
        {"id": "sub", "role": "subagent", "servers": servers, "tools": ["Read", "mcp__db__query"]},
        {
            "id": "cmd",
            "role": "command",
            "frontmatter": "allowed-tools: Read",
            "tools": usual,
            "calls": calls,
            "ran": False,
        },
    ]
    data = [{"frontmatter": "", "loads": True, "error": None, **probe} for probe in probes]
    recording = {"harness": "claude-code", "version": "1", "recorded": "2026-11-18", "probes": data}
    (tmp_path / "truth/claude-code/1").mkdir(parents=True)
    (tmp_path / "truth/claude-code/1/some.json").write_text(json.dumps(recording))
    recordings = Recordings(tmp_path / "truth")

    choose(tmp_path, monkeypatch, "", "claude-code = ['deny']", "beside")
    page = surprises.page(recordings)
    assert "Claude Code 1 (4 files, 2026-11-18)" in page
    assert "With the MCP server `db` (`query`):" in page
    assert "**The agent has every tool but `mcp__db__query`.**" in page
    choose(tmp_path, monkeypatch, "", "claude-code = ['sub']", "subagent")
    assert "**The subagent has every tool but `Bash`.**" in surprises.page(recordings)
    choose(tmp_path, monkeypatch, "", "claude-code = ['cmd']", "ran")
    assert "In a command:" in surprises.page(recordings)
    assert "**`git init x` does not run.**" in surprises.page(recordings)
    choose(tmp_path, monkeypatch, "", "claude-code = ['deny']", "ran")
    with pytest.raises(ValueError, match="claude-code: 'deny' is not ran"):
        surprises.page(recordings)
