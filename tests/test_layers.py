"""Imports point down: which package may know which, and who may import what is costly or what only the surface needs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

import fsagent_lint

PACKAGE = Path(fsagent_lint.__file__).parent

EVERYONE = {"errors", "suggest", "_fast"}
"""For all packages."""
MAY_IMPORT = {
    "files": "",
    "frontmatter": "",
    "model": "frontmatter",
    "harnesses": "model files",
    "effect": "harnesses model frontmatter files",
    "agent": "effect harnesses model frontmatter files",
    "project": "agent effect harnesses model frontmatter files",
    "rewrite": "agent effect harnesses model frontmatter files",
    "report": "agent model frontmatter",
    "rules": "rewrite agent effect harnesses model frontmatter files",
    "linter": "rules rewrite report project agent effect harnesses model frontmatter files",
    "audit": "linter rules rewrite report project agent effect harnesses model frontmatter files",
    "converter": "rewrite report project agent effect harnesses model frontmatter files",
    "schemas": "linter project agent effect harnesses model frontmatter files",
    "server": "converter linter rules rewrite report project agent effect harnesses model frontmatter files",
}
"""The command line, the Python interface and what authors of rules test with may import everything."""
MOST_MODULES = 20
"""In a folder; more are hard to find one's way in. Rules are found by their names."""

# Modules that may import a package when they are imported; anyone may do so in a function that needs it.
AT_ONCE = {
    "click": {"cli.*", "cli.check.*", "cli.init.*"},
    "frontmatter": set[str](),
    "importlib.metadata": set[str](),
    "jinja2": set[str](),
    "json": {
        "audit.formats.html",
        "audit.formats.json",
        "cli.hook",
        "cli.init.files",
        "linter.baseline",
        "report.json",
    },
    "libcst": {"agent.python.calls", "agent.python.names", "agent.python.nodes"},
    "lsprotocol": {"server.*", "server.completion", "server.completion.*"},
    "pygls": {"server.*"},
    "ruamel": set[str](),
    "subprocess": set[str](),
    "tomllib": {"cli.init.files"},
    "yaml": {"frontmatter.libyaml"},
}

RUNS = {
    *("subprocess", "multiprocessing", "concurrent", "asyncio", "pty", "runpy", "importlib", "pkgutil", "code"),
    *("socket", "ssl", "http", "urllib", "ftplib", "smtplib", "xmlrpc", "webbrowser"),
    *("pickle", "marshal", "shelve", "ctypes"),
}
"""Modules that run programs or code, or talk to a network."""
RUNNING_CALL = re.compile(r"eval|exec|compile|__import__|os\.(system|popen|exec|posix_spawn|spawn|fork|startfile).*")
MAY_RUN = {
    "files.git": {"subprocess"},
    # Our own modules, by names of our own.
    "cli.main": {"importlib"},
    "harnesses.tables": {"importlib"},
    "audit.formats": {"importlib"},
    "report": {"importlib"},
    "rules": {"importlib"},
    # What the user has installed; it is run only where the user asks for it.
    "project.enrichers": {"importlib"},
    "project.own_tables": {"importlib"},
    "project.tool_registry": {"importlib"},
    "report.sarif": {"urllib"},  # quotes paths
    "server.app": {"asyncio"},  # one thread for everything
    "server.serve": {"asyncio"},  # standard input and output, or a port of this machine
    "server.state": {"asyncio"},
    "server.buffers": {"urllib"},  # takes addresses of files apart
    "linter.rule_page": {"importlib"},  # asks for the address in our own metadata
}


class Import(NamedTuple):
    name: str
    lazy: bool


def module_names() -> dict[str, Path]:
    names = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        names[".".join(part for part in parts if part != "__init__")] = path
    return names


MODULES = module_names()
OWN = sorted(name for name in MODULES if name)
FOLDERS = sorted({path.parent for path in MODULES.values()})


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """Every import of a module, those in functions and those for type checkers included."""
    return tuple(_imports(ast.parse(path.read_text(encoding="utf-8")).body, lazy=False))


def _imports(body: list[ast.stmt], *, lazy: bool) -> Iterator[Import]:
    for node in body:
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, lazy) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield Import(inner if inner.removeprefix("fsagent_lint.") in MODULES else node.module, lazy)
        later = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or (
            isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        )
        for field in ("body", "orelse", "finalbody", "handlers"):
            yield from _imports(getattr(node, field, []), lazy=lazy or later)


def own_imports(module: str) -> set[str]:
    """Modules of ours that a module imports; the whole package itself has nothing but its version."""
    prefix = "fsagent_lint."
    return {each.name.removeprefix(prefix) for each in imports(MODULES[module]) if each.name.startswith(prefix)}


def package(module: str) -> str:
    return module.partition(".")[0]


def is_one_of(module: str, names: set[str]) -> bool:
    return module in names or f"{module.rpartition('.')[0]}.*" in names


