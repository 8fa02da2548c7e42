"""Tools that a config or an installed package adds to agents, or takes away, when they are converted."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from pathlib import Path

import pytest

import fsagent_lint
from fsagent_lint import UserError
from fsagent_lint.cli.main import run
from fsagent_lint.model.policy import Policy

AGENT = "---\nname: reviewer\ndescription: d\ntags: web, code\ntools: Read\n---\nReview.\n"
SOURCE = ".claude/agents/reviewer.md"
RESULT = ".opencode/agents/reviewer.md"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".claude/agents").mkdir(parents=True)
    (tmp_path / SOURCE).write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ('path = ".claude/**"', True),
        ('path = ["docs/**", "**/reviewer.md"]', True),
        ('path = "docs/**"', False),
        ('tags = "web"', True),
        ('tags = ["shell", "code"]', True),
        ('tags = "we"', False),
        ('description = "d"', True),
        ('model = "opus"', False),
        ('name = "reviewer", harness = ["opencode", "copilot"]', True),
        ('name = "reviewer", harness = "copilot"', False),
    ],
)
def test_an_entry_counts_where_every_condition_holds(when: str, holds: bool, project: Path) -> None:
    (project / "fsagent-lint.toml").write_text(f"[[enrich]]\nwhen = {{ {when} }}\nadd = ['WebFetch']\n")
    assert run(["convert", "--to", "opencode"]) == 1  # `tags` is lost
    assert ("webfetch: allow" in (project / RESULT).read_text()) is holds


def test_a_tool_that_does_not_exist_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "fsagent-lint.toml").write_text("[[enrich]]\nadd = ['Read']\n[[enrich]]\nadd = ['web-fetch!']\n")
    assert run(["convert", "--to", "opencode"]) == 2
    assert "enrich[1].add: 'web-fetch!' is not a canonical tool" in capsys.readouterr().err
    assert not (project / RESULT).exists()


# -------------------------------------------------------------------------------------------------- installed enrichers


class Point:
    """What `importlib.metadata` finds of an installed package."""

    value = "package.module:enricher"

    def __init__(self, load: Callable[[], object]) -> None:
        self.load = load


def install(monkeypatch: pytest.MonkeyPatch, load: Callable[[], object]) -> None:
    def entry_points(*, group: str, name: str) -> list[Point]:
        return [Point(load)] if (group, name) == ("fsagent_lint.enrichers", "no-tools") else []

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)


def without_tools(_harness: object, _agent: object, policy: Policy) -> Policy:
    return Policy(policy.default)


def test_an_installed_enricher_runs_when_a_person_names_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, lambda: without_tools)
    assert run(["convert", "--to", "opencode", "--enricher", "no-tools"]) == 1  # `tags` is lost
    assert "read: allow" not in (project / RESULT).read_text()
    assert "deny" in (project / RESULT).read_text()


def test_a_config_alone_does_not_run_one(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = []
    install(monkeypatch, lambda: ran.append(1) or without_tools)  # type: ignore[func-returns-value]
    (project / "fsagent-lint.toml").write_text("enrichers = ['no-tools']\n")
    with pytest.raises(UserError, match=r"asks for `no-tools`: code of installed packages. --plugins lets it run"):
        fsagent_lint.convert(SOURCE, "opencode")
    assert ran == []
    assert "read: allow" not in fsagent_lint.convert(SOURCE, "opencode", plugins=True).data.decode()
    assert ran == [1]


@pytest.mark.usefixtures("project")
def test_one_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch, lambda: without_tools)
    assert run(["convert", "--to", "opencode", "--enricher", "other"]) == 2
    assert "no installed enricher `other`" in capsys.readouterr().err


@pytest.mark.usefixtures("project")
def test_one_that_cannot_be_loaded_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> object:
        raise ImportError("No module named 'package'")

    install(monkeypatch, fail)
    assert run(["convert", "--to", "opencode", "--enricher", "no-tools"]) == 2
    error = capsys.readouterr().err
    assert "`no-tools` of package.module:enricher cannot be loaded: No module named 'package'" in error
