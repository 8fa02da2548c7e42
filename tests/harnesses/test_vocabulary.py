"""What a written name means: here, but for its case, in another harness, as an MCP tool, or to nobody."""

from __future__ import annotations

import pytest

from fsagent_lint.harnesses.mcp import server_name
from fsagent_lint.harnesses.tables import get_harness, harness_ids
from fsagent_lint.harnesses.vocabulary import harness_with_field, identify, suggest
from fsagent_lint.model.tool import COMPANIONS, Tool
from fsagent_lint.suggest import nearest


@pytest.mark.parametrize(
    ("harness", "name", "how", "tools", "owner"),
    [
        ("claude-code", "Read", "own", ["Read"], "claude-code"),
        ("claude-code", "Task", "own", ["Agent"], "claude-code"),
        ("claude-code", "LS", "own", ["List"], "claude-code"),
        ("claude-code", "bash", "case", ["Shell"], "claude-code"),
        ("claude-code", "runInTerminal", "foreign", ["Shell"], "copilot"),
        ("claude-code", "Question", "foreign", ["Question"], "canonical"),
        ("claude-code", "mcp__db__query", "mcp", ["mcp:db/query"], "claude-code"),
        ("claude-code", "mcp__db__*", "mcp", ["mcp:db/*"], "claude-code"),
        ("claude-code", "db/query", "foreign-mcp", ["mcp:db/query"], "copilot"),
        ("claude-code", "db_*", "foreign-mcp", ["mcp:db/*"], "opencode"),
        ("claude-code", "mcp:db/query", "foreign-mcp", ["mcp:db/query"], "canonical"),
        ("claude-code", "Frobnicate", "unknown", ["custom:Frobnicate"], ""),
        ("opencode", "bash", "own", ["Shell"], "opencode"),
        ("opencode", "Bash", "case", ["Shell"], "opencode"),
        ("opencode", "db_query", "unknown", ["custom:db_query"], ""),
        ("opencode", "db_*", "mcp", ["mcp:db/*"], "opencode"),
        ("opencode", "mcp__db__query", "foreign-mcp", ["mcp:db/query"], "claude-code"),
        ("copilot", "EXECUTE", "own", ["Shell"], "copilot"),
        ("copilot", "anything/bash", "own", ["Shell"], "copilot"),
        ("copilot", "db/query", "mcp", ["mcp:db/query"], "copilot"),
        ("copilot", "mcp__db__query", "foreign-mcp", ["mcp:db/query"], "claude-code"),
        ("vscode", "Bash", "foreign", ["Shell"], "claude-code"),
        ("vscode", "execute/runInTerminal", "own", ["Shell"], "vscode"),
        ("canonical", "Bash", "own", ["Shell"], "canonical"),
        ("canonical", "mcp:db/query", "mcp", ["mcp:db/query"], "canonical"),
    ],
)
def test_a_name_is_identified(harness: str, name: str, how: str, tools: list[str], owner: str) -> None:
    meaning = identify(name, get_harness(harness))
    assert (meaning.how, [str(tool) for tool in meaning.tools], meaning.harness) == (how, tools, owner)


def test_the_right_spelling_comes_with_a_name_in_the_wrong_case() -> None:
    assert identify("webfetch", get_harness("claude-code")).spelling == "WebFetch"
    assert identify("READ", get_harness("opencode")).spelling == "read"


@pytest.mark.parametrize("name", ["Baſh", "\u212aillShell", "Ｒead", "ＢＡＳＨ", "Вash", "B\u200bash"])
def test_only_ascii_letters_differ_in_case(name: str) -> None:
    assert identify(name, get_harness("claude-code")).how == "unknown"
    assert identify(name, get_harness("copilot")).how == "unknown"


def test_what_a_markdown_formatter_makes_of_an_mcp_name_is_seen_through() -> None:
    meaning = identify("mcp**db**query", get_harness("claude-code"))
    assert (meaning.how, [str(tool) for tool in meaning.tools]) == ("foreign-mcp", ["mcp:db/query"])


def test_a_server_that_is_known_tells_its_tools_from_other_names() -> None:
    opencode = get_harness("opencode")
    assert identify("db_query", opencode, frozenset({"db"})).how == "mcp"
    assert [str(tool) for tool in identify("my_db_query", opencode, frozenset({"my.db"})).tools] == ["mcp:my.db/query"]
    assert identify("db_", opencode, frozenset({"db"})).how == "unknown"


@pytest.mark.parametrize(
    ("harness", "name"),
    [
        ("claude-code", "My_Server_v1"),
        ("opencode", "My_Server_v1"),
        ("copilot", "My Server.v1"),
        ("vscode", "my-server.v1"),
    ],
)
def test_a_server_is_named_as_the_harness_names_it(harness: str, name: str) -> None:
    assert server_name("My Server.v1", get_harness(harness)) == name


@pytest.mark.parametrize(
    ("name", "suggestion", "sure"),
    [
        ("Raed", "Read", "Read"),
        ("Grp", "Grep", "Grep"),
        ("Reads", "Read", "Read"),
        ("WebFecth", "WebFetch", "WebFetch"),
        ("WebSearcher", "WebSearch", None),
        ("Frobnicate", None, None),
        ("x", None, None),
    ],
)
def test_a_typo_gets_a_suggestion_and_only_a_slip_is_sure(name: str, suggestion: str | None, sure: str | None) -> None:
    claude = get_harness("claude-code")
    assert suggest(name, claude) == suggestion
    assert suggest(name, claude, sure=True) == sure


def test_the_nearest_name_is_found_whatever_its_case() -> None:
    assert nearest("UNKNOWN-TOOLS", ["ambiguous-empty-tools", "unknown-tool"]) == "unknown-tool"
    assert nearest("zzz", ["ambiguous-empty-tools", "unknown-tool"]) is None


def test_a_field_belongs_to_the_harness_that_gives_it_a_meaning() -> None:
    claude = get_harness("claude-code")
    assert harness_with_field("temperature", "agent", claude) == "opencode"
    assert harness_with_field("argument-hint", "command", get_harness("opencode")) == "claude-code"
    assert harness_with_field("temperature", "chatmode", claude) is None
    assert harness_with_field("frobnicate", "agent", claude) is None


@pytest.mark.parametrize("harness", harness_ids())
@pytest.mark.parametrize("target", harness_ids())
def test_what_is_written_for_one_harness_means_no_other_risk_in_the_file_of_another(target: str, harness: str) -> None:
    """`--target` leaves a file where it is: a second run reads the new names as those of the file's own harness."""
    there, here = get_harness(target), get_harness(harness)
    for name in {name for names in there.write.values() for name in names}:
        granted = {tool for native in there.natives(name) for tool in there.tools[native].grants}
        risks = {Tool.parse(tool).risk for tool in granted}
        tools = [tool for tool in identify(name, here, frozenset()).tools if tool.server is None]
        meant = {tool.risk for tool in tools if COMPANIONS.get(tool.name) not in granted}
        assert not risks or not meant or meant <= risks, name


@pytest.mark.parametrize("harness", harness_ids())
def test_the_commonest_notation_of_mcp_tools_means_the_same_in_every_file(harness: str) -> None:
    for name, tool in (("mcp__db__query", "mcp:db/query"), ("mcp__my_db__run_query", "mcp:my_db/run_query")):
        assert [str(each) for each in identify(name, get_harness(harness)).tools] == [tool]
