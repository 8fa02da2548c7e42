"""Generated copies, and how they come to differ from what they should be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import fsagent_lint
from fsagent_lint.agent.copies import State
from fsagent_lint.agent.copy_marker import content_hash, find_marker
from fsagent_lint.cli.main import run
from fsagent_lint.converter.sync import Copy, add_marker, state_of

CONFIG = '[sync]\nsource = ".claude/agents"\ntargets = ["opencode", "copilot"]\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "fsagent-lint.toml").write_text(CONFIG)
    folder = tmp_path / ".claude" / "agents"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("---\nname: a\ndescription: d\ntools: Read\n---\nx\n")
    (folder / "b.md").write_text("---\nname: b\ndescription: d\n---\nx\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_sync_writes_every_copy_and_is_quiet_the_second_time(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sync", "--check"]) == 1
    assert ".opencode/agents/a.md: missing" in capsys.readouterr().out
    assert run(["sync"]) == 0
    assert sorted(path.name for path in project.glob(".*/agents/*") if ".claude" not in str(path)) == [
        "a.agent.md", "a.md", "b.agent.md", "b.md",
    ]  # fmt: skip
    capsys.readouterr()
    assert run(["sync", "--check"]) == 0
    assert capsys.readouterr().out == "All copies are current.\n"


def test_a_copy_carries_its_source(project: Path) -> None:
    run(["sync"])
    marker = find_marker((project / ".opencode/agents/a.md").read_bytes())
    assert marker is not None
    assert marker.source == ".claude/agents/a.md"


def test_a_file_name_adds_nothing_to_the_frontmatter() -> None:
    data = b"---\ndescription: d\n---\nx\n"
    for name in ("a\ntools: x.md", "a\r.md", os.fsdecode(b"\xff.md"), os.fsdecode("\u2028ü.md".encode())):
        marked = add_marker(name, data)
        assert marked.count(b"\n") == data.count(b"\n") + 1
        assert find_marker(marked) is not None
        assert content_hash(marked) == content_hash(data)


def test_a_stale_copy_is_shown_and_rewritten(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["sync"])
    source = project / ".claude/agents/a.md"
    source.write_text(source.read_text().replace("tools: Read", "tools: Read, Bash"))
    capsys.readouterr()
    assert run(["sync", "--check"]) == 1
    out = capsys.readouterr().out
    assert ".opencode/agents/a.md: stale" in out
    assert "+  bash: allow" in out
    assert run(["sync"]) == 0
    assert run(["sync", "--check"]) == 0


def test_a_copy_edited_by_hand_is_not_overwritten(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["sync"])
    copy = project / ".opencode/agents/a.md"
    copy.write_text(copy.read_text() + "More.\n")
    assert run(["sync", "--check"]) == 1
    assert "edited by hand" in capsys.readouterr().out
    assert run(["sync"]) == 2
    assert copy.read_text().endswith("More.\n")
    assert run(["sync", "--force"]) == 0
    assert not copy.read_text().endswith("More.\n")


def test_a_formatter_does_not_make_a_copy_stale() -> None:
    data = add_marker("a.md", b"---\ndescription: d e\ntools: [a, 'b']\n---\nOne line.\n")
    formatted = data.replace(b"[a, 'b']", b'\n  - "a"\n  - b').replace(b"One line.", b"One\nline.  ")
    assert content_hash(formatted) == content_hash(data)
    assert state_of(Copy("x.md", "a.md", data), formatted) is State.CURRENT


def test_orphans_are_reported_and_pruned(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["sync"])
    (project / ".claude/agents/b.md").unlink()
    capsys.readouterr()
    assert run(["sync", "--check"]) == 1
    assert ".opencode/agents/b.md: orphaned" in capsys.readouterr().out
    assert run(["sync"]) == 0
    assert (project / ".opencode/agents/b.md").exists()
    assert run(["sync", "--prune"]) == 0
    assert not (project / ".opencode/agents/b.md").exists()
    assert not (project / ".github/agents/b.agent.md").exists()


def test_a_file_that_is_no_copy_is_left_alone(project: Path) -> None:
    mine = project / ".opencode" / "agents" / "a.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("---\ndescription: mine\n---\n")
    assert run(["sync"]) == 2
    assert mine.read_text() == "---\ndescription: mine\n---\n"


def test_overrides_and_own_keys_are_for_one_harness_only(project: Path) -> None:
    config = CONFIG + "[sync.overrides.opencode]\ntop_p = 0.9\n[sync.overrides.opencode.a]\nvariant = 'high'\n"
    (project / "fsagent-lint.toml").write_text(config)
    source = project / ".claude/agents/b.md"
    source.write_text("---\nname: b\ndescription: d\nx-opencode:\n  temperature: 0.2\n---\nx\n")
    assert run(["sync"]) == 0
    a, b = (project / f".opencode/agents/{name}.md" for name in "ab")
    assert "top_p: 0.9\nvariant: high\n" in a.read_text()
    assert "temperature: 0.2\ntop_p: 0.9\n" in b.read_text()
    assert "variant" not in b.read_text()
    assert "x-opencode" not in b.read_text() + (project / ".github/agents/b.agent.md").read_text()


def test_enrichers_run_in_order(project: Path) -> None:
    config = CONFIG + (
        '[[enrich]]\nwhen = { name = "a", harness = "opencode" }\nadd = ["mcp:db/*", "Shell"]\n'
        '[[enrich]]\nwhen = { harness = "opencode" }\nremove = ["Shell"]\n'
        '[[enrich]]\nwhen = { harness = "copilot" }\nremove = ["mcp:*"]\n'
        '[[enrich]]\nwhen = { tags = "web" }\nadd = ["WebFetch"]\n'
    )
    (project / "fsagent-lint.toml").write_text(config)
    (project / ".claude/agents/a.md").write_text(
        "---\nname: a\ndescription: d\ntags: [web]\ntools: Read, mcp__x__y\n---\nx\n"
    )
    assert run(["sync"]) == 0
    opencode = (project / ".opencode/agents/a.md").read_text()
    assert "db_*: allow" in opencode
    assert "bash" not in opencode
    assert "webfetch: allow" in opencode
    copilot = (project / ".github/agents/a.agent.md").read_text()
    assert "x/y" not in copilot
    assert "web" in copilot


def test_sync_without_a_section_says_so(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "fsagent-lint.toml").write_text("")
    assert run(["sync"]) == 2
    assert "no [sync] section" in capsys.readouterr().err


# --------------------------------------------------------------------------------------------- what is set, and where


def test_an_override_replaces_what_the_source_says(project: Path) -> None:
    config = (
        CONFIG + "[sync.overrides.opencode]\ndescription = 'Say: hello'\nhidden = true\nstop = ['a b', 'c, d']\n"
        "[sync.overrides.copilot]\n"
    )
    (project / "fsagent-lint.toml").write_text(config)
    assert run(["sync"]) == 0
    text = (project / ".opencode/agents/b.md").read_text()
    assert 'description: "Say: hello"\n' in text
    assert "hidden: true\n" in text
    assert "description: d\n" not in text
    assert fsagent_lint.load(".opencode/agents/b.md").frontmatter["stop"] == ["a b", "c, d"]
    assert "description: d\n" in (project / ".github/agents/b.agent.md").read_text()


def test_the_fields_of_one_harness_may_be_maps(project: Path) -> None:
    source = "---\nname: b\ndescription: d\nx-opencode:\n  options: {effort: high, deep: true}\n---\nx\n"
    (project / ".claude/agents/b.md").write_text(source)
    assert run(["sync"]) == 0
    assert fsagent_lint.load(".opencode/agents/b.md").frontmatter["options"] == {"effort": "high", "deep": True}
    assert run(["sync", "--check"]) == 0


def test_a_source_without_a_frontmatter_is_copied_without_a_marker(project: Path) -> None:
    command = project / ".claude/commands/go.md"
    command.parent.mkdir()
    command.write_text("Go.\n")
    (project / "fsagent-lint.toml").write_text('[sync]\nsource = ".claude/commands"\ntargets = ["opencode"]\n')
    assert run(["sync"]) == 0
    assert (project / ".opencode/commands/go.md").read_text() == "Go.\n"
    assert run(["sync", "--check"]) == 0


def test_the_harness_of_the_source_gets_no_copy(project: Path) -> None:
    (project / "fsagent-lint.toml").write_text(CONFIG.replace('"opencode"', '"claude-code", "opencode"'))
    before = (project / ".claude/agents/a.md").read_text()
    assert run(["sync"]) == 0
    assert (project / ".claude/agents/a.md").read_text() == before
    assert (project / ".opencode/agents/a.md").exists()


# ---------------------------------------------------------------------------------------------------- what goes wrong


def test_a_source_that_is_not_there_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "fsagent-lint.toml").write_text(CONFIG.replace(".claude/agents", "agents"))
    assert run(["sync"]) == 2
    assert "sync.source: agents: no such folder" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["sync", "sync --check"])
def test_a_source_that_cannot_be_read_does_not_keep_the_others_from_being_copied(
    command: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (project / ".claude/agents/b.md").open("wb") as file:
        file.truncate(2**24 + 1)
    assert run(command.split()) == 2
    assert "b.md: is larger than 16 MiB" in "".join(capsys.readouterr())
    assert (project / ".opencode/agents/a.md").exists() == (command == "sync")


def test_a_folder_in_the_place_of_a_copy_is_an_error(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".opencode/agents/a.md").mkdir(parents=True)
    assert run(["sync"]) == 2
    assert ".opencode/agents/a.md: is not a regular file" in "".join(capsys.readouterr())
    assert (project / ".opencode/agents/b.md").is_file()


def test_a_file_in_the_place_of_a_folder_is_an_error(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".opencode").write_text("mine\n")
    assert run(["sync"]) == 2
    assert ".opencode/agents/a.md: cannot be written: " in "".join(capsys.readouterr())
    assert (project / ".opencode").read_text() == "mine\n"
    assert (project / ".github/agents/a.agent.md").exists()


def test_a_list_of_agents_is_no_source(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "modes").mkdir()
    (project / "modes/.roomodes").write_text(
        "customModes:\n  - {slug: m, name: m, roleDefinition: Do it., groups: [read]}\n"
    )
    (project / "fsagent-lint.toml").write_text('[sync]\nsource = "modes"\ntargets = ["opencode"]\n')
    assert run(["sync"]) == 2
    assert "a list of modes cannot be kept in sync; `convert` writes its copies" in "".join(capsys.readouterr())
    assert not (project / ".opencode").exists()


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_an_override_gives_no_more_than_was_meant(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".claude/agents/a.md", "---\nname: a\ndescription: d\ntools: Read\n---\nx\n")
    config = '[sync]\nsource = ".claude/agents"\ntargets = ["copilot"]\n[sync.overrides.copilot]\ntools = ["execute"]\n'
    put(project / "fsagent-lint.toml", config)
    assert run(["sync"]) == 2
    assert "for copilot: the agent would be granted bash" in capsys.readouterr().err
    assert not (project / ".github/agents/a.agent.md").exists()
    put(project / "fsagent-lint.toml", f'accept-widening = ["execute"]\n{config}')
    assert run(["sync"]) == 0


def test_the_config_can_ignore_a_loss(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".claude/agents/a.md", "---\nname: a\ndescription: d\ntools: Read, Monitor\n---\nx\n")
    config = '[sync]\nsource = ".claude/agents"\ntargets = ["opencode"]\n'
    put(project / "fsagent-lint.toml", config)
    assert run(["convert", "--to", "copilot", "--diff"]) == 1
    assert "[lost-tool]" in capsys.readouterr().out
    put(project / "fsagent-lint.toml", f'ignore = ["lost-tool"]\n{config}')
    assert run(["convert", "--to", "opencode", "--diff"]) == 0
    assert run(["sync"]) == 0
    assert "lost-tool" not in capsys.readouterr().out
