"""Print the oldest versions that pyproject.toml allows, as requirements, so that they can be tested."""

from __future__ import annotations

import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8"))["project"]
for dependency in project["dependencies"]:
    name, bound, version = dependency.partition(">=")
    assert bound and "," not in version, f"{dependency}: a lower bound, and nothing else, is expected"
    print(f"{name}=={version}")
