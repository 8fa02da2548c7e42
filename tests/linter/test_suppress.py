"""Comments that silence findings: where they count, for which rules, and what happens to those that silence nothing."""

from __future__ import annotations

import os

import pytest

from fsagent_lint.agent.python.detect import ROLE as PYTHON
from fsagent_lint.agent.subject import Subject
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.linter.checker import Checker
from fsagent_lint.linter.fixer import fix_file
from fsagent_lint.model.finding import Finding, Safety
from fsagent_lint.model.result import COMMENTS, CONFIG
from fsagent_lint.project.config import Settings
from fsagent_lint.project.excludes import PerFileIgnores
from fsagent_lint.project.target import Target
from fsagent_lint.rules import all_rules


def check(frontmatter: str, body: str = "Prompt.\n", *, use_ignores: bool = True) -> tuple[list[Finding], int]:
    text = f"---\nname: a\ndescription: d\n{frontmatter}\n---\n{body}"
    subject = Subject(Document(Source("a.md", text.encode())), get_harness("claude-code"), "agent")
    rules = [rule for rule in all_rules() if not rule.opt_in]
    findings, suppressed = Checker(rules, use_ignores=use_ignores).check(subject)
    return findings, suppressed[COMMENTS]


def names(frontmatter: str, body: str = "Prompt.\n") -> list[str]:
    return [finding.name for finding in check(frontmatter, body)[0]]


def test_without_a_comment_there_is_a_finding() -> None:
    assert names("tools: Read, Frob") == ["unknown-tool"]


@pytest.mark.parametrize(
    "frontmatter",
    [
        "tools: Read, Frob # fsagent: ignore[unknown-tool]",
        "tools: Read, Frob # fsagent: ignore[FA101]",
        "tools: Read, Frob # fsagent: ignore[unknown-tool] our plugin brings it",
        "tools: Read, Frob #fsagent:ignore [ unknown-tool ]",
        "tools: Read, Frob # fsagent-lint: ignore[unknown-tool]",
        "# fsagent: ignore[unknown-tool]\ntools: Read, Frob",
        "# fsagent: ignore-file[unknown-tool]\nmodel: opus\ntools: Read, Frob",
        "tools: Read, Frob\nmodel: opus # fsagent: ignore-file[unknown-tool]",
        "tools:\n  - Read\n  - Frob # fsagent: ignore[unknown-tool]",
        "tools:\n  - Read\n  # fsagent: ignore[unknown-tool]\n  - Frob",
    ],
)
def test_a_comment_silences_its_line_the_next_one_if_alone_or_the_file(frontmatter: str) -> None:
    findings, silenced = check(frontmatter)
    assert findings == []
    assert silenced == 1


@pytest.mark.parametrize("comment", ["ignore-file[unknown-tool] why", "ignore[FA101]"])
def test_a_comment_in_the_body_speaks_for_the_whole_file(comment: str) -> None:
    assert names("tools: Read, Frob", f"Prompt.\n\n<!-- fsagent: {comment} -->\n") == []


def test_a_comment_silences_nothing_on_other_lines() -> None:
    assert names("tools: Read, Frob\nmodel: opus # fsagent: ignore[unknown-tool]") == ["unknown-tool", "unused-ignore"]
    assert names("# fsagent: ignore[unknown-tool]\n\nmodel: opus\ntools: Read, Frob") == [
        "unused-ignore",
        "unknown-tool",
    ]


def test_a_comment_silences_only_the_rules_that_it_names() -> None:
    assert names("tools: Read, Frob, read # fsagent: ignore[unknown-tool]") == ["wrong-case-tool"]


def test_one_comment_may_name_several_rules() -> None:
    assert names("tools: Read, Frob, grep # fsagent: ignore[unknown-tool, wrong-case-tool]") == []


def test_one_comment_silences_every_finding_of_its_rule_on_the_line() -> None:
    findings, silenced = check("tools: Read, Frob, Blarg # fsagent: ignore[unknown-tool]")
    assert (findings, silenced) == ([], 2)


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("ignore[unknown-tool]", "`unknown-tool` has no finding here"),
        ("ignore-file[unknown-tool]", "`unknown-tool` has no finding here"),
        ("ignore[unknown-tol]", "There is no rule `unknown-tol`"),
        ("ignore", "names no rule"),
        ("ignore[]", "names no rule"),
        ("ignore unknown-tool", "names no rule"),
    ],
)
def test_a_comment_that_silences_nothing_is_a_finding(comment: str, said: str) -> None:
    [finding] = check(f"tools: Read # fsagent: {comment}")[0]
    assert finding.name == "unused-ignore"
    assert said in finding.message


