"""Every harness table: strictly loaded, dated, sourced, and consistent with the code that it refers to."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from fsagent_lint.effect.table_check import check_table
from fsagent_lint.errors import DataError
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.tables import FOLDER, get_harness, harness_ids, parse_table
from fsagent_lint.harnesses.versions import VERSION
from fsagent_lint.model.tool import BUILTIN

IDS = harness_ids()
HARNESSES = [get_harness(id) for id in IDS]
KINDS = [
    pytest.param(harness, kind, id=f"{harness.id}-{name}")
    for harness in HARNESSES
    for name, kind in harness.kinds.items()
]
STAND_INS = {("copilot", "SemanticSearch")}
"""Tools that a harness lacks, written as the nearest ones that it has: of the same risk."""

every_table = pytest.mark.parametrize("harness", HARNESSES, ids=IDS)
every_kind = pytest.mark.parametrize(("harness", "kind"), KINDS)


def data(id: str) -> dict[str, Any]:
    return tomllib.loads(Path(FOLDER, f"{id}.toml").read_text(encoding="utf-8"))


# ----------------------------------------------------------------------------------------------- every table


def test_the_harnesses_that_matter_come_first() -> None:
    assert IDS[:4] == ("claude-code", "opencode", "copilot", "vscode")
    assert "canonical" in IDS


@pytest.mark.parametrize("id", IDS)
def test_a_table_is_named_after_its_harness(id: str) -> None:
    assert parse_table(data(id), id).id == id


@every_table
def test_a_table_says_where_it_knows_from_and_since_when(harness: Harness) -> None:
    assert harness.verified is not None
    assert harness.verified >= date(2026, 1, 1)
    assert harness.shown_version
    assert not harness.version or VERSION.fullmatch(harness.version)
    assert any(source.startswith("https://") for source in harness.sources)


@every_table
def test_a_table_makes_sense(harness: Harness) -> None:
    check_table(harness, harness.id, IDS)


@every_table
def test_a_conditional_tool_says_on_what(harness: Harness) -> None:
    for tool in harness.tools.values():
        assert bool(tool.condition) == (tool.presence == "conditional")


@every_table
def test_names_give_tools_and_say_what_to_use_instead(harness: Harness) -> None:
    for text, name in harness.names.items():
        if name.status == "removed":
            assert not name.gives, text
        if name.status == "renamed":
            assert name.gives, text
            assert name.use, text
            assert text not in name.use


@pytest.mark.parametrize(
    ("harness", "canonical"),
    [pytest.param(each, tool, id=f"{each.id}-{tool}") for each in HARNESSES for tool in each.write],
)
def test_what_is_written_for_a_tool_brings_that_tool(harness: Harness, canonical: str) -> None:
    assert canonical in BUILTIN
    natives = [native for name in harness.write[canonical] for native in harness.natives(name)]
    granted = {tool for native in natives for tool in harness.tools[native].grants}
    assert (canonical in granted) != ((harness.id, canonical) in STAND_INS)
    if canonical not in granted:
        assert {BUILTIN[tool] for tool in granted} == {BUILTIN[canonical]}


@every_table
def test_what_is_written_is_current(harness: Harness) -> None:
    for names in harness.write.values():
        for name in names:
            known = harness.lookup(name)
            assert known is not None
            assert known.status == "current", name


@every_table
def test_a_name_is_not_spelled_in_two_cases(harness: Harness) -> None:
    if harness.ignore_case:
        spelled = [name.lower() for name in harness.names]
        assert len(set(spelled)) == len(spelled)


def test_no_two_kinds_lie_in_the_same_place() -> None:
    globs = [glob for harness in HARNESSES for kind in harness.kinds.values() for glob in kind.globs]
    assert len(set(globs)) == len(globs)


# ------------------------------------------------------------------------------------------------ every kind


@every_kind
def test_a_kind_is_shared_with_harnesses_that_exist(harness: Harness, kind: Kind) -> None:
    assert {*kind.shared_with, *kind.read_by} <= set(IDS) - {harness.id}


# ------------------------------------------------------------------------------------------- what is refused


def refusal(change: dict[str, Any]) -> str:
    with pytest.raises(DataError) as error:
        parse_table({**data("claude-code"), **change}, "mine.toml")
    return str(error.value)


def test_an_unknown_key_is_an_error_that_names_the_legal_ones() -> None:
    message = refusal({"titel": "X"})
    assert message.startswith("mine.toml: unknown key 'titel'; did you mean 'title'? (known: ")
    assert "open-names" in message


def test_an_unknown_key_deep_inside_is_named_with_its_place() -> None:
    assert "mine.toml.tools.Read: unknown key 'grant'; did you mean 'grants'?" in refusal(
        {"tools": {"Read": {"grant": []}}}
    )


def test_a_word_that_is_none_of_those_allowed_is_an_error() -> None:
    message = refusal({"tools": {"Read": {"presence": "sometimes"}}})
    assert message == "mine.toml.tools.Read.presence: 'sometimes' is not one of default, listed, always, conditional"


def test_a_name_that_gives_what_is_no_tool_is_an_error() -> None:
    assert "gives 'Nope', which is not one of the tools" in refusal({"names": {"X": {"gives": ["Nope"]}}})


def test_a_name_to_write_that_nobody_knows_is_an_error() -> None:
    assert "'Nope' is neither a tool nor a name" in refusal({"write": {"Read": ["Nope"]}})


@pytest.mark.parametrize("key", ["id", "mcp", "kinds", "tools", "write", "reader", "semantics"])
def test_a_table_is_complete(key: str) -> None:
    table = data("claude-code")
    del table[key]
    with pytest.raises(DataError, match=f"missing key '{key}'"):
        parse_table(table, "mine.toml")


# ---------------------------------------------------------------------------------------------------- lookup


def test_case_counts_unless_the_table_says_otherwise() -> None:
    assert get_harness("claude-code").lookup("read") is None
    assert get_harness("copilot").natives("READ") == ("view",)


def test_the_part_behind_the_last_slash_counts_where_the_table_says_so() -> None:
    copilot = get_harness("copilot")
    assert copilot.natives("a/b/view") == ("view",)
    assert copilot.natives("/view") == ()
    assert get_harness("vscode").natives("x/readFile") == ()


def test_behind_a_slash_a_tool_goes_before_a_name_for_several() -> None:
    copilot = get_harness("copilot")
    assert copilot.natives("edit") == ("create", "edit")
    assert copilot.natives("x/edit") == ("edit",)


def test_a_removed_name_means_what_it_stood_for_and_brings_nothing() -> None:
    claude = get_harness("claude-code")
    assert claude.natives("LS") == ()
    assert claude.canonical("LS") == ("List",)
    assert claude.canonical("Nope") is None
