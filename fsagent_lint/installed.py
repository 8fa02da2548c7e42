"""Harness tables of installed packages: data, found by entry point; no code of a package is run.

The entry point's name is the harness, its value the package: `example = "example_agents"` is the file
`example_agents/example.toml`. To ask which packages there are is slow, so nothing here runs unless a harness is asked
for that is not built in.
"""

from __future__ import annotations

import os
from typing import Any

from fsagent_lint.errors import UserError
from fsagent_lint.files.toml import read_toml

GROUP = "fsagent_lint.harnesses"


def installed_table(id: str) -> tuple[dict[str, Any], str] | None:
    """The data of a table, and the file that it is from; None where no package brings one."""
    from importlib.metadata import entry_points

    points = list(entry_points(group=GROUP, name=id))
    if not points:
        return None
    path = _find(points[0].value, f"{id}.toml")
    if path is None:
        raise UserError(f"The package `{points[0].value}` should bring the harness `{id}`, but has no {id}.toml.")
    return read_toml(path), path


def _find(package: str, file: str) -> str | None:
    """A file of a package; only the outermost is looked up, as the way to an inner one would run its code."""
    from importlib.util import find_spec

    outer, *inner = package.partition(":")[0].strip().split(".")
    try:
        spec = find_spec(outer)
    except (ImportError, ValueError):
        return None
    folders = spec.submodule_search_locations if spec is not None else None
    paths = [os.path.join(folder, *inner, file) for folder in folders or ()]
    return next((path for path in paths if os.path.isfile(path)), None)
