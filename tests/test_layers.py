"""Imports point down: who may know whom, and who may import what is costly or what only the surface needs."""

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

# From the ground up: a module may import what stands below it and, without going in circles, beside it.
LAYERS = {
    # Small values and text; they know nothing of the rest.
    "ground": "errors pattern named lazy record nodes lines source tool globs confusables escape files identity quoting signals streams secondreader jsonc suggest fileregex",
    # What policies, findings and tables are, and data that is read strictly into them.
    "model": "strict values policy findings result settings kind harness tables index compiled compiled.* checks conditions surroundings compile_tables sdk preset",
    # YAML with spans: text to nodes, and edits that leave alone what they are not about.
    "text": "libyaml simple parse document doubts written comments toml_text edits takeout pieces itemedits serial jsyaml diff "
    "roster python_source python_nodes python_outline",
    # The file system: which files there are, whose they are by their place, and how they are written.
    "files": "project git ignore walk places scope listing target watch write exports configfiles beside discover python_files tomlfile",
    # What a harness makes of a file, and what its author meant.
    "meaning": "syntax mcp placeholders qwenyaml reading claude_matter gray_matter reader fields wildcard given allow_list last_match semantics effect delegation vocabulary intent entries recognise "
    "suppress sync enrich python_names python_calls",
    # The settings of a run, and the tables that come with them.
    "config": "table_check installed own_tables config_check config baseline",
    # One file under judgement.
    "subject": "traits subject gates elsewhere strictly unclear explain profile remedy fieldfix python_subject roster_subject registry survey references",
    # The same file in another form, or for another harness; proven before it is written.
    "rewriting": "render unlisted transcribe readback assemble inplace rewrite proof conversion translate losses agent python_proof roster_proof roster_text",
    # Many files: found, and told by their content.
    "scan": "content finder scan",
    # Results to text.
    "report": "report report.*",
    # What is wrong with a file, one module for each problem.
    "rules": "rule rules rules.* rulepage selection dispatch",
    # Whole runs: judge, fix, convert and keep in sync.
    "runs": "engine fixer fixrun convert convertrun syncrun check export init initrun",
    # What people call: functions, documentation, the command line.
    "surface": "api commands commands.* cli __main__ docgen docgen.*",
}

# Imports that point up, inside a function, and why.
UPWARD = {("subject", "conversion"): "a rule asks its subject what would become of it elsewhere; it is worked out once"}

# Modules that may import a package when they are imported; anyone may do so in a function that needs it.
AT_ONCE = {
    "click": {"cli", "commands.*"},
    "frontmatter": set[str](),
    "importlib.metadata": set[str](),
    "json": {"baseline", "discover", "docgen.*", "initrun", "report.json"},
    "libcst": {"python_calls", "python_names", "python_nodes"},
    "ruamel": set[str](),
    "subprocess": {"docgen.*"},
    "tomllib": {"docgen.*", "initrun"},
    "yaml": {"libyaml"},
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


@cache
def imports(path: Path) -> tuple[Import, ...]:
    return tuple(_imports(ast.parse(path.read_text(encoding="utf-8")).body, lazy=False))


def _imports(body: list[ast.stmt], *, lazy: bool) -> Iterator[Import]:
    for node in body:
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, lazy) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield Import(inner if inner.removeprefix("fsagent_lint.") in MODULES else node.module, lazy)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        for field in ("body", "orelse", "finalbody", "handlers"):
            inside = getattr(node, field, [])
            yield from _imports(inside, lazy=lazy or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


def own_imports(module: str) -> list[Import]:
    """Modules of the package that a module imports; the package itself has nothing but its version."""
    found = [each for each in imports(MODULES[module]) if each.name.startswith("fsagent_lint.")]
    return [Import(each.name.removeprefix("fsagent_lint."), each.lazy) for each in found]


def is_one_of(module: str, names: set[str]) -> bool:
    return module in names or f"{module.rpartition('.')[0]}.*" in names


def layer(module: str) -> int:
    found = [number for number, names in enumerate(LAYERS.values()) if is_one_of(module, set(names.split()))]
    assert len(found) == 1, f"{module} must be in one of the LAYERS above"
    return found[0]


def test_every_module_is_in_one_layer_and_every_entry_is_a_module() -> None:
    homes = {module: [name for name, text in LAYERS.items() if is_one_of(module, set(text.split()))] for module in OWN}
    assert {module: found for module, found in homes.items() if len(found) != 1} == {}
    listed = {name for text in LAYERS.values() for name in text.split() if not name.endswith(".*")}
    assert listed - set(OWN) == set()


@pytest.mark.parametrize("module", OWN)
def test_imports_point_down(module: str) -> None:
    upward = {each.name for each in own_imports(module) if layer(each.name) > layer(module)}
    assert upward == {above for below, above in UPWARD if below == module}


@pytest.mark.parametrize(("below", "above"), UPWARD)
def test_an_import_that_points_up_waits_until_it_is_needed(below: str, above: str) -> None:
    assert all(each.lazy for each in own_imports(below) if each.name == above)


def test_imports_do_not_go_in_circles() -> None:
    graph = {
        module: {each.name for each in own_imports(module) if (module, each.name) not in UPWARD and each.name != module}
        for module in OWN
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


@pytest.mark.parametrize("module", OWN)
def test_what_is_costly_is_imported_where_it_is_needed(module: str) -> None:
    at_once = {each.name for each in imports(MODULES[module]) if not each.lazy}
    for package, allowed in AT_ONCE.items():
        if not is_one_of(module, allowed):
            assert not [name for name in at_once if name == package or name.startswith(f"{package}.")]


@pytest.mark.parametrize("module", OWN)
def test_only_the_command_line_knows_click(module: str) -> None:
    if not is_one_of(module, AT_ONCE["click"]):
        assert "click" not in {each.name for each in imports(MODULES[module])}


@pytest.mark.parametrize("module", OWN)
def test_no_code_asks_which_harness_it_is(module: str) -> None:
    text = MODULES[module].read_text(encoding="utf-8")
    # The canonical names are no harness that runs agents, and lists of those leave them out.
    assert re.findall(r"""\.id\s*[!=]=\s*["'](?!canonical["'])[^"']*["']""", text) == []
    assert re.findall(r"""["'](?:claude-code|opencode|copilot|vscode)["']\s*[!=]=""", text) == []
