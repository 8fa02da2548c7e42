"""Versions: what a table says about older ones, and how they are named."""

from __future__ import annotations

import threading

import pytest

from fsagent_lint.effect.table_check import check_table
from fsagent_lint.errors import DataError, UserError
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.merge import record_data, remove_entries
from fsagent_lint.harnesses.tables import builtin_harness, builtin_ids, get_harness, parse_table
from fsagent_lint.harnesses.versions import (
    at_version,
    check_reference,
    last_version_with,
    split_reference,
    version_key,
    version_note,
)

CLAUDE = builtin_harness("claude-code")
EVERY = [builtin_harness(id) for id in builtin_ids()]
OLDER = [(harness, was.until) for harness in EVERY for was in harness.was]


def test_versions_are_compared_by_their_numbers() -> None:
    ordered = ["0.9", "2.1", "2.1.9", "2.1.197", "2.1.326", "2.2", "10.0"]
    keys = [version_key(version) for version in ordered]
    assert keys == sorted(keys)
    assert version_key("2.1") == version_key("2.1.0")
    assert version_key("1.0.102-2") == version_key("1.0.102")
    assert version_key("no numbers") == ()


@pytest.mark.parametrize("harness", EVERY, ids=lambda harness: harness.id)
def test_a_table_survives_being_turned_into_data(harness: Harness) -> None:
    assert repr(parse_table(record_data(harness), harness.id)) == repr(harness)


@pytest.mark.parametrize(("harness", "version"), OLDER)
def test_what_was_different_makes_a_complete_table(harness: Harness, version: str) -> None:
    older = at_version(harness, version)
    check_table(older, f"{harness.id}@{version}", builtin_ids())
    assert older.id == harness.id
    assert older.full_id == f"{harness.id}@{version}"
    newer = at_version(harness, harness.version)
    assert repr(older.replace(version="", title="", pinned="")) != repr(newer.replace(version="", title="", pinned=""))


@pytest.mark.parametrize("harness", EVERY, ids=lambda harness: harness.id)
def test_changes_lie_between_the_oldest_and_the_newest_version(harness: Harness) -> None:
    for was in harness.was:
        assert was.source
        assert version_key(harness.oldest) <= version_key(was.until) < version_key(harness.version)


def test_a_change_is_undone_up_to_its_last_version_and_no_further() -> None:
    assert at_version(CLAUDE, "2.1.232").tools["TaskCreate"].presence == "default"
    assert at_version(CLAUDE, "2.1.233").tools["TaskCreate"].presence == "conditional"
    assert at_version(CLAUDE, "2.1.197").natives("BashOutput") == ("TaskOutput",)
    assert CLAUDE.natives("BashOutput") == ()


@pytest.mark.parametrize("version", [CLAUDE.version, "999.0"])
def test_the_newest_version_and_newer_ones_are_what_the_table_says(version: str) -> None:
    found = at_version(CLAUDE, version)
    assert repr(found.tools) == repr(CLAUDE.tools)
    assert repr(found.kinds) == repr(CLAUDE.kinds)


def test_a_version_older_than_all_is_the_oldest() -> None:
    assert repr(at_version(CLAUDE, "1.0").tools) == repr(at_version(CLAUDE, CLAUDE.oldest).tools)


def test_a_version_that_the_table_does_not_cover_is_noted() -> None:
    assert "newer than the table" in version_note(CLAUDE, "999.0")
    assert "older than the table" in version_note(CLAUDE, "1.0")
    assert version_note(CLAUDE, "2.1.250") == ""


@pytest.mark.parametrize("version", ["", "newest", "2.", "2.1-beta", "2.1.197 ", "²", "1" * 30, "1.2.3.4.5.6.7"])
def test_a_version_is_dotted_numbers(version: str) -> None:
    with pytest.raises(UserError, match="dotted numbers"):
        check_reference(CLAUDE, version)


def test_a_table_of_documentation_has_no_versions() -> None:
    with pytest.raises(UserError, match="has no versions"):
        check_reference(builtin_harness("agent-skills"), "1.0")


def test_a_harness_can_be_had_by_its_version() -> None:
    assert get_harness("claude-code@2.1.197") is get_harness("claude-code@2.1.197")
    assert get_harness("claude-code@2.1.197").title == "Claude Code 2.1.197"
    assert split_reference("claude-code@2.1.197") == ("claude-code", "2.1.197")
    assert split_reference("claude-code") == ("claude-code", "")


def test_older_versions_that_had_a_name_are_known() -> None:
    assert last_version_with(CLAUDE, "BashOutput") != ""
    assert last_version_with(CLAUDE, "TaskCreate") == "2.1.232"
    assert last_version_with(CLAUDE, "Read") == last_version_with(CLAUDE, "Nonsense") == ""
    assert last_version_with(get_harness("claude-code@2.1.197"), "BashOutput") == ""


def test_entries_are_removed_by_their_path() -> None:
    data = {"a": {"b": {"c": 1, "d": 2}, "e": 3}, "f": 4}
    assert remove_entries(data, ["a.b.c", "f"]) == {"a": {"b": {"d": 2}, "e": 3}}
    assert remove_entries(data, ["a.x.y", "f.g", "z"]) == data
    assert data["f"] == 4


def test_a_wrong_key_in_what_was_different_is_named() -> None:
    data = record_data(builtin_harness("gemini"))
    broken = parse_table({**data, "was": [{"until": "0.1", "tools": {"glob": {"grant": ["Glob"]}}}]}, "x")
    with pytest.raises(DataError, match="grant"):
        at_version(broken, "0.1")
    with pytest.raises(DataError, match="until"):
        parse_table({**data, "was": [{"tools": {}}]}, "x")


def test_threads_may_ask_for_versions_at_the_same_time() -> None:
    found: list[Harness] = []
    threads = [threading.Thread(target=lambda: found.append(get_harness("claude-code@2.1.197"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({repr(each) for each in found}) == 1
    assert len(found) == 8
