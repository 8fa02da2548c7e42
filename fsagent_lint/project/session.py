"""The settings and tables that are in force for a run."""

from __future__ import annotations

from fsagent_lint._fast import NO_ENTRIES
from fsagent_lint.errors import UserError
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import (
    CustomTools,
    active_tables,
    all_harnesses,
    get_harness,
    harness_ids,
    use_tables,
)
from fsagent_lint.model.tool import ACCEPT_ALL
from fsagent_lint.project.config import Settings, find_config, load_settings


def start_session(config: str | None, *, isolated: bool, plugins: CustomTools = NO_ENTRIES) -> Settings:
    """Read the config, by default the nearest one, and put its tables and custom tools in force.

    `plugins`: the custom tools of installed packages, if the user allows their code to run.
    """
    if isolated and config:
        raise UserError("--isolated and --config exclude each other.")
    settings = load_settings(None if isolated else config or find_config("."))
    use_tables(settings.tables, {**dict.fromkeys(settings.custom_tools), **plugins})
    return settings


def accepted(settings: Settings, *, unsafe: bool) -> frozenset[str]:
    """What agents may be granted beyond the intent: what the config names, or anything."""
    return ACCEPT_ALL if unsafe else frozenset(settings.accept_widening)


def load_harnesses(*wanted: str | None) -> tuple[Harness, ...]:
    """Every harness with a table; the requested ones must be among them, or come from an installed package."""
    for id in wanted:
        if id is not None and id not in harness_ids():
            from fsagent_lint.project.own_tables import installed_harness

            found = installed_harness(id)
            if found is None:
                from fsagent_lint.suggest import hint

                raise UserError(f"There is no harness `{id}`. {hint(id, harness_ids())}")
            use_tables({**active_tables().own, id: found}, active_tables().custom)
    return all_harnesses()


def check_readable(*ids: str | None) -> None:
    """UserError for a harness whose agent files are only written, never read."""
    for id in ids:
        harness = get_harness(id) if id else None
        kind = harness.kinds.get("agent") if harness is not None else None
        if harness is not None and kind is not None and kind.file != "markdown":
            what = f"{harness.title} keeps its agents in {kind.file.upper()} files, which are not checked"
            raise UserError(f"{what}; `fsagent-lint convert --to {id}` writes them.")
