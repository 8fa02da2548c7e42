"""Versions of harnesses: a table describes the newest, and each `[[was]]` in it what was different before."""

from __future__ import annotations

import re
from functools import lru_cache

from fsagent_lint.errors import UserError
from fsagent_lint.harnesses.harness import Harness, Was
from fsagent_lint.harnesses.merge import merge_tables, record_data, remove_entries
from fsagent_lint.model.schema import load_record

SEPARATOR = "@"
VERSION = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}){0,5}")


def version_key(version: str) -> tuple[int, ...]:
    """For comparisons: `2.1.197` is older than `2.1.326`, and `2.1` is `2.1.0`."""
    found = VERSION.search(version)
    numbers = [int(part) for part in found[0].split(".")] if found else []
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def split_reference(reference: str) -> tuple[str, str]:
    """`claude-code@2.1.197` is a harness and a version; without one, the version in force is meant."""
    id, _, version = reference.partition(SEPARATOR)
    return id, version


def check_reference(harness: Harness, version: str) -> None:
    """UserError for a version that cannot be compared with those of the table."""
    if not VERSION.fullmatch(version):
        raise UserError(f"`{reference(harness.id, version)}`: a version is dotted numbers, such as 2.1.197.")
    if not harness.version:
        raise UserError(f"{harness.title} has no versions: its table describes the {harness.edition or 'newest'}.")


def reference(id: str, version: str) -> str:
    """How a version of a harness is named: `claude-code@2.1.197`."""
    return f"{id}{SEPARATOR}{version}" if version else id


@lru_cache(maxsize=64)
def at_version(harness: Harness, version: str) -> Harness:
    """The harness as it was at a version. One that is newer than the table is taken for the newest."""
    data = record_data(harness)
    for was in _changes_since(harness, version):
        data = remove_entries(merge_tables(data, was.change), was.without)
    data |= {"version": version, "title": f"{harness.title} {version}", "pinned": version}
    return load_record(Harness, data, reference(harness.id, version))


def _changes_since(harness: Harness, version: str) -> list[Was]:
    """What to undo, the latest change first."""
    found = [was for was in harness.was if version_key(was.until) >= version_key(version)]
    return sorted(found, key=lambda was: version_key(was.until), reverse=True)


def version_note(harness: Harness, version: str) -> str:
    """What to know about a version that the table does not cover; empty if it does."""
    if harness.version and version_key(version) > version_key(harness.version):
        return f"{harness.title} {version} is newer than the table; treated as {harness.version}"
    oldest = harness.oldest or harness.version
    if oldest and version_key(version) < version_key(oldest):
        return f"{harness.title} {version} is older than the table covers; treated as {oldest}"
    return ""


def last_version_with(harness: Harness, name: str) -> str:
    """The last version in which a name always granted a tool, for a name that now does not; empty if none did."""
    if harness.pinned or not any(_mentions(was, name) for was in harness.was) or _always_grants(harness, name):
        return ""
    versions = sorted({was.until for was in harness.was}, key=version_key, reverse=True)
    return next((version for version in versions if _always_grants(at_version(harness, version), name)), "")


def _always_grants(harness: Harness, name: str) -> bool:
    return any(harness.tools[native].presence != "conditional" for native in harness.natives(name))


def _mentions(was: Was, name: str) -> bool:
    tables = (was.change.get("tools", {}), was.change.get("names", {}))
    return any(name in table for table in tables) or f"names.{name}" in was.without
