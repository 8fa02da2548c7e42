"""What `explain` says in words about what an author meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsagent_lint.cli.main import run


@pytest.mark.parametrize(
    ("tools", "words"),
    [
        ("", "every tool"),
        ("permission: {bash: deny}\n", "every tool, but"),
        ('permission: {bash: {"*": deny, "git *": allow}}\n', "Shell only for git *"),
        ('permission: {bash: {"*": allow, "rm *": deny}}\n', "Shell(rm *)"),
        ('permission: {"*": deny, read: allow}\n', "only"),
    ],
)
def test_an_intent_in_words(
    tools: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / ".opencode/agents/a.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"---\ndescription: d\n{tools}---\nPrompt.\n")
    monkeypatch.chdir(tmp_path)
    assert run(["explain", "--harness", "opencode", str(path)]) == 0
    [meant] = [line for line in capsys.readouterr().out.splitlines() if "meant" in line][:1]
    assert words in meant
