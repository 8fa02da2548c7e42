"""The options of a config file, and their defaults."""

from __future__ import annotations

from typing import Any, Literal

from fsagent_lint._fast import NO_ENTRIES, Record
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.model.choices import KindName, ToolFormat
from fsagent_lint.model.finding import Severity


class PathEntry(Record):
    """Files whose path alone does not determine the harness."""

    glob: str
    """Which files, relative to the folder of the config."""
    harness: str
    """The harness whose files they are."""
    kind: KindName = "agent"
    """What sort of file they are."""


class Enrichment(Record):
    """Tools to add or remove when an agent is written; every condition must hold."""

    when: dict[str, Any] = NO_ENTRIES
    """`harness`, `path` (a glob), or any frontmatter key, each with a value or a list of values."""
    add: tuple[str, ...] = ()
    """Canonical tools to add."""
    remove: tuple[str, ...] = ()
    """Canonical tools to remove."""


class Sync(Record):
    """Which folders are the source of which generated copies."""

    source: tuple[str, ...]
    """The folders with the files that are written by hand."""
    targets: tuple[str, ...]
    """The harnesses that get copies."""
    include: tuple[str, ...] = ()
    """Globs of the files to copy; empty: all of them."""
    exclude: tuple[str, ...] = ()
    """Globs of files that are not copied."""
    overrides: dict[str, dict[str, Any]] = NO_ENTRIES
    """Fields to set in the copies: by harness, and by harness and agent."""


class AuditPolicy(Record):
    """What agents must not be able to do."""

    forbid: tuple[str, ...] = ()
    """Terms, joined with `+`: a capability, perhaps with a state (`execute:given`), or `unrestricted`."""
    allow: dict[str, tuple[str, ...]] = NO_ENTRIES
    """Names or paths of agents, as globs, to what they may do nevertheless."""


class Options(Record):
    """The keys of a config file."""

    required_version: str = ""
    """The versions of fsagent-lint that the config is for, as pip would write them."""
    select: tuple[str, ...] = ()
    """Rules to run: codes, names, families, `default` or `all`."""
    severity: dict[str, Literal["error", "warning", "note", "off"]] = NO_ENTRIES
    """Rule, code or family to its severity."""
    fail_on: Severity = "warning"
    """The mildest severity that fails a run."""
    ignore: dict[str, str] = NO_ENTRIES
    """Code to the reason why it is ignored; a list in a file has no reasons."""
    exclude: tuple[str, ...] = ()
    """Files and folders to skip, as in .gitignore."""
    per_file_ignores: dict[str, tuple[str, ...]] = NO_ENTRIES
    """Glob to the rules to leave out there."""
    target: str = ""
    """The harness that the tools must be written for."""
    tool_format: dict[str, ToolFormat] = NO_ENTRIES
    """Harness to the form of its tools; `*`: of every harness."""
    accept_widening: tuple[str, ...] = ()
    """Risks or canonical tools that a conversion may grant beyond the intent."""
    mcp_servers: tuple[str, ...] = ()
    """MCP servers that are defined outside the repository."""
    custom_tools: tuple[str, ...] = ()
    """Custom tools that no table knows."""
    paths: tuple[PathEntry, ...] = ()
    """Agents in folders that no harness reads."""
    enrich: tuple[Enrichment, ...] = ()
    """Tools to add or remove when an agent is written."""
    sync: Sync | None = None
    """Which folders are the source of which generated copies."""
    audit: AuditPolicy = AuditPolicy()
    """What agents must not be able to do."""
    baseline: str = ""
    """A file with known findings, which are not reported."""
    harness: dict[str, dict[str, Any]] = NO_ENTRIES
    """Tables of harnesses that the user adds or corrects, as in `harnesses/tables/*.toml`."""
    harness_tables: tuple[str, ...] = ()
    """Files with such a table, or harnesses of installed packages."""
    enrichers: tuple[str, ...] = ()
    """Enrichers of installed packages. They are code, so only the command line can enable them: a config cannot."""


class Settings(Options):
    """The options in force, and where they come from."""

    file: str = ""
    folder: str = ""
    """What the globs are relative to: the file's folder, or the current one."""
    tables: dict[str, Harness] = NO_ENTRIES
    """The complete tables from the config file."""
