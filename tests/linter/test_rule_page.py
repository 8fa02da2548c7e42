"""Where the page of a rule is."""

from __future__ import annotations

from pathlib import Path

import pytest

import fsagent_lint
from fsagent_lint.linter.rule_page import address, repository
from fsagent_lint.linter.selection import rule_infos
from fsagent_lint.rules import all_rules

PAGES = Path(__file__).parents[2] / "docs" / "rules"


def install(folder: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Metadata that are found before those of the package that is tested."""
    info = folder / "fsagent_lint-0.dist-info"
    info.mkdir()
    text = f"Metadata-Version: 2.1\nName: fsagent-lint\nVersion: 0\nProject-URL: Other, x\nProject-URL: {url}\n"
    (info / "METADATA").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))


def test_the_address_is_that_of_a_page_that_exists() -> None:
    for rule in all_rules():
        found = address(rule, "https://example.org/x")
        assert found.startswith(f"https://example.org/x/blob/v{fsagent_lint.__version__}/docs/rules/")
        assert (PAGES / found.rpartition("/")[2]).is_file()


def test_the_repository_is_the_one_that_the_package_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "Repository, https://example.org/fsagent-lint/", monkeypatch)
    assert repository() == "https://example.org/fsagent-lint"
    assert all(rule.url.startswith("https://example.org/fsagent-lint/blob/") for rule in rule_infos())


def test_without_an_address_none_is_invented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "Homepage, https://example.org", monkeypatch)
    assert repository() == ""
    assert not any(rule.url for rule in rule_infos())
