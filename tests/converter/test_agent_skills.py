"""The standard for skills: one space-separated text, its own fields and no others, the folder's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsagent_lint.agent.subject import Subject
from fsagent_lint.cli.main import run
from fsagent_lint.converter.convert import convert_file
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.rules import all_rules

RULES = [rule for rule in all_rules() if not rule.opt_in]


def skill(rest: str, name: str = "pdf-forms", harness: str = "agent-skills") -> Subject:
    text = f"---\nname: {name}\ndescription: d\n{rest}---\nBody.\n"
    return Subject(Document(Source(".agents/skills/pdf-forms/SKILL.md", text.encode())), get_harness(harness), "skill")


def found(subject: Subject) -> set[str]:
    return {finding.name for rule in RULES for finding in rule.check(subject)}


@pytest.mark.parametrize(
    "rest",
    [
        "allowed-tools: Read\n",
        "allowed-tools: Bash(git commit:*) Bash(jq:*) Read\n",
        "allowed-tools: read bash execute mcp__db__query my-own-tool\n",
        "license: MIT\ncompatibility: git\nmetadata:\n  version: '1'\n",
    ],
)
def test_what_the_standard_allows(rest: str) -> None:
    assert found(skill(rest)) == set()


@pytest.mark.parametrize(
    ("rest", "problem"),
    [
        ("allowed-tools: Read, Grep\n", "wrong-tools-shape"),
        ("allowed-tools: [Read]\n", "wrong-tools-shape"),
        ("tools: Read\n", "misnamed-tool-key"),
        ("author: me\n", "unknown-field"),
        (f"compatibility: {'x' * 501}\n", "invalid-field"),
    ],
)
def test_what_it_does_not_allow(rest: str, problem: str) -> None:
    assert found(skill(rest)) == {problem}


@pytest.mark.parametrize("name", ["PDF-Forms", "-pdf", "pdf-", "pdf--forms", "pdf_forms", "x" * 65])
def test_names_that_it_refuses(name: str) -> None:
    assert found(skill("", f"'{name}'")) == {"invalid-field"}


def test_a_name_may_have_letters_of_any_language() -> None:
    assert found(skill("", "formulaires-é")) == {"name-must-match-folder"}


def test_a_skill_of_claude_code_for_every_client() -> None:
    source = skill("allowed-tools: [Read, 'Bash(git commit:*)', mcp__db__query]\nmodel: opus\n", "Forms", "claude-code")
    result = convert_file(source, get_harness("agent-skills"))
    assert result.path == ".agents/skills/pdf-forms/SKILL.md"
    assert result.data.decode() == (
        "---\nname: pdf-forms\ndescription: d\nallowed-tools: Read Bash(git commit:*) mcp__db__query\n---\nBody.\n"
    )
    assert [loss.code for loss in result.losses] == ["lost-field"]


def test_names_between_blanks_are_a_format_to_ask_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".agents" / "skills" / "a" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text("---\nname: a\ndescription: d\nallowed-tools: Read, Grep\n---\n")
    monkeypatch.chdir(tmp_path)
    assert run(["--tool-format", "space-separated", "--fix", str(file)]) == 0
    assert "allowed-tools: Read Grep\n" in file.read_text()
