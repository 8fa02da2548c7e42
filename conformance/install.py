"""Harnesses from npm, in a folder that git does not see."""

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
"""The package that is Node.js itself, for one sort of processor."""
DEFAULT_HOME = ROOT / ".conformance"


@dataclass(frozen=True)
class Installed:
    program: list[str]
    version: str
    unpacked: Path
    """Where this version keeps what it unpacks from itself."""


def lab_home(given: str | None) -> Path:
    """Where harnesses and journals are kept."""
    return Path(given or os.environ.get("CONFORMANCE_HOME") or DEFAULT_HOME).absolute()


def install(adapter: Adapter, home: Path, version: str) -> Installed:
    sandbox.require_linux()
    if shutil.which("npm") is None:
        raise LabError("`npm` is missing; it comes with Node.js")
    folder = home / adapter.id
    folder.mkdir(parents=True, exist_ok=True)
    # What packages would run on installing is left out: nothing of a harness runs outside the sandbox.
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder)]
    packages = [f"{adapter.package}@{version}", *([f"{NODE}{_arch()}@{adapter.node}"] if adapter.node else [])]
    command = ["npm", "install", *options, *packages]
    if subprocess.run(command, check=False).returncode:
        raise LabError(f"npm could not install {adapter.package}@{version}")
    return installed(adapter, home)


def installed(adapter: Adapter, home: Path) -> Installed:
    """What is there; a folder for one harness, or one for all of them."""
    binary = adapter.binary.format(arch=_arch())
    for folder in (home / adapter.id / "node_modules", home / "node_modules"):
        if (folder / binary).exists():
            said = folder / (adapter.version_of or adapter.package) / "package.json"
            version: str = json.loads(said.read_text(encoding="utf-8"))["version"]
            program = [str(folder / binary)]
            unpacked = home / "unpacked" / f"{adapter.id}-{version}"
            unpacked.mkdir(parents=True, exist_ok=True)
            node = str(folder / f"{NODE}{_arch()}" / "bin" / "node") if adapter.node else "node"
            runner = [node] if binary.endswith((".js", ".mjs")) else []
            return Installed([*runner, *program], version, unpacked)
    raise LabError(f"{adapter.id} is not installed in {home}: run `python -m conformance install {adapter.id}`")


def _arch() -> str:
    return "arm64" if platform.machine() in ("aarch64", "arm64") else "x64"
