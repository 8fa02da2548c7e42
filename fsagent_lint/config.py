"""Config files: found, read strictly, checked, and turned into settings."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

from fsagent_lint.files import UnreadableError, read
from fsagent_lint.settings import Options, Settings
from fsagent_lint.strict import DataError, load

__all__ = ["Settings", "check_codes", "find_config", "load_settings"]

SECTION = "fsagent-lint"
FILE = "fsagent-lint.toml"
MAX_SIZE = 1024 * 1024


def find_config(start: str) -> str | None:
    """The nearest config file at or above a folder, but not above the repository that it is in."""
    folder = os.path.abspath(start)
    while True:
        for name in (FILE, "pyproject.toml"):
            path = os.path.join(folder, name)
            if os.path.lexists(path) and (name == FILE or _has_section(path)):
                _check_link(path)
                return path
        parent = os.path.dirname(folder)
        if parent == folder or os.path.lexists(os.path.join(folder, ".git")):
            return None
        folder = parent


def load_settings(path: str | None) -> Settings:
    """The settings of a config file; the defaults without one."""
    if path is None:
        return Settings(folder=os.getcwd())
    from fsagent_lint.config_check import check, normalise

    path = os.path.abspath(path)
    data: object = _parse(_read(path), path)
    section = _section(data)
    where = path
    if section is not None or os.path.basename(path) == "pyproject.toml":
        _check_alone(data, path)
        data, where = {} if section is None else section, f"{path}: tool.{SECTION}"
    options = load(Options, normalise(data, where), where)
    check(options, where)
    return Settings(**vars(options), file=path, folder=os.path.dirname(path))


def check_codes(settings: Settings, known: Collection[str]) -> None:
    """Every rule that the settings name must exist; `known` holds codes and names."""
    from fsagent_lint.config_check import check_known

    where = os.path.basename(settings.file) or "settings"
    for key, codes in (
        ("select", settings.select),
        ("ignore", settings.ignore),
        *((f"per-file-ignores.{glob}", codes) for glob, codes in settings.per_file_ignores.items()),
    ):
        for code in codes:
            check_known("rule", code, known, f"{where}.{key}")


def _has_section(path: str) -> bool:
    """Looks at the bytes first: most pyproject.toml are not worth importing a parser for."""
    data = _read(path) if os.path.isfile(path) else b""
    return SECTION.encode() in data and _section(_parse(data, path)) is not None


def _section(data: object) -> object | None:
    tool = data.get("tool") if isinstance(data, dict) else None
    return tool.get(SECTION) if isinstance(tool, dict) else None


def _check_alone(data: object, path: str) -> None:
    """fsagent-lint.toml says it all at the top level, or all under `tool`."""
    if os.path.basename(path) == FILE and isinstance(data, dict) and len(data) > 1:
        extra = ", ".join(sorted(set(data) - {"tool"}))
        raise DataError(f"{path}: {extra}: put every key under [tool.{SECTION}], or none")


def _check_link(path: str) -> None:
    """A config that nobody named must not be a link to somewhere else: errors would quote what is there."""
    from fsagent_lint.project import PathError, absolute, find_root, real, resolve

    folder = absolute(os.path.dirname(path))
    try:
        resolve(path, real(find_root(folder) or folder))
    except PathError as error:
        raise DataError(f"{path}: {error}") from error


def _read(path: str) -> bytes:
    try:
        return read(os.path.realpath(path))
    except UnreadableError as error:
        raise DataError(f"{path}: {error}") from error


def _parse(data: bytes, path: str) -> dict[str, Any]:
    import tomllib

    if len(data) > MAX_SIZE:
        raise DataError(f"{path}: larger than {MAX_SIZE // 1024} KiB")
    try:
        return tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: not valid TOML: {error}") from error
    except RecursionError as error:
        raise DataError(f"{path}: nested too deeply") from error