def test_the_unused_part_of_a_comment_is_reported_and_the_rest_counts() -> None:
    [finding] = check("tools: Read, Frob # fsagent: ignore[unknown-tool, ambiguous-empty-tools]")[0]
    assert "`ambiguous-empty-tools` has no finding here" in finding.message


def test_an_unused_comment_in_the_body_is_reported() -> None:
    assert names("tools: Read", "<!-- fsagent: ignore-file[unknown-tool] -->\n") == ["unused-ignore"]


@pytest.mark.parametrize(
    "frontmatter",
    [
        "tools: 'Read, Frob # fsagent: ignore[unknown-tool]'",
        'description: "x # fsagent: ignore-file[unknown-tool]"\ntools: Frob',
        "description: |\n  # fsagent: ignore-file[unknown-tool]\ntools: Frob",
        "tools: Read, Frob#fsagent: ignore[unknown-tool]",
    ],
)
def test_what_is_no_comment_to_yaml_silences_nothing(frontmatter: str) -> None:
    assert "unknown-tool" in names(frontmatter)
    assert "unused-ignore" not in names(frontmatter)


def test_the_config_can_ignore_unused_comments_in_some_files() -> None:
    ignores = PerFileIgnores(Settings(per_file_ignores={"a.md": ("unused-ignore", "FA101")}, folder=os.getcwd()))
    checker = Checker([rule for rule in all_rules() if not rule.opt_in], per_file_ignores=ignores)
    text = b"---\nname: a\ndescription: d\ntools: Read, Frob\nmodel: opus # fsagent: ignore[unknown-tool]\n---\n"
    findings, suppressed = checker.check(checker.subject(Target("a.md", "claude-code", "agent", False), text))
    assert findings == []
    assert (suppressed[CONFIG], suppressed[COMMENTS]) == (1, 0)


def test_comments_can_be_left_out_of_account() -> None:
    findings, silenced = check("tools: Read, Frob # fsagent: ignore[unknown-tool]", use_ignores=False)
    assert [finding.name for finding in findings] == ["unknown-tool"]
    assert silenced == 0


def test_the_place_of_an_unused_comment_is_the_comment() -> None:
    [finding] = check("tools: Read # fsagent: ignore[ambiguous-empty-tools] why")[0]
    text = "---\nname: a\ndescription: d\ntools: Read # fsagent: ignore[ambiguous-empty-tools] why\n"
    assert text[finding.span.start : finding.span.end] == "# fsagent: ignore[ambiguous-empty-tools]"


# Fixes

KEYS = "---\nname: a\ndescription: d\n"


