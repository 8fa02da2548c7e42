"""The canonical vocabulary: names, aliases, MCP and custom tools, risks, and what covers what."""

from __future__ import annotations

from pathlib import Path

import pytest

import fsagent_lint
from fsagent_lint.model.tool import ALIASES, BUILTIN, HARMFUL, Risk, Tool, describe_tool, parse_tools

DESCRIPTIONS = Path(fsagent_lint.__file__).parent / "model" / "tools"


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("Read", [Tool("Read")]),
        ("Bash", [Tool("Shell")]),
        ("Task", [Tool("Agent")]),
        ("Todo", [Tool("TodoWrite"), Tool("TodoRead")]),
        ("mcp:db", [Tool.mcp("db")]),
        ("mcp:db/*", [Tool.mcp("db")]),
        ("mcp:db/", [Tool.mcp("db")]),
        ("mcp:db/query", [Tool.mcp("db", "query")]),
        ("mcp:db/a/b", [Tool.mcp("db", "a/b")]),
        ("custom:deploy", [Tool.custom("deploy")]),
        ("custom:Read", [Tool.custom("Read")]),
    ],
)
def test_a_canonical_name_stands_for_tools(text: str, tools: list[Tool]) -> None:
    assert parse_tools(text) == tuple(tools)


@pytest.mark.parametrize("text", ["", "read", "READ", "Rea", "mcp:", "mcp:/x", "custom:", "other:x", "Read ", "shell"])
def test_any_other_name_is_not_canonical(text: str) -> None:
    assert parse_tools(text) is None


@pytest.mark.parametrize("text", [*BUILTIN, "mcp:db/query", "mcp:db/*", "custom:deploy"])
def test_a_tool_is_written_as_it_is_read(text: str) -> None:
    tools = parse_tools(text)
    assert tools is not None
    assert [str(tool) for tool in tools] == [text]


def test_aliases_lead_to_tools_and_hide_none() -> None:
    assert not set(ALIASES) & set(BUILTIN)
    assert all(name in BUILTIN for names in ALIASES.values() for name in names)


def test_a_server_covers_its_tools_and_no_other_servers() -> None:
    assert Tool.mcp("db").covers(Tool.mcp("db", "query"))
    assert Tool.mcp("*").covers(Tool.mcp("db", "query"))
    assert not Tool.mcp("db").covers(Tool.mcp("web", "query"))
    assert not Tool.mcp("db", "query").covers(Tool.mcp("db"))
    assert not Tool.mcp("*", "query").covers(Tool.mcp("db", "query"))


def test_built_in_and_custom_tools_cover_themselves_alone() -> None:
    assert Tool("Read").covers(Tool("Read"))
    assert not Tool("Read").covers(Tool("Write"))
    assert not Tool("Read").covers(Tool.custom("Read"))
    assert not Tool.custom("*").covers(Tool.custom("deploy"))
    assert not Tool.mcp("*").covers(Tool("Read"))


def test_nobody_knows_the_risk_of_what_others_define() -> None:
    assert Tool("Shell").risk is Risk.EXECUTE
    assert Tool.custom("Shell").risk is None
    assert Tool.mcp("Shell", "Shell").risk is None


def test_reading_and_talking_harm_nobody() -> None:
    assert set(Risk) - set(HARMFUL) == {Risk.READ, Risk.INTERACT}


@pytest.mark.parametrize("tool", BUILTIN)
def test_every_tool_has_a_description_in_a_file_of_its_own(tool: str) -> None:
    text = describe_tool(tool)
    assert text.endswith(".")
    assert len(text.split()) > 2


def test_every_description_is_of_a_tool() -> None:
    assert {path.stem for path in DESCRIPTIONS.iterdir()} == set(BUILTIN)
