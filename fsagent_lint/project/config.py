"""Config files: found, read strictly, checked, and turned into settings."""

from __future__ import annotations

import os
from collections.abc import Collection

from fsagent_lint.errors import DataError
from fsagent_lint.files.border import UnreadableError
from fsagent_lint.files.read import exists, read_file
from fsagent_lint.files.toml import parse_toml, read_toml
from fsagent_lint.model.schema import load_record
from fsagent_lint.project.settings import Options, Settings

__all__ = ["Settings", "check_codes", "find_config", "load_settings"]

SECTION = "fsagent-lint"
FILE = "fsagent-lint.toml"


def find_config(start: str) -> str | None:
    """The nearest config file in or above a folder, but not above its repository."""
    folder = os.path.abspath(start)
    while True:
        for name in (FILE, "pyproject.toml"):
            path = os.path.join(folder, name)
            if exists(path) and (name == FILE or _has_section(path)):
                return path
        parent = os.path.dirname(folder)
        if parent == folder or exists(os.path.join(folder, ".git")):
            return None
        folder = parent


def load_settings(path: str | None) -> Settings:
    """The settings of a config file; the defaults without one."""
    if path is None:
        return Settings(folder=os.getcwd())
    from fsagent_lint.project.config_check import check_options, check_version, normalise_options

    path = os.path.abspath(path)
    folder, where = os.path.dirname(path), _shown(path)
    data: object = read_toml(where)
    section = _section(data)
    if section is not None or os.path.basename(path) == "pyproject.toml":
        _check_alone(data, where)
        data, where = {} if section is None else section, f"{where}: tool.{SECTION}"
    try:
        check_version(data, where)
        options = load_record(Options, normalise_options(data, where), where)
        return Settings(**vars(options), file=path, folder=folder, tables=check_options(options, where, folder))
    except DataError as error:
        raise DataError(str(error).replace(f"{FILE}.", f"{FILE}: ", 1)) from None


def _shown(path: str) -> str:
    """The path as shown to the user: relative to the current folder, if it is below it."""
    return path.removeprefix(os.path.join(os.getcwd(), ""))


def check_codes(settings: Settings, known: Collection[str]) -> None:
    """Every rule that the settings name must exist; `known` holds codes and names."""
    from fsagent_lint.project.config_check import check_known

    where = _shown(settings.file) if settings.file else "settings"
    for key, codes in (
        ("select", settings.select),
        ("ignore", settings.ignore),
        ("severity", settings.severity),
        *((f"per-file-ignores.{glob}", codes) for glob, codes in settings.per_file_ignores.items()),
    ):
        for code in codes:
            check_known("rule", code, known, f"{where}: {key}")


def _has_section(path: str) -> bool:
    """Checks the bytes first: for most pyproject.toml files importing a parser is not worth it."""
    try:
        data = read_file(path)
    except UnreadableError:  # whatever it is, it does not configure this program
        return False
    return SECTION.encode() in data and _section(parse_toml(data, path)) is not None


def _section(data: object) -> object | None:
    tool = data.get("tool") if isinstance(data, dict) else None
    return tool.get(SECTION) if isinstance(tool, dict) else None


def _check_alone(data: object, path: str) -> None:
    """fsagent-lint.toml has all of its keys at the top level, or all under `tool`."""
    if os.path.basename(path) == FILE and isinstance(data, dict) and len(data) > 1:
        extra = ", ".join(sorted(set(data) - {"tool"}))
        raise DataError(f"{path}: {extra}: put all keys under [tool.{SECTION}], or none of them")
