"""Install harnesses with npm, each version in a folder of its own that git ignores."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance import sandbox
from conformance.adapter import Adapter
from conformance.errors import LabError
from conformance.probe import ROOT
from fsagent_lint.harnesses.versions import version_key

NODE = "node-linux-{arch}"
"""The packages that contain Node.js, one for each architecture."""
NODE_NOW = "24"
"""The version that is installed for a harness that needs a newer one than the system has."""
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
    """Install exactly the version that was asked for. LabError if npm has another one, or installs another one."""
    sandbox.require_linux()
    exact, engines = published(adapter.package, version)
    folder = home / adapter.id / exact
    folder.mkdir(parents=True, exist_ok=True)
    packages = [f"{adapter.package}@{exact}"]
    if _is_script(adapter) and not _suits(engines, _system_node()):
        packages.append(f"{_node_package()}@{NODE_NOW}")
    # No install scripts: no code of a harness runs outside the sandbox.
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder)]
    if subprocess.run([_npm(), "install", *options, *packages], check=False).returncode:
        raise LabError(f"npm could not install {adapter.package}@{exact}")
    for part in adapter.parts:
        place = folder / "node_modules" / part
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--omit=dev"]
        if subprocess.run([_npm(), "install", *options], cwd=place, check=False).returncode:
            raise LabError(f"npm could not install what {part} needs")
    return installed(adapter, home, adapter.harness_version(exact))


def published(package: str, version: str = "latest") -> tuple[str, str]:
    """The exact version that a version or tag means in the registry, and what it needs of Node.js.

    npm takes a package without a version for "the newest that suits this Node.js", and says nothing about it.
    """
    name = f"{package}@{version}"
    command = [_npm(), "view", name, "version", "engines.node", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or not done.stdout.strip():
        raise LabError(f"the registry has no {name}")
    found: Any = json.loads(done.stdout)
    data = found[-1] if isinstance(found, list) else found
    if isinstance(data, str):
        return data, ""
    return data["version"], data.get("engines.node", "")


def installed(adapter: Adapter, home: Path, version: str = "") -> Installed:
    """An installed version, by default the newest one."""
    found = {adapter.harness_version(_version(folder, adapter)): folder for folder in _folders(adapter, home)}
    if version and version not in found and (other := _at(adapter, home, version)):
        raise LabError(f"npm installed {adapter.id} {other} where {version} was asked for")
    if not found or version not in ("", *found):
        named = f"{adapter.id} {version}".rstrip()
        advice = f"python -m conformance install {adapter.id}" + (f" --version {version}" if version else "")
        raise LabError(f"{named} is not installed in {home}: run `{advice}`")
    exact = version or max(found, key=version_key)
    unpacked = home / "unpacked" / f"{adapter.id}-{exact}"
    unpacked.mkdir(parents=True, exist_ok=True)
    own = found[exact] / _node_package() / "bin" / "node"
    runner = [str(own) if own.exists() else "node"] if _is_script(adapter) else []
    return Installed([*runner, str(found[exact] / _binary(adapter))], exact, unpacked)


def _folders(adapter: Adapter, home: Path) -> list[Path]:
    """Each `node_modules` that has the harness."""
    found = sorted((home / adapter.id).glob("*/node_modules"))
    return [folder for folder in found if (folder / _binary(adapter)).exists()]


def _at(adapter: Adapter, home: Path, version: str) -> str:
    """The version that lies in the folder of another one."""
    folder = home / adapter.id / version / "node_modules"
    return _version(folder, adapter) if folder in _folders(adapter, home) else ""


def _version(folder: Path, adapter: Adapter) -> str:
    """What the package says that has the program: a package for the platform may be of another version than the main one."""
    program = folder / _binary(adapter)
    manifest = next(path for each in program.parents if (path := each / "package.json").exists())
    version: str = json.loads(manifest.read_text(encoding="utf-8"))["version"]
    return version.removesuffix(f"-linux-{_arch()}")


def _suits(engines: str, node: int) -> bool:
    """Does this major version of Node.js satisfy `engines`? Only its lower bounds are read."""
    wanted = [int(each) for each in re.findall(r"(?:>=|\^|~|^)\s*v?(\d+)", engines)]
    return not wanted or node >= min(wanted)


def _system_node() -> int:
    """Inside the sandbox, PATH has the folders of the system alone."""
    program = shutil.which("node", path=sandbox.PATH)
    if program is None:
        return 0
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return int(done.stdout.strip().removeprefix("v").partition(".")[0] or 0)


def _npm() -> str:
    program = shutil.which("npm")
    if program is None:
        raise LabError("`npm` is missing; it comes with Node.js")
    return program


def _is_script(adapter: Adapter) -> bool:
    return adapter.binary.endswith((".js", ".mjs"))


def _binary(adapter: Adapter) -> str:
    return adapter.binary.format(arch=_arch())


def _node_package() -> str:
    return NODE.format(arch=_arch())


def _arch() -> str:
    return "arm64" if platform.machine() in ("aarch64", "arm64") else "x64"
