"""Tables of installed packages: found by their entry point, and read without running the package's code."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator
from pathlib import Path

import pytest
from sample_table import TABLE

from fsagent_lint.cli.main import run
from fsagent_lint.harnesses.tables import use_tables


@pytest.fixture(autouse=True)
def _built_in_again() -> Iterator[None]:
    yield
    use_tables({})


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    source = tmp_path / ".claude/agents/a.md"
    source.parent.mkdir(parents=True)
    source.write_text("---\nname: a\ndescription: d\ntools: Read\n---\nPrompt.\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def install(
    monkeypatch: pytest.MonkeyPatch, folder: Path, value: str = "minetables.data", *, table: str | None = TABLE
) -> None:
    """A package that stops whoever runs it, and its entry point."""
    inner = folder / "minetables/data"
    inner.mkdir(parents=True)
    for package in (inner.parent, inner):
        (package / "__init__.py").write_text("raise SystemExit('the code of the package was run')\n")
    if table is not None:
        (inner / "mine.toml").write_text(table)
    monkeypatch.syspath_prepend(str(folder))
    point = importlib.metadata.EntryPoint("mine", value, "fsagent_lint.harnesses")

    def entry_points(*, group: str, name: str) -> list[importlib.metadata.EntryPoint]:
        return [point] if (group, name) == (point.group, point.name) else []

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)


def test_a_harness_of_a_package_is_known_by_its_name(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    install(monkeypatch, tmp_path_factory.mktemp("site"))
    assert run(["convert", "--to", "mine"]) == 0
    assert "tools:\n  - peek\n" in (project / ".mine/agents/a.md").read_text()


def test_a_config_may_name_it(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
) -> None:
    install(monkeypatch, tmp_path_factory.mktemp("site"))
    (project / "fsagent-lint.toml").write_text("harness-tables = ['mine']\n")
    agent = project / ".mine/agents/b.md"
    agent.parent.mkdir(parents=True)
    agent.write_text("---\ndescription: d\ntools: [pek]\n---\nPrompt.\n")
    assert run([".mine"]) == 1
    assert "`peek`" in capsys.readouterr().out


@pytest.mark.parametrize("value", ["minetables.data", "minetables.data:attribute", "nowhere", "..", "json"])
def test_a_package_without_its_table_is_named(
    value: str,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
) -> None:
    install(monkeypatch, tmp_path_factory.mktemp("site"), value, table=None)
    assert run(["convert", "--to", "mine"]) == 2
    assert f"The package `{value}` declares the harness `mine`, but has no mine.toml" in capsys.readouterr().err
    assert not (project / ".mine").exists()


@pytest.mark.usefixtures("project")
def test_a_harness_that_nobody_brings_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    Path("fsagent-lint.toml").write_text("harness-tables = ['theirs']\n")
    assert run([]) == 2
    assert "'theirs' is neither a .toml file nor a harness of an installed package" in capsys.readouterr().err
