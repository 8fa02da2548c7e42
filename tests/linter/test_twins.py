"""A file that two harnesses read through a link is checked for both, and fixed for its own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fsagent_lint import lint
from fsagent_lint.api import fix

OWN, LINK = ".claude/agents/a.md", ".opencode/agents/a.md"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def share(keys: str) -> None:
    for path in (OWN, LINK):
        Path(path).parent.mkdir(parents=True)
    Path(OWN).write_text(f"---\nname: a\ndescription: d\n{keys}---\nDo it.\n", encoding="utf-8")
    os.symlink(f"../../{OWN}", LINK)


def test_a_file_that_suits_both_is_no_problem() -> None:
    share("")
    result = lint()
    assert (result.errors, result.findings, result.exit_code) == ([], [], 0)


def test_what_the_other_harness_does_wrong_is_reported_at_the_link() -> None:
    share("tools: Read\n")
    found = {(each.path, each.finding.name, each.finding.fix) for each in lint().findings}
    assert (LINK, "wrong-tools-shape", None) in found
    assert {path for path, _, _ in found} == {LINK}
    assert all(each.finding.message.startswith(f"As a link to {OWN}: ") for each in lint().findings)


def test_a_shared_file_is_fixed_for_its_own_harness() -> None:
    share("tools: Read, execute\n")
    result = fix(".")
    assert "tools: Read, Bash\n" in Path(OWN).read_text(encoding="utf-8")
    assert os.path.islink(LINK)
    assert {each.path for each in result.result.findings} == {LINK}
