"""The outputs of an audit: the same facts in each, and no text from files that a program would obey."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from audit_projects import Lay, agent, audited
from hostile_text import hostile, is_obeyed
from hypothesis import example, given, settings

from fsagent_lint.audit.facts import (
    CAPABILITIES,
    AsSubagent,
    Audit,
    Change,
    Comparison,
    Cycle,
    Entry,
    Grant,
    Reading,
    Remark,
    Shift,
    State,
    Violation,
)
from fsagent_lint.audit.formats import FORMATS, render
from fsagent_lint.audit.formats.json import decode
from fsagent_lint.cli.main import run
from fsagent_lint.model.result import Problem

MARKUP = "\"'><img src=x onerror=alert(1)></script><script>alert(2)</script><!--{{ 7 * 7 }}{% x %}&lt;|`"


def everywhere(text: str) -> Audit:
    """An audit with a text in every place that a file can put one."""
    remark = Remark(text, 1, "FA000", "some-rule", "error", "claude-code", text)
    grant = Grant(State.SCOPED, (text,), (text,))
    reading = Reading(
        *("claude-code", "Claude Code", ""),
        loads=True,
        known_as=text,
        grants=dict.fromkeys(CAPABILITIES, grant),
        tools=(text,),
        mcp=(text,),
        approved=(text,),
        permission_mode=text,
        starts=(text,),
        wider=(text,),
        narrower=(text,),
        subagent=AsSubagent(loads=False, error=text, without=(text,)),
        calls=(text,),
        reaches={"execute": (text, text)},
    )
    refused = Reading("copilot", "Copilot", "claude-code", loads=False, error=text)
    entry = Entry(text, text, "agent", 1, 2, text, text, f"{text}\n{text}", text, (reading, refused), (remark,))
    change = Change(text, "agent", text, "claude-code", "changed", (Shift("execute", text, text, True),))
    return Audit(
        (entry,),
        errors=(Problem(text, text),),
        findings=(remark,),
        notes=(text,),
        cycles=(Cycle("claude-code", (text, text)),),
        violations=(Violation(text, text, 1, "claude-code", "execute", text),),
        comparison=Comparison(text, (change,), (remark,), (text,)),
    )


class Tags(HTMLParser):
    """The tags of a page with their attributes' names, and the text of its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, list[str]]] = []
        self.scripts: list[str] = []
        self.comments: list[str] = []
        self._in_script = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, [name for name, _ in attrs]))
        self._in_script = tag == "script"

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self._in_script = False

    def handle_data(self, data: str) -> None:
        if self._in_script:
            self.scripts.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "json"])
@given(text=hostile)
@example(text=MARKUP)
@settings(max_examples=40)
def test_no_text_steers_a_terminal_or_a_runner(name: str, text: str) -> None:
    output = render(name, everywhere(text))
    own = ("::error ", "::notice ") if name == "github" else ()
    for line in output.split("\n"):
        assert not is_obeyed(line) or line.startswith(own) or (name == "html" and "##[" not in line and "::" in line)
    assert re.findall(r"[^\n\r\x20-\x7e\xa1-\ud7ff\ue000-\U0010ffff]", output) == []
    assert not set(output) & set("\u202e\u2028\u200f\ufeff")
    output.encode("utf-8")


@given(text=hostile)
@example(text=MARKUP)
@settings(max_examples=40)
def test_text_never_becomes_markup_of_the_page(text: str) -> None:
    plain, page = (Tags(render("html", everywhere(each))) for each in ("x", text))
    assert page.tags == plain.tags
    assert page.comments == []
    facts, script = page.scripts
    assert script == plain.scripts[1]
    assert not set(facts) & set("<>&'")
    json.loads(facts)


@given(text=hostile)
@example(text=MARKUP)
@example(text="=HYPERLINK(1)")
@example(text="+1")
@settings(max_examples=40)
def test_a_spreadsheet_has_a_row_for_each_reader_and_no_formula(text: str) -> None:
    head, *rows = csv.reader(io.StringIO(render("csv", everywhere(text)), newline=""))
    assert len(rows) == 2
    assert {len(row) for row in rows} == {len(head)}
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t"))]


@given(text=hostile)
@example(text=MARKUP)
@settings(max_examples=40)
def test_markdown_has_the_same_tables_whatever_the_text(text: str) -> None:
    plain, output = (render("markdown", everywhere(each)) for each in ("x", text))
    assert output.count("\n") == plain.count("\n")
    assert re.findall(r"<[^>]*>", output) == re.findall(r"<[^>]*>", plain)
    assert [line.count("|") for line in output.split("\n")] == [line.count("|") for line in plain.split("\n")]


@given(text=hostile)
@example(text=MARKUP)
@settings(max_examples=40)
def test_json_is_exact_and_can_be_read_again(text: str) -> None:
    output = render("json", everywhere(text))
    assert output.isascii() and not [line for line in output.split("\n") if "##[" in line]
    [entry], findings = decode(output.encode())
    exact = text.encode("utf-8", "backslashreplace").decode("utf-8")
    assert (entry.path, entry.name) == (exact, exact)
    assert entry.readings[0].grant("execute") == Grant(State.SCOPED, (exact,), (exact,))
    assert dict(entry.readings[0].reaches) == {"execute": (exact, exact)}
    assert len(findings) == 2


def test_all_formats_have_the_same_agents(lay: Lay, capsys: pytest.CaptureFixture[str]) -> None:
    files = {f".claude/agents/agent-{number}.md": agent(f"agent-{number}", "tools: Read, Bash") for number in range(3)}
    lay(files)
    for name in FORMATS:
        assert run(["audit", "--output-format", name, "--exit-zero"]) == 0
        output = capsys.readouterr().out
        if name != "github":
            assert all(file in output for file in files), name


def test_the_github_format_appends_to_the_summary_of_the_job(
    lay: Lay, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("# Before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    lay({".claude/agents/a.md": agent("a", "tools: Bash"), "fsagent-lint.toml": "[audit]\nforbid = ['execute']\n"})
    assert run(["audit", "--output-format", "github"]) == 1
    assert (
        "::error file=.claude/agents/a.md,line=1,title=fsagent-lint audit::The policy forbids"
        in capsys.readouterr().out
    )
    text = summary.read_text()
    assert text.startswith("# Before\n## Agent audit\n")
    assert "### Forbidden by the policy" in text and "<code>a</code>" in text


def test_several_reports_are_written_and_none_if_one_cannot(lay: Lay, capsys: pytest.CaptureFixture[str]) -> None:
    folder = lay({".claude/agents/a.md": agent("a", "tools: Read")})
    (folder / "audit.html").write_text("old")
    formats = ["--output-format", "html:audit.html", "--output-format", "csv:audit.csv", "--output-format", "text"]
    assert run(["audit", *formats]) == 0
    assert (folder / "audit.html").read_text().startswith("<!doctype html>")
    assert (folder / "audit.csv").read_text().startswith("path,")
    assert "1 agent in 1 file" in capsys.readouterr().out
    assert run(["audit", "--output-format", "html", "--output-file", "no/such/folder.html"]) == 2
    assert "no/such/folder.html" in capsys.readouterr().err
    assert sorted(path.name for path in folder.iterdir()) == [".claude", "audit.csv", "audit.html"]


def test_long_lists_in_markdown_are_cut_off(lay: Lay) -> None:
    lay({f".gemini/agents/a{number}.md": agent(f"a{number}") for number in range(510)})
    output = render("markdown", audited())
    assert "and 10 more rows" in output
    assert len(output.encode()) < 1_000_000
