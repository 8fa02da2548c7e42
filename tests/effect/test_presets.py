"""Tools by the set: `readonly: true` is all that Cursor has, and Claude's words for it have to become that or nothing."""

from __future__ import annotations

import pytest
from fixing import look, repair, reports

from fsagent_lint.agent.subject import Subject
from fsagent_lint.converter.convert import convert_file
from fsagent_lint.effect.effect import Effect
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.converted import Converted
from fsagent_lint.model.finding import Consequence
from fsagent_lint.model.policy import Action
from fsagent_lint.model.tool import ACCEPT_ALL, ACCEPT_NONE, Tool

READING = {"Read", "LS", "Glob", "Grep", "SemanticSearch", "ReadLints", "TodoWrite"}


def file(rest: str) -> str:
    return f"---\nname: a\ndescription: d\n{rest}---\nPrompt.\n"


def effect_of(rest: str) -> Effect:
    return look(file(rest).encode(), "cursor").effect


def to_cursor(rest: str, accept: frozenset[str] = ACCEPT_NONE) -> Converted:
    subject = Subject(Document(Source("a.md", file(rest).encode())), get_harness("claude-code"), "agent")
    return convert_file(subject, get_harness("cursor"), accept=accept)


# ---------------------------------------------------------------------------------------------------- reading


def test_a_set_takes_everything_else_away() -> None:
    result = effect_of("readonly: true\n")
    assert set(result.tools) == READING
    assert not result.open


@pytest.mark.parametrize("rest", ["", "readonly: false\n", "readonly: 'true'\n", "readonly:\n", "tools: Read\n"])
def test_what_is_no_set_takes_nothing_away(rest: str) -> None:
    result = effect_of(rest)
    assert result.open
    assert {"Shell", "Write", "StrReplace"} <= set(result.tools)


def test_a_set_means_its_tools() -> None:
    policy = look(file("readonly: true\n").encode(), "cursor").intent.policy
    assert policy.action(Tool("Grep")) is Action.ALLOW
    assert policy.action(Tool("Shell")) is policy.action(Tool("WebFetch")) is Action.DENY


def test_a_set_of_everything_leaves_it_to_other_keys() -> None:
    policy = look(file("readonly: false\ntools: Read\n").encode(), "cursor").intent.policy
    assert policy.action(Tool("Shell")) is Action.DENY


# ---------------------------------------------------------------------------------------------------- findings


def test_a_list_that_nobody_reads_is_worse_where_nothing_else_restricts() -> None:
    alone, beside = (reports(repair(file(rest + "tools: Read\n"), "cursor")) for rest in ("", "readonly: true\n"))
    assert [finding.consequence for finding in alone] == [Consequence.WIDENED]
    assert [finding.consequence for finding in beside] == [Consequence.STYLE]


def test_every_tool_under_a_key_that_nobody_reads_widens_nothing() -> None:
    found = reports(repair(file("tools: ['*']\n"), "cursor"))
    assert [(finding.name, finding.consequence) for finding in found] == [("unsupported-tool-key", Consequence.STYLE)]


@pytest.mark.parametrize(
    ("written", "fixed"), [("'true'", "readonly: true\n"), ("yes", "readonly: true\n"), ("'no'", "")]
)
def test_a_switch_that_is_text_becomes_one(written: str, fixed: str) -> None:
    assert repair(file(f"readonly: {written}\n"), "cursor").data.decode() == file(fixed)


# -------------------------------------------------------------------------------------------------- conversion


@pytest.mark.parametrize(
    "rest",
    [
        "tools: Read, Grep\n",
        "tools: Read\n",
        "tools: []\n",
        "disallowedTools: Bash, Write, Edit\n",
        "tools: Read, Bash\ndisallowedTools: Bash\n",
    ],
)
def test_what_only_reads_is_readonly(rest: str) -> None:
    result = to_cursor(rest)
    assert not result.error
    assert result.data.decode() == "---\nname: a\ndescription: d\nreadonly: true\nmodel: inherit\n---\nPrompt.\n"


@pytest.mark.parametrize(
    "rest",
    ["tools: Read, Write\n", "tools: Bash\n", "disallowedTools: Bash\n", "tools: Read, Edit, Bash, WebFetch, Agent\n"],
)
def test_what_is_neither_readonly_nor_everything_is_refused(rest: str) -> None:
    result = to_cursor(rest)
    assert "nothing is written" in result.error
    assert not result.data
    accepted = to_cursor(rest, ACCEPT_ALL)
    assert accepted.data.decode() == "---\nname: a\ndescription: d\nmodel: inherit\n---\nPrompt.\n"
    assert [loss.code for loss in accepted.losses] == ["widened"]


def test_what_a_set_takes_away_is_told() -> None:
    result = to_cursor("tools: Read, WebFetch, mcp__db__query\n")
    assert "readonly: true" in result.data.decode()
    (lost,) = [loss for loss in result.losses if loss.code == "lost-tool"]
    assert lost.tools == (Tool("WebFetch"), Tool.mcp("db", "query"))


def test_a_limit_that_cannot_be_kept_takes_the_tool_away() -> None:
    result = to_cursor("tools: Read, Bash(git diff:*)\n")
    assert "readonly: true" in result.data.decode()
    assert [loss.code for loss in result.losses] == ["lost-scope"]


def test_everything_needs_no_key() -> None:
    assert to_cursor("").data.decode() == "---\nname: a\ndescription: d\nmodel: inherit\n---\nPrompt.\n"


def test_back_a_set_is_a_list_of_its_tools() -> None:
    result = convert_file(look(file("readonly: true # careful\n").encode(), "cursor"), get_harness("claude-code"))
    assert result.data.decode() == file(
        "tools: Read, Grep, Glob, LSP, TaskCreate, TaskUpdate, TaskGet, TaskList # careful\n"
    )
    assert result.losses == ()


def test_in_place() -> None:
    fixed = repair(file("tools: Read, Grep # both\n"), "claude-code", "cursor")
    assert fixed.data.decode() == file("readonly: true # both\n")
    wide = repair(file("tools: Read, Bash\n"), "claude-code", "cursor")
    assert wide.data.decode() == file("tools: Read, Bash\n")
    assert "widened" in {finding.name for finding in reports(wide)}


def test_nothing_under_the_key_of_a_set_is_no_key() -> None:
    found = reports(repair(file("readonly:\n"), "cursor"))
    assert [(finding.name, finding.consequence) for finding in found] == [
        ("tool-key-without-value", Consequence.IGNORED)
    ]
