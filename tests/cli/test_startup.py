"""What a run does not import: time that everyone would pay for what few need."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import fsagent_lint

pytestmark = pytest.mark.usefixtures("unmeasured")

COSTLY = {
    "asyncio",
    "frontmatter",
    "importlib.metadata",
    "json",
    "libcst",
    "ruamel",
    "ruamel.yaml",
    "subprocess",
    "unittest",
}
YAML = {"yaml", "yaml._yaml"}
AGENT = "---\nname: a\ndescription: d\ntools: Read, Grep\n---\nPrompt.\n"


def imported(folder: Path, *arguments: str) -> set[str]:
    """The modules that a command line brings with it."""
    code = f"import sys\nfrom fsagent_lint.cli.main import run\nrun({list(arguments)!r})\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-I", "-c", code], cwd=folder, capture_output=True, check=True)
    return set(done.stderr.decode("ascii").split())


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / ".claude" / "agents" / "a.md"
    path.parent.mkdir(parents=True)
    path.write_text(AGENT, encoding="utf-8")
    return tmp_path


def test_checking_a_file_by_its_path_imports_nothing_costly(project: Path) -> None:
    modules = imported(project, ".claude/agents/a.md")
    assert "fsagent_lint.linter.checker" in modules
    assert not COSTLY & modules


def test_a_run_imports_nothing_for_shells_and_progress(project: Path) -> None:
    modules = imported(project, ".claude/agents/a.md")
    assert not {"fsagent_lint.cli.completion", "click.shell_completion", "click._termui_impl"} & modules


def test_only_a_list_of_agents_is_read_as_one(project: Path) -> None:
    assert not {name for name in imported(project) if name.startswith("fsagent_lint.agent.data")}
    (project / ".roomodes").write_text("customModes: []\n", encoding="utf-8")
    assert "fsagent_lint.agent.data.subject" in imported(project)


def test_checking_a_file_with_findings_imports_nothing_costly(project: Path) -> None:
    path = project / ".claude" / "agents" / "a.md"
    path.write_text(AGENT.replace("Read", "Raed"), encoding="utf-8")
    assert not COSTLY & imported(project, str(path))


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["check", "--help"]])
def test_asking_for_help_reads_neither_tables_nor_rules(project: Path, arguments: list[str]) -> None:
    modules = imported(project, *arguments)
    assert (
        not (
            COSTLY
            | YAML
            | {"fsagent_lint.harnesses.harness", "fsagent_lint.rules._rule", "fsagent_lint.frontmatter.document"}
        )
        & modules
    )


def test_listing_rules_reads_no_files(project: Path) -> None:
    assert not (COSTLY | YAML) & imported(project, "rules")


def test_named_tuples_are_made_the_cheap_way() -> None:
    package = Path(fsagent_lint.__file__).parent
    found = {
        path.stem
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and node.module == "typing"
        and "NamedTuple" in {each.name for each in node.names}
    }
    assert found == {"_fast"}


IMPORTER = """
import re, sys
compile = re.compile
class Watched(type(re)):
    def __setattr__(self, name, value):
        raise AssertionError(f"re.{name} was set")
re.__class__ = Watched
import fsagent_lint
assert fsagent_lint.lint(sys.argv[1]).files == 1
assert "yaml" in sys.modules
"""


def test_a_program_that_imports_us_keeps_its_regular_expressions(project: Path) -> None:
    path = project / ".claude" / "agents" / "a.md"
    path.write_text(AGENT.replace("Read, Grep", "[&x Read, *x]"), encoding="utf-8")
    subprocess.run([sys.executable, "-I", "-c", IMPORTER, str(path)], cwd=project, check=True)
