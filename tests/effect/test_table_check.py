"""A table that no run could make sense of is refused, with the place and the reason."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sample_table

from fsagent_lint.cli.main import run
from fsagent_lint.harnesses.tables import use_tables

TABLE = f'id = "mine"\n{sample_table.TABLE}'


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    Path("fsagent-lint.toml").write_text("harness-tables = ['mine.toml']\n")
    agent = Path(".mine/agents/a.md")
    agent.parent.mkdir(parents=True)
    agent.write_text("---\ndescription: d\ntools: [peek]\n---\n")
    yield
    use_tables({})


def test_a_sound_table_is_in_force(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.toml").write_text(TABLE)
    assert run([]) == 0, capsys.readouterr()
    assert run(["explain", "--harness", "mine", ".mine/agents/a.md"]) == 0
    assert "grants peek" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('id = "mine"', 'id = "My Harness"', "small letters and digits"),
        ('reader = "core"', 'reader = "cobol"', "'cobol'"),
        ('".mine/agents/*.md"', '".mine/agents/*.txt"', "it must end in .md"),
        ('".mine/agents/*.md"', '"../agents/*.md"', "kinds.agent.globs"),
        ('agents/{name}.md"', 'agents/{name}.txt"', "must end in .md"),
        ('agents/{name}.md"', 'agents/one.md"', "{name}"),
        ('path = ".mine', 'body = "prompt"\npath = ".mine', "kinds.agent.body: the field for the prompt"),
        ('path = ".mine', 'under = "agents"\npath = ".mine', "kinds.agent.under: the key of a list of agents"),
        (
            'globs = [".mine/agents/*.md"]\npath = ".mine/agents/{name}.md"',
            'globs = [".mine/*.json"]\nfile = "toml"\nbody = "p"\npath = ".mine/{name}.toml"',
            "the name of a file, or a path that ends in .toml",
        ),
        ('path = ".mine', 'holds = { agents = "agent" }\npath = ".mine', "kinds.agent.holds"),
        ('path = ".mine', 'data.xml.body = "p"\npath = ".mine', "'xml'"),
        (
            'globs = [".mine/agents/*.md"]\npath = ".mine/agents/{name}.md"',
            'globs = ["agents/*"]\nfile = "jsonc"\nbody = "prompt"',
            "the name of a file, or a path that ends in .json",
        ),
        ('forms = ["list"]', "forms = []", "name at least one of"),
        ('forms = ["list"]', 'forms = ["prose"]', "'prose'"),
        ('forms = ["list"]', 'forms = ["list", "preset"]', "has presets, and no other"),
        (
            'forms = ["list"]',
            'forms = ["list", "preset"]\npresets = { all = ["poke"] }',
            "presets.all: 'poke' is neither a tool nor a name",
        ),
        ('grants = ["Read"]', 'grants = ["Raed"]', "'Raed'"),
        ("[write]", '[names]\nlook = { use = ["poke"] }\n[write]', "'poke' is neither a tool nor a name"),
        ('type = ["string"], required', 'type = ["text"], required', "'text'"),
        ("description = {", "tools = {", "'tools' is only one of a key, a wrong key and a field"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(
    old: str, new: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert old in TABLE
    Path("mine.toml").write_text(TABLE.replace(old, new))
    assert run([]) == 2
    error = capsys.readouterr().err
    assert "mine.toml" in error
    assert why in error