@pytest.mark.parametrize("module", [module for module in OWN if package(module) in MAY_IMPORT])
def test_imports_point_down(module: str) -> None:
    known = {package(name) for name in own_imports(module)}
    assert known - EVERYONE - {package(module)} <= set(MAY_IMPORT[package(module)].split())


@pytest.mark.parametrize("module", sorted(EVERYONE))
def test_what_is_for_everyone_needs_nobody(module: str) -> None:
    assert {package(name) for name in own_imports(module)} <= EVERYONE


def test_every_package_has_its_place() -> None:
    packages = {package(module) for module in OWN if "." in module}
    assert packages == {*MAY_IMPORT, "cli"}


def test_imports_do_not_go_in_circles() -> None:
    # A package's face is imported by its own modules, and imports some of them: only the face of a folder that is
    # made up of nothing else may do so.
    graph = {module: own_imports(module) - {module, package(module)} for module in OWN}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_folder_is_too_full_to_find_ones_way_in(folder: Path) -> None:
    if folder.name != "rules":
        assert len(list(folder.glob("*.py"))) <= MOST_MODULES


@pytest.mark.parametrize("module", OWN)
def test_what_is_costly_is_imported_where_it_is_needed(module: str) -> None:
    at_once = {each.name for each in imports(MODULES[module]) if not each.lazy}
    for costly, allowed in AT_ONCE.items():
        if not is_one_of(module, allowed):
            assert not [name for name in at_once if name == costly or name.startswith(f"{costly}.")]


@pytest.mark.parametrize("module", OWN)
def test_only_the_command_line_knows_click(module: str) -> None:
    if not is_one_of(module, AT_ONCE["click"]):
        assert "click" not in {each.name for each in imports(MODULES[module])}


@pytest.mark.parametrize("module", OWN)
def test_nothing_is_run_and_no_network_is_used(module: str) -> None:
    names = {each.name.partition(".")[0] for each in imports(MODULES[module])}
    assert names & RUNS <= MAY_RUN.get(module, set())
    nodes = ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8")))
    calls = [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]
    assert [call for call in calls if RUNNING_CALL.fullmatch(call)] == []


@pytest.mark.parametrize("module", OWN)
def test_no_code_asks_which_harness_it_is(module: str) -> None:
    text = MODULES[module].read_text(encoding="utf-8")
    # The canonical names are no harness that runs agents, and lists of those leave them out.
    assert re.findall(r"""\.id\s*[!=]=\s*["'](?!canonical["'])[^"']*["']""", text) == []
    assert re.findall(r"""["'](?:claude-code|opencode|copilot|vscode)["']\s*[!=]=""", text) == []


@pytest.mark.parametrize("module", [module for module in OWN if not re.match(r"rules\.[a-z]", module)])
def test_no_code_knows_a_rule_by_its_number_or_the_digit_of_its_family(module: str) -> None:
    text = MODULES[module].read_text(encoding="utf-8")
    assert re.findall(r"""["'`]FA\d{3}["'`]""", text) == []
    if module != "rules._rule":
        assert re.findall(r"""\.code\[|\.code\.startswith""", text) == []


DISK = {
    "os": "open remove unlink rename replace makedirs mkdir rmdir removedirs scandir listdir walk fwalk stat lstat readlink "
    "symlink link chmod chown utime truncate access",
    "path": "exists lexists isfile isdir islink realpath getsize getmtime samefile",
    "": "open",
}
"""Functions that look at the disk or change it, by the module that they are asked for."""
METHODS = {
    "read_text",
    "read_bytes",
    "write_text",
    "write_bytes",
    "iterdir",
    "rglob",
    "is_symlink",
    "is_file",
    "is_dir",
}
"""Those of `pathlib`."""
OWN_FILES = {"harnesses.sdk", "harnesses.tables", "model.tool", "rules", "testing", "cli.streams"}
"""Read the data of the package itself, or make a folder for a test; `streams` opens the null device."""


def touches_disk(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            yield from (name for name in names if name in ("shutil", "tempfile", "glob"))
            if isinstance(node, ast.ImportFrom) and node.module in ("os", "os.path"):
                yield from (alias.name for alias in node.names)
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute):
            owner = ast.unparse(node.func.value).rpartition(".")[2]
            if node.func.attr in DISK.get(owner, "").split() or node.func.attr in METHODS:
                yield ast.unparse(node.func)
        elif isinstance(node.func, ast.Name) and node.func.id in DISK[""].split():
            yield node.func.id


@pytest.mark.parametrize("module", [module for module in OWN if package(module) != "files" and module not in OWN_FILES])
def test_only_files_touches_the_disk(module: str) -> None:
    allowed = {"shutil"} if module == "cli.tools" else set()  # the width of the terminal
    assert set(touches_disk(MODULES[module])) <= allowed


def test_what_touches_the_disk_is_seen() -> None:
    assert {*touches_disk(MODULES["files.write"])} >= {"tempfile", "os.unlink", "os.makedirs", "os.path.islink"}
