"""A bug is not a finding: it ends the check of one file, is reported as what it is, and the run goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from fsagent_lint.cli.main import run
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.rules import Edit, Finding, Fix, Rule, Safety, Span, Subject
from fsagent_lint.rules.agents_differ import AgentsDiffer
from fsagent_lint.rules.unknown_tool import UnknownTool

AGENT = "---\nname: {name}\ndescription: d\ntools: Raed\n---\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / ".claude/agents"
    folder.mkdir(parents=True)
    for name in ("bad", "good"):
        (folder / f"{name}.md").write_text(AGENT.format(name=name), encoding="utf-8", newline="\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def only_in(name: str) -> object:
    """What `check` becomes in a rule that raises on one file."""
    check = UnknownTool.check

    def raising(self: Rule, subject: Subject) -> Iterator[Finding]:
        if subject.document.stem == name:
            raise ValueError("no such luck")
        return check(self, subject)  # type: ignore[arg-type]

    return raising


MESSAGE = "internal error in unknown-tool on .claude/agents/bad.md: ValueError: no such luck, please report it"


def test_a_rule_that_raises(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(UnknownTool, "check", only_in("bad"))
    assert run([]) == 2
    output = capsys.readouterr().out
    assert f"error: {MESSAGE}\n" in output
    assert ".claude/agents/good.md:4:8: error FA101 [unknown-tool]" in output
    assert "1 file could not be processed." in output
    assert "Traceback" not in output
    assert project.is_dir()


@pytest.mark.usefixtures("project")
def test_the_traceback_is_for_those_who_ask(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(UnknownTool, "check", only_in("bad"))
    assert run(["-v"]) == 2
    output = capsys.readouterr().out
    assert "note: Traceback (most recent call last):" in output
    assert "note: ValueError: no such luck" in output


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("arguments", [["--fix"], ["--diff"], []])
@pytest.mark.parametrize("output", ["json", "github", "sarif"])
def test_every_way_to_run_and_to_report(
    arguments: list[str], output: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(UnknownTool, "check", only_in("bad"))
    before = Path(".claude/agents/bad.md").read_bytes()
    assert run([*arguments, "--unsafe-fixes", "--output-format", output]) == 2
    report = capsys.readouterr().out
    assert report.count("internal error in unknown-tool on .claude/agents/bad.md: ValueError") == 1
    if output == "json":
        assert json.loads(report)["errors"] == [{"path": ".claude/agents/bad.md", "message": MESSAGE}]
    assert Path(".claude/agents/bad.md").read_bytes() == before
    fixed = "tools: Read" in Path(".claude/agents/good.md").read_text(encoding="utf-8")
    assert fixed == ("--fix" in arguments)


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], project: Path) -> None:
    monkeypatch.setattr(UnknownTool, "check", only_in("bad"))
    for arguments in ([], ["--fix"]):
        with open(project / ".claude/agents/bad.md", encoding="utf-8") as stream:
            monkeypatch.setattr("sys.stdin", stream)
            assert run([*arguments, "--stdin-filename", ".claude/agents/bad.md", "-", "-v"]) == 2
        output = "".join(capsys.readouterr())
        assert MESSAGE in output and "Traceback" in output
        assert (AGENT.format(name="bad") in output) == (arguments == ["--fix"])


@pytest.mark.usefixtures("project")
def test_a_reader_that_raises(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    begin = Source.__init__

    def raising(self: Source, path: str, data: bytes) -> None:
        if path.endswith("bad.md"):
            raise RecursionError
        begin(self, path, data)

    monkeypatch.setattr(Source, "__init__", raising)
    assert run([]) == 2
    output = capsys.readouterr().out
    message = "internal error in the reader on .claude/agents/bad.md: RecursionError, please report it"
    assert f"error: {message}\n" in output
    assert "good.md:4:8: error FA101" in output
    assert run(["convert", "--to", "opencode"]) == 2
    output = capsys.readouterr().out
    assert "error: internal error in the converter on .claude/agents/bad.md: RecursionError, please report it" in output
    assert Path(".opencode/agents/good.md").is_file() and not Path(".opencode/agents/bad.md").exists()
    Path("fsagent-lint.toml").write_text("[sync]\nsource = '.claude/agents'\ntargets = ['copilot']\n", encoding="utf-8")
    assert run(["sync"]) == 2
    message = "internal error in the converter on .claude/agents/bad.md: RecursionError, please report it"
    assert f"error: {message}\n" in capsys.readouterr().err


@pytest.mark.usefixtures("project")
def test_a_fix_that_raises(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def check(self: Rule, subject: Subject) -> Iterator[Finding]:
        end = 10_000 if subject.document.stem == "bad" else 0
        edits = (Edit(Span(0, end), ""), Edit(Span(5, end), "")) if end else ()
        yield self.finding(Span(0, 1), "x", fix=Fix("x", edits, Safety.SAFE, frozenset(("tools",))))

    monkeypatch.setattr(UnknownTool, "check", check)
    monkeypatch.setattr("fsagent_lint.linter.fixer.prove", lambda *_: 1 / 0)
    assert run(["--fix", "--unsafe-fixes", "--select", "unknown-tool"]) == 2
    output = capsys.readouterr().out
    assert "internal error in the fix of unknown-tool on .claude/agents/bad.md: ZeroDivisionError" in output
    assert Path(".claude/agents/bad.md").read_text(encoding="utf-8") == AGENT.format(name="bad")


@pytest.mark.usefixtures("project")
def test_a_rule_about_the_project_that_raises(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def check_project(self: Rule, profiles: object) -> Iterator[object]:
        raise KeyError(str(type(self)) if profiles is None else "x")

    monkeypatch.setattr(AgentsDiffer, "check_project", check_project)
    assert run([]) == 2
    output = capsys.readouterr().out
    assert "error: internal error in agents-differ on the project: KeyError: 'x', please report it" in output
    assert output.count("FA101") == 2
