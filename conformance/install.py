"""Install harnesses with npm, in a folder that git ignores."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from conformance import sandbox
from conformance.adapter import Adapter
from conformance.errors import LabError
from conformance.probe import ROOT

NODE = "node-linux-"
"""The prefix of the packages that contain Node.js, one for each architecture."""
DEFAULT_HOME = ROOT / ".conformance"


@dataclass(frozen=True)
class Installed:
    program: list[str]
    version: str
    unpacked: Path
    """The folder for what this version unpacks from itself."""


def lab_home(path: str | None) -> Path:
    """The folder of harnesses and journals."""
    return Path(path or os.environ.get("CONFORMANCE_HOME") or DEFAULT_HOME).absolute()


def install(adapter: Adapter, home: Path, version: str) -> Installed:
    sandbox.require_linux()
    if shutil.which("npm") is None:
        raise LabError("`npm` is missing; it comes with Node.js")
    folder = home / adapter.id
    folder.mkdir(parents=True, exist_ok=True)
    # No install scripts: no code of a harness runs outside the sandbox.
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder)]
    packages = [f"{adapter.package}@{version}", *([f"{NODE}{_arch()}@{adapter.node}"] if adapter.node else [])]
    command = ["npm", "install", *options, *packages]
    if subprocess.run(command, check=False).returncode:
        raise LabError(f"npm could not install {adapter.package}@{version}")
    return installed(adapter, home)


def installed(adapter: Adapter, home: Path) -> Installed:
    """The installed harness, in its own folder or in one for all harnesses."""
    binary = adapter.binary.format(arch=_arch())
    for folder in (home / adapter.id / "node_modules", home / "node_modules"):
        if (folder / binary).exists():
            manifest = folder / (adapter.version_of or adapter.package) / "package.json"
            version: str = json.loads(manifest.read_text(encoding="utf-8"))["version"]
            program = [str(folder / binary)]
            unpacked = home / "unpacked" / f"{adapter.id}-{version}"
            unpacked.mkdir(parents=True, exist_ok=True)
            node = str(folder / f"{NODE}{_arch()}" / "bin" / "node") if adapter.node else "node"
            runner = [node] if binary.endswith((".js", ".mjs")) else []
            return Installed([*runner, *program], version, unpacked)
    raise LabError(f"{adapter.id} is not installed in {home}: run `python -m conformance install {adapter.id}`")


def _arch() -> str:
    return "arm64" if platform.machine() in ("aarch64", "arm64") else "x64"
