"""The settings and tables that are in force for a run."""

from __future__ import annotations

import os

from fsagent_lint._fast import NO_ENTRIES
from fsagent_lint.errors import UserError
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import (
    CustomTools,
    active_tables,
    all_harnesses,
    builtin_harness,
    get_harness,
    harness_ids,
    plain_id,
    use_tables,
)
from fsagent_lint.model.choices import Config, NoConfig, unknown_choice
from fsagent_lint.model.tool import ACCEPT_ALL
from fsagent_lint.project.config import Settings, find_config, load_settings


def start_session(config: Config = None, *, plugins: bool = False) -> Settings:
    """Read the config, by default the nearest one, and put its tables and custom tools in force.

    `plugins`: also the custom tools of installed packages, whose code is run to ask for them.
    """
    if isinstance(config, NoConfig):
        settings = load_settings(None)
    else:
        settings = load_settings(os.fspath(config) if config else find_config("."))
    notes = [_version_note(id, harness.pinned) for id, harness in settings.tables.items() if harness.pinned]
    custom = {**dict.fromkeys(settings.custom_tools), **(_plugin_names() if plugins else NO_ENTRIES)}
    use_tables(settings.tables, custom, tuple(filter(None, notes)))
    return settings


def _plugin_names() -> CustomTools:
    from fsagent_lint.project.tool_registry import load_plugins, plugin_names

    return plugin_names(load_plugins())


def _version_note(id: str, version: str) -> str:
    from fsagent_lint.harnesses.versions import version_note

    return version_note(builtin_harness(id), version)


def accepted(settings: Settings, *, unsafe: bool) -> frozenset[str]:
    """What agents may be granted beyond the intent: what the config names, or anything."""
    return ACCEPT_ALL if unsafe else frozenset(settings.accept_widening)


def load_harnesses(*wanted: str | None) -> tuple[Harness, ...]:
    """Every harness with a table; the requested ones must be among them, or come from an installed package.

    A request for a version, `claude-code@2.1.197`, puts that version in force for the whole run.
    """
    pinned: dict[str, str] = {}
    for reference in wanted:
        id = plain_id(reference) if reference is not None else None
        if id is not None and id not in harness_ids():
            from fsagent_lint.project.own_tables import installed_harness

            found = installed_harness(id)
            if found is None:
                raise unknown_choice("harness", id, harness_ids())
            _put_in_force(found)
        if id is not None and reference is not None and id != reference:
            found = find_version(reference)
            if pinned.setdefault(id, found.pinned) != found.pinned:
                raise UserError(f"{id} {pinned[id]} and {found.pinned}: a run has one version of a harness.")
            _put_in_force(found)
    return all_harnesses()


def find_version(reference: str) -> Harness:
    """The harness of a request, in the version that it names; a version that the table does not cover is noted."""
    id = plain_id(reference)
    load_harnesses(id)
    if id == reference:
        return get_harness(id)
    from fsagent_lint.harnesses.versions import at_version, check_reference, split_reference, version_note

    newest = get_harness(id) if not get_harness(id).pinned else builtin_harness(id)
    version = split_reference(reference)[1]
    check_reference(newest, version)
    tables = active_tables()
    if (note := version_note(newest, version)) and note not in tables.notes:
        use_tables(tables.own, tables.custom, (*tables.notes, note))
    return at_version(newest, version)


def _put_in_force(harness: Harness) -> None:
    tables = active_tables()
    use_tables({**tables.own, harness.id: harness}, tables.custom, tables.notes)


def check_readable(*ids: str | None) -> None:
    """UserError for a harness whose agent files are only written, never read."""
    for id in ids:
        harness = get_harness(plain_id(id)) if id else None
        kind = harness.kinds.get("agent") if harness is not None else None
        if harness is not None and kind is not None and kind.file != "markdown":
            what = f"{harness.title} keeps its agents in {kind.file.upper()} files, which are not checked"
            raise UserError(f"{what}; `fsagent-lint convert --to {id}` writes them.")