def fixed(text: str, *, unsafe: bool = False, path: str = ".claude/agents/a.md", rules: tuple[str, ...] = ()) -> str:
    chosen = [rule for rule in all_rules() if (rule.name in rules if rules else not rule.opt_in)]
    role = ("roo", "mode") if path == ".roomodes" else PYTHON if path.endswith(".py") else ("claude-code", "agent")
    target = Target(path, *role, False)
    result = fix_file(target, text.encode(), Checker(chosen), Safety.UNSAFE if unsafe else Safety.SAFE)
    assert result.errors == []
    return result.data.decode()


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tools: Read # fsagent: ignore[ambiguous-empty-tools]\n", "tools: Read\n"),
        ("tools: Read \t # fsagent: ignore[ambiguous-empty-tools] a reason, # and more\n", "tools: Read\n"),
        ("tools: Read # why # fsagent: ignore[ambiguous-empty-tools] x\n", "tools: Read # why\n"),
        ("# fsagent: ignore[ambiguous-empty-tools] reason\ntools: Read\n", "tools: Read\n"),
        ("tools:\n  # fsagent: ignore[ambiguous-empty-tools]\n  - Read\n", "tools:\n  - Read\n"),
        ("tools:\n  - Read\n  # fsagent: ignore[ambiguous-empty-tools]\n", "tools:\n  - Read\n"),
        ("# fsagent: ignore-file[ambiguous-empty-tools]\nmodel: opus\n", "model: opus\n"),
        ("tools: [Read, # fsagent: ignore[ambiguous-empty-tools]\n  Grep]\n", "tools: [Read,\n  Grep]\n"),
        ("# fsagent: ignore[ambiguous-empty-tools]\n# fsagent: ignore[every-tool]\n# kept\ntools: Read\n",
         "# fsagent: ignore[every-tool]\n# kept\ntools: Read\n"),
        ("tools: Read, Frob # fsagent: ignore[unknown-tool, ambiguous-empty-tools] ours\n",
         "tools: Read, Frob # fsagent: ignore[unknown-tool] ours\n"),
        ("tools: Read, Frob # fsagent: ignore[ ambiguous-empty-tools ,unknown-tool ] ours\n",
         "tools: Read, Frob # fsagent: ignore[ unknown-tool ] ours\n"),
        ("# fsagent: ignore[ambiguous-empty-tools, unknown-tool, duplicate-tool]\ntools: Read, Frob\n",
         "# fsagent: ignore[unknown-tool]\ntools: Read, Frob\n"),
        ("tools: Read # fsagent: ignore[ambiguous-empty-tools, duplicate-tool]\n", "tools: Read\n"),
        ("tools: Read, Frob # fsagent: ignore[ambiguous-empty-tools] x # fsagent: ignore[unknown-tool] y\n",
         "tools: Read, Frob # fsagent: ignore[unknown-tool] y\n"),
        ("tools: Read, Frob # fsagent: ignore[unknown-tool] x # fsagent: ignore[ambiguous-empty-tools] y\n",
         "tools: Read, Frob # fsagent: ignore[unknown-tool] x\n"),
    ],
)  # fmt: skip
def test_an_unused_comment_or_name_is_removed_and_nothing_else(
    before: str, after: str, newline: str, mark: str
) -> None:
    def whole(text: str) -> str:
        return mark + f"{KEYS}{text}---\nPrompt <!-- x -->  \n\n# fsagent: ignore[x]\n".replace("\n", newline)

    assert fixed(whole(before)) == whole(after)


@pytest.mark.parametrize(
    "text",
    [
        KEYS + "tools: Read # fsagent: ignore\n---\n",  # it names no rule: which one was meant?
        KEYS + "tools: Read # fsagent: ignore[]\n---\n",
        KEYS + "tools: Read\n---\n<!-- fsagent: ignore-file[unknown-tool] -->\nPrompt.\n",  # the prompt is not changed
        KEYS + "tools: Read # fsagent: ignore[every-tool]\n---\n",  # every-tool was not run
        KEYS + "tools: Read # fsagent: ignore[unknown-tol]\n---\n",  # misspelt, perhaps
    ],
)
def test_a_comment_that_may_be_meant_otherwise_stays(text: str) -> None:
    assert fixed(text) == text


def test_a_misspelt_name_is_removed_if_asked_for() -> None:
    assert fixed(KEYS + "tools: Read # fsagent: ignore[unknown-tol]\n---\n", unsafe=True) == KEYS + "tools: Read\n---\n"


def test_a_comment_for_a_rule_that_did_not_run_is_not_reported() -> None:
    assert names("tools: Read # fsagent: ignore[every-tool]") == []
    text = KEYS + "tools: Read, Frob # fsagent: ignore[unknown-tool]\n---\n"
    assert fixed(text, rules=("unused-ignore", "ambiguous-empty-tools")) == text


def test_an_unused_comment_in_the_body_is_reported_where_it_is() -> None:
    [finding] = check("tools: Read", "Prüfe 日.\n<!-- fsagent: ignore-file[unknown-tool] x -->\n")[0]
    text = "---\nname: a\ndescription: d\ntools: Read\n---\nPrüfe 日.\n<!-- fsagent: ignore-file[unknown-tool] x -->\n"
    assert text[finding.span.start : finding.span.end] == "<!-- fsagent: ignore-file[unknown-tool]"
    assert finding.fix is None


def test_unused_comments_are_removed_from_lists_of_modes() -> None:
    mode = "customModes:\n  - slug: a\n    name: A\n    roleDefinition: r\n    groups: [read]{}\n"
    unused = "# fsagent: ignore-file[unknown-tool]\n" + mode.format(" # fsagent: ignore[unknown-tool]")
    assert fixed(unused, path=".roomodes") == mode.format("")


def test_unused_comments_are_removed_from_python() -> None:
    code = 'from claude_agent_sdk import AgentDefinition\n\na = AgentDefinition(description="d", prompt="p", tools=["Read"]){}\n'
    assert fixed(code.format("  # fsagent: ignore[unknown-tool]"), path="a.py") == code.format("")
