"""The formats for CI services: GitLab's code quality report, JUnit XML, and reviewdog's diagnostics."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft4Validator  # type: ignore[import-untyped]

from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.model.finding import Consequence, Finding, Fix, Group, Safety
from fsagent_lint.model.result import Located, Problem, Result
from fsagent_lint.report import RuleInfo, render

FIX = Fix("Rename to `Read`", (Edit(Span(7, 11), "Read"),), Safety.SAFE, frozenset({"tools"}))


def found(
    path: str = "a.md", *, line: int = 4, consequence: Consequence = Consequence.NARROWED, **more: Any
) -> Located:
    finding = Finding("FA102", "wrong-case-tool", Span(7, 11), consequence, "There is no tool `read`.", **more)
    return Located(path, "claude-code", "agent", line, 8, line, 12, "tools: read", finding)


def grouped(path: str, item: str) -> Located:
    return found(path, group=Group("Claude Code has other names for", item, across_files=True))


# GitLab: the fields that https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format asks for

GITLAB = Draft4Validator(
    {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["description", "check_name", "fingerprint", "severity", "location"],
            "properties": {
                "description": {"type": "string", "minLength": 1},
                "check_name": {"type": "string", "minLength": 1},
                "fingerprint": {"type": "string", "minLength": 1},
                "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
                "location": {
                    "type": "object",
                    "required": ["path", "lines"],
                    "properties": {
                        "path": {"type": "string", "minLength": 1},
                        "lines": {"required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}},
                    },
                },
            },
        },
    }
)


def gitlab(result: Result) -> Any:
    entries = json.loads(render("gitlab", result))
    GITLAB.validate(entries)
    return entries


def test_gitlab_has_the_documented_fields() -> None:
    [entry] = gitlab(Result([found()]))
    assert len(entry.pop("fingerprint")) > 16
    assert entry == {
        "description": "There is no tool `read`. See `fsagent-lint explain wrong-case-tool`.",
        "check_name": "FA102 wrong-case-tool",
        "severity": "major",
        "location": {"path": "a.md", "lines": {"begin": 4, "end": 4}},
    }
    assert gitlab(Result()) == []


def test_gitlab_fingerprints_are_unique_and_survive_moved_lines() -> None:
    entries = gitlab(Result([found(), found(line=9), found("b.md")], [Problem("c.md", "x"), Problem("c.md", "y")]))
    assert len({entry["fingerprint"] for entry in entries}) == 5
    assert gitlab(Result([found(line=99)]))[0]["fingerprint"] == entries[0]["fingerprint"]


def test_gitlab_knows_the_severities_and_files_that_could_not_be_checked() -> None:
    result = Result(
        [found(consequence=each) for each in (Consequence.REFUSED, Consequence.IGNORED, Consequence.STYLE)],
        [Problem("locked.md", "cannot be read"), Problem("", "the disk is full")],
    )
    assert [(entry["severity"], entry["location"]["path"]) for entry in gitlab(result)] == [
        ("major", "a.md"),
        ("minor", "a.md"),
        ("info", "a.md"),
        ("blocker", "locked.md"),
        ("blocker", "."),
    ]


# Reviewdog: the fields of proto/rdf/reviewdog.proto in its repository

POSITION = {
    "type": "object",
    "required": ["line"],
    "additionalProperties": False,
    "properties": {"line": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}},
}
RANGE = {
    "type": "object",
    "required": ["start"],
    "additionalProperties": False,
    "properties": {"start": POSITION, "end": POSITION},
}
REVIEWDOG = Draft4Validator(
    {
        "type": "object",
        "required": ["diagnostics"],
        "additionalProperties": False,
        "properties": {
            "source": {"type": "object", "properties": {"name": {"type": "string"}}},
            "diagnostics": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["message", "location", "severity"],
                    "additionalProperties": False,
                    "properties": {
                        "message": {"type": "string"},
                        "location": {
                            "type": "object",
                            "required": ["path"],
                            "additionalProperties": False,
                            "properties": {"path": {"type": "string"}, "range": RANGE},
                        },
                        "severity": {"enum": ["ERROR", "WARNING", "INFO"]},
                        "code": {"type": "object", "properties": {"value": {"type": "string"}}},
                        "suggestions": {
                            "type": "array",
                            "items": {
                                "type": "object",
                                "required": ["range", "text"],
                                "properties": {"range": RANGE, "text": {"type": "string"}},
                            },
                        },
                    },
                },
            },
        },
    }
)


def reviewdog(result: Result) -> list[Any]:
    report = json.loads(render("rdjson", result))
    REVIEWDOG.validate(report)
    assert report["source"] == {"name": "fsagent-lint"}
    diagnostics: list[Any] = report["diagnostics"]
    return diagnostics


def test_reviewdog_has_the_place_the_rule_and_the_fix() -> None:
    place = {"start": {"line": 4, "column": 8}, "end": {"line": 4, "column": 12}}
    assert reviewdog(Result([found(fix=FIX)])) == [
        {
            "message": "[wrong-case-tool] There is no tool `read`. See `fsagent-lint explain wrong-case-tool`.",
            "location": {"path": "a.md", "range": place},
            "severity": "ERROR",
            "code": {"value": "FA102"},
            "suggestions": [{"range": place, "text": "Read"}],
        }
    ]


def test_reviewdog_counts_columns_in_bytes() -> None:
    located = found(fix=FIX)._replace(source_line="日𐐀é   read", column=8, end_column=12)
    [diagnostic] = reviewdog(Result([located._replace(column=7, end_column=11)]))
    start = len("日𐐀é   ".encode()) + 1
    place = {"start": {"line": 4, "column": start}, "end": {"line": 4, "column": start + 4}}
    assert diagnostic["location"]["range"] == place == diagnostic["suggestions"][0]["range"]


def test_reviewdog_names_whole_lines_where_there_are_several() -> None:
    [diagnostic] = reviewdog(Result([found()._replace(end_line=6, end_column=3)]))
    assert diagnostic["location"]["range"] == {"start": {"line": 4}, "end": {"line": 6}}


@pytest.mark.parametrize(
    "edits",
    [
        (Edit(Span(7, 11), "Read"), Edit(Span(20, 20), "x")),
        (Edit(Span(0, 40), ""),),
        (Edit(Span(40, 44), ""),),
    ],
)
def test_reviewdog_is_offered_no_half_of_a_fix_and_none_on_other_lines(edits: tuple[Edit, ...]) -> None:
    [diagnostic] = reviewdog(Result([found(fix=FIX._replace(edits=edits))._replace(column=4, end_column=8)]))
    assert "suggestions" not in diagnostic


def test_reviewdog_and_gitlab_list_every_place_and_junit_one_problem_once() -> None:
    result = Result([grouped("a.md", "`x`"), grouped("b.md", "`y`")], [Problem("locked.md", "cannot be read")])
    assert [entry["location"]["path"] for entry in reviewdog(result)] == ["a.md", "b.md", "locked.md"]
    assert [entry["location"]["path"] for entry in gitlab(result)] == ["a.md", "b.md", "locked.md"]
    assert [case.get("classname") for case in junit(result).iter("testcase")] == ["a.md", "locked.md"]


# JUnit


def junit(result: Result) -> ElementTree.Element:
    """The report; every count is right, and every test case has what programs look for."""
    root = ElementTree.fromstring(render("junit", result).encode())
    assert root.tag == "testsuites"
    assert {child.tag for child in root} == {"testsuite"}
    for suite in (root, *root):
        for name, found in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            assert suite.get(name) == str(len([*suite.iter(found)]))
    for case in root.iter("testcase"):
        assert case.get("name")
        assert case.get("classname")
        assert {child.tag for child in case} <= {"failure", "error", "system-out"}
    return root


def test_junit_has_a_suite_for_each_file_and_a_case_for_each_finding() -> None:
    root = junit(Result([found(), found("b.md"), found(line=9)], [Problem("locked.md", "cannot be read")]))
    assert [(suite.get("name"), len(suite)) for suite in root] == [("a.md", 2), ("b.md", 1), ("locked.md", 1)]
    [failure] = root[1][0]
    assert root[1][0].attrib == {
        "name": "FA102 wrong-case-tool (4:8)",
        "classname": "b.md",
        "file": "b.md",
        "line": "4",
    }
    assert failure.attrib == {
        "message": "error: There is no tool `read`. See `fsagent-lint explain wrong-case-tool`.",
        "type": "wrong-case-tool",
    }
    assert root[2][0][0].tag == "error"


def test_in_junit_only_what_fails_the_run_is_a_failure() -> None:
    note = found(consequence=Consequence.STYLE)
    [case] = junit(Result([note])).iter("testcase")
    assert [(child.tag, child.text) for child in case] == [
        ("system-out", "note: There is no tool `read`. See `fsagent-lint explain wrong-case-tool`.")
    ]
    [case] = junit(Result([note], fail_on="note")).iter("testcase")
    assert [child.tag for child in case] == ["failure"]


def test_junit_has_a_case_that_passes_when_there_is_nothing_to_report() -> None:
    [case] = junit(Result(files=12)).iter("testcase")
    assert case.get("name") == "No problems in 12 files"
    assert len(case) == 0


def test_junit_stops_after_a_hundred_findings_of_a_file() -> None:
    [suite] = junit(Result([found(line=line) for line in range(1, 151)]))
    assert len(suite) == 101
    assert suite[100][0].get("message") == "50 more in this file"


def test_junit_escapes_markup() -> None:
    located = found('<a>&".md')
    located = located._replace(finding=located.finding._replace(message="</failure>]]> & \"'\x00"))
    [case] = junit(Result([located])).iter("testcase")
    assert case.get("file") == '<a>&".md'
    assert case[0].get("message") == "error: </failure>]]> & \"'\\x00 See `fsagent-lint explain wrong-case-tool`."


@pytest.mark.parametrize("name", ["github", "gitlab", "junit", "rdjson", "sarif"])
def test_every_format_has_the_address_of_a_rules_page(name: str) -> None:
    url = "https://example.com/docs/rules/FA102-wrong-case-tool.md"
    rules = [RuleInfo("FA102", "wrong-case-tool", "Summary.", "Help.", "error", url)]
    report = render(name, Result([found()]), rules)
    assert url in report
    assert "fsagent-lint explain" not in report
