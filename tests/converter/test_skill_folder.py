"""A skill is converted, and kept in sync, with the folder that it is."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from fsagent_lint.cli.main import run
from fsagent_lint.files import tree

SKILL = "---\nname: x\ndescription: d\n---\nRun scripts/run.sh.\n"
SYNC = '[sync]\nsource = ".claude/skills"\ntargets = ["opencode"]\n'
MANIFEST = ".opencode/skills/x/.fsagent-lint-copies"

needs_links = pytest.mark.skipif(os.name == "nt", reason="links and modes are those of POSIX")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    skill = tmp_path / ".claude/skills/x"
    (skill / "scripts").mkdir(parents=True)
    (skill / "SKILL.md").write_text(SKILL)
    (skill / "scripts/run.sh").write_bytes(b"#!/bin/sh\r\necho hi\n")
    (skill / "scripts/run.sh").chmod(0o755)
    (skill / "logo.png").write_bytes(b"PNG\0\xff")
    (tmp_path / "fsagent-lint.toml").write_text(SYNC)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def source(project: Path) -> Path:
    return project / ".claude/skills/x"


@pytest.fixture
def copy(project: Path) -> Path:
    return project / ".opencode/skills/x"


def files(folder: Path) -> list[str]:
    return sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*") if not each.is_dir())


def convert(*options: str) -> int:
    return run(["convert", "--to", "opencode", "--from", "claude-code", *options])


def test_the_files_of_a_skill_come_along_byte_for_byte(
    source: Path, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert convert() == 0
    assert files(copy) == ["SKILL.md", "logo.png", "scripts/run.sh"]
    for name in ("logo.png", "scripts/run.sh"):
        assert (copy / name).read_bytes() == (source / name).read_bytes()
    assert ".claude/skills/x/SKILL.md: wrote 2 more files of the skill\n" in capsys.readouterr().out
    assert convert() == 0
    assert capsys.readouterr().out == "All 3 files are already current.\n"


@needs_links
def test_executable_files_stay_executable_and_others_do_not_become_it(source: Path, copy: Path) -> None:
    assert convert() == 0
    assert (copy / "scripts/run.sh").stat().st_mode & stat.S_IXUSR
    assert not (copy / "logo.png").stat().st_mode & 0o111
    (copy / "scripts/run.sh").chmod(0o644)
    assert convert() == 2
    assert convert("--force") == 0
    assert (copy / "scripts/run.sh").stat().st_mode & stat.S_IXUSR
    (source / "scripts/run.sh").chmod(0o644)
    assert convert("--force") == 0
    assert not (copy / "scripts/run.sh").stat().st_mode & 0o111


@needs_links
def test_links_inside_the_skill_stay_links(source: Path, copy: Path) -> None:
    (source / "go").symlink_to("scripts/run.sh")
    (source / "bin").symlink_to("scripts")
    (source / "README.md").symlink_to("SKILL.md")
    assert convert() == 0
    assert os.readlink(copy / "go") == "scripts/run.sh"
    assert os.readlink(copy / "bin") == "scripts"
    assert os.readlink(copy / "README.md") == "SKILL.md"
    assert convert() == 0
    (source / "go").unlink()
    (source / "go").symlink_to("logo.png")
    assert convert() == 2
    assert convert("--force") == 0
    assert os.readlink(copy / "go") == "logo.png"


@needs_links
@pytest.mark.parametrize(
    "target", ["../secret.txt", "../../../secret.txt", "{root}/secret.txt", "../x/logo.png", "gone"]
)
def test_a_link_that_leaves_the_skill_is_reported_and_not_followed(
    target: str, source: Path, copy: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in (project, source.parent):
        (folder / "secret.txt").write_text("the secret")
    (source / "scripts/out").symlink_to(target.format(root=project))
    if target.startswith("../") and "x/" not in target:
        (source / "scripts/out").unlink()
        (source / "out").symlink_to(target)
    assert convert() == 1
    assert "out` is a " in (out := capsys.readouterr().out)
    assert "secret" not in out
    assert files(copy) == ["SKILL.md", "logo.png", "scripts/run.sh"]


@needs_links
def test_a_link_to_what_stays_behind_stays_behind(source: Path, copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (source / "node_modules").mkdir()
    (source / "node_modules/tool.js").write_text("x")
    (source / "tool").symlink_to("node_modules/tool.js")
    assert convert() == 1
    assert "[lost-file] `tool` is a link to a file that is not copied; not copied." in capsys.readouterr().out
    assert not os.path.lexists(copy / "tool")


def test_caches_and_what_git_ignores_stay_behind(
    source: Path, copy: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("__pycache__/a.pyc", ".git/config", ".DS_Store", "scripts/__pycache__/b.pyc", "keys/.env"):
        (source / name).parent.mkdir(exist_ok=True)
        (source / name).write_text("x")
    (project / ".gitignore").write_text(".env\n")
    assert convert() == 0
    assert files(copy) == ["SKILL.md", "logo.png", "scripts/run.sh"]
    assert "`keys/.env` is ignored by git; not copied." in capsys.readouterr().out


def test_a_skill_inside_a_skill_is_one_of_its_own(source: Path, project: Path, copy: Path) -> None:
    (source / "inner").mkdir()
    (source / "inner/SKILL.md").write_text(SKILL.replace("name: x", "name: inner"))
    (source / "inner/note.txt").write_text("n")
    assert convert() == 0
    assert files(copy) == ["SKILL.md", "logo.png", "scripts/run.sh"]
    assert files(project / ".opencode/skills/inner") == ["SKILL.md", "note.txt"]


def test_a_file_that_differs_is_overwritten_only_when_told_to(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (copy / "scripts").mkdir(parents=True)
    (copy / "scripts/run.sh").write_text("mine")
    assert convert() == 2
    assert ".opencode/skills/x/scripts/run.sh: already exists and differs" in capsys.readouterr().out
    assert (copy / "scripts/run.sh").read_text() == "mine"
    assert convert("--force") == 0
    assert (copy / "scripts/run.sh").read_bytes().startswith(b"#!/bin/sh")


@needs_links
def test_diff_shows_each_file_and_writes_none(source: Path, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (source / "go").symlink_to("scripts/run.sh")
    (source / "empty").touch()
    assert convert("--diff") == 0
    out = capsys.readouterr().out
    assert "+++ b/.opencode/skills/x/scripts/run.sh\n@@ -0,0 +1,2 @@\n+#!/bin/sh\n+echo hi\n" in out
    assert "Binary files /dev/null and b/.opencode/skills/x/logo.png differ\n" in out
    assert "Link b/.opencode/skills/x/go -> scripts/run.sh\n" in out
    assert "Empty file b/.opencode/skills/x/empty\n" in out
    assert not (project / ".opencode").exists()


@needs_links
def test_nothing_is_written_through_a_link_out_of_the_project(
    copy: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    copy.mkdir(parents=True)
    (copy / "scripts").symlink_to(outside)
    assert convert() == 2
    assert list(outside.iterdir()) == []
    assert (copy / "logo.png").exists()


@needs_links
def test_a_copy_that_is_a_link_to_its_source_is_left_alone(
    source: Path, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy.parent.mkdir(parents=True)
    copy.symlink_to(source)
    before = (source / "SKILL.md").read_text()
    assert convert("--force", ".claude") == 2
    assert "is the source itself, through a link; not written" in capsys.readouterr().out
    assert (source / "SKILL.md").read_text() == before


def test_a_project_that_is_a_skill_is_not_copied_into_itself(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "SKILL.md").write_text(SKILL)
    assert convert("SKILL.md") == 1
    assert "The skill's folder contains" in capsys.readouterr().out
    assert [each.name for each in (project / ".opencode/skills").rglob("*.png")] == []


def test_a_folder_that_is_too_large_is_refused_as_a_whole(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tree, "MAX_FILES", 1)
    assert convert() == 2
    assert "has more than 1 files or 64 MiB in its folder; not converted" in capsys.readouterr().out
    assert not (project / ".opencode").exists()


@needs_links
def test_what_is_not_a_regular_file_is_reported(source: Path, copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(source / "pipe")
    (source / "a\nb").write_text("x")
    assert convert() == 1
    out = capsys.readouterr().out
    assert "`pipe` is not a regular file; not copied." in out
    assert "has unprintable characters in its name; not copied." in out
    assert files(copy) == ["SKILL.md", "logo.png", "scripts/run.sh"]


# -------------------------------------------------------------------------------------------------------- sync


def test_sync_keeps_the_files_of_a_skill_current(source: Path, copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sync", "--check"]) == 1
    assert ".opencode/skills/x/logo.png: missing\nBinary files" in capsys.readouterr().out
    assert not copy.exists()
    assert run(["sync"]) == 0
    assert (copy / "logo.png").read_bytes() == (source / "logo.png").read_bytes()
    assert run(["sync", "--check"]) == 0
    (source / "scripts/run.sh").write_text("new\n")
    capsys.readouterr()
    assert run(["sync", "--check"]) == 1
    assert ".opencode/skills/x/scripts/run.sh: stale" in capsys.readouterr().out
    assert run(["sync"]) == 0
    assert (copy / "scripts/run.sh").read_text() == "new\n"
    assert run(["sync", "--check"]) == 0


@pytest.mark.parametrize("state", ["edited by hand", "not generated"])
def test_sync_overwrites_what_somebody_wrote_only_when_told_to(
    state: str, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if state == "edited by hand":
        assert run(["sync"]) == 0
    (copy / "scripts").mkdir(parents=True, exist_ok=True)
    (copy / "scripts/run.sh").write_text("mine")
    assert run(["sync", "--check"]) == 1
    assert f".opencode/skills/x/scripts/run.sh: {state}" in capsys.readouterr().out
    assert run(["sync"]) == 2
    assert "change .claude/skills/x/scripts/run.sh instead" in capsys.readouterr().err
    assert (copy / "scripts/run.sh").read_text() == "mine"
    assert run(["sync", "--force"]) == 0
    assert run(["sync", "--check"]) == 0


def test_sync_removes_copies_whose_source_is_gone(source: Path, copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sync"]) == 0
    (source / "scripts/run.sh").unlink()
    assert run(["sync", "--check"]) == 1
    assert ".opencode/skills/x/scripts/run.sh: orphaned" in capsys.readouterr().out
    assert run(["sync"]) == 0
    assert (copy / "scripts/run.sh").exists()
    assert run(["sync", "--prune"]) == 0
    assert not (copy / "scripts").exists()
    (source / "logo.png").unlink()
    (source / "SKILL.md").unlink()
    assert run(["sync", "--prune"]) == 0
    assert not copy.exists()


def test_an_orphan_that_was_edited_stays_unless_forced(source: Path, copy: Path) -> None:
    assert run(["sync"]) == 0
    (copy / "scripts/run.sh").write_text("mine")
    (source / "scripts/run.sh").unlink()
    assert run(["sync", "--prune"]) == 2
    assert (copy / "scripts/run.sh").read_text() == "mine"
    assert run(["sync", "--prune", "--force"]) == 0
    assert not (copy / "scripts/run.sh").exists()
    assert run(["sync", "--check"]) == 0


def test_a_list_of_copies_removes_nothing_outside_its_folder(project: Path, source: Path) -> None:
    assert run(["sync"]) == 0
    (project / "precious.txt").write_text("p")
    manifest = project / MANIFEST
    manifest.write_text(manifest.read_text() + "0000000000000000  ../../../precious.txt\n0  /etc/passwd\n")
    (source / "logo.png").unlink()
    assert run(["sync", "--prune", "--force"]) == 0
    assert (project / "precious.txt").read_text() == "p"
    assert run(["sync", "--check"]) == 0


def test_files_that_convert_wrote_are_taken_over(project: Path, copy: Path) -> None:
    assert convert() == 0
    (copy / "SKILL.md").unlink()
    assert run(["sync"]) == 0
    assert (
        (project / MANIFEST).read_text().startswith("# Generated by fsagent-lint from .claude/skills/x; do not edit.\n")
    )
    (project / MANIFEST).unlink()
    assert run(["sync", "--check"]) == 1
    assert run(["sync"]) == 0
    assert run(["sync", "--check"]) == 0


def test_a_source_that_cannot_be_converted_keeps_its_copies(source: Path, copy: Path) -> None:
    assert run(["sync"]) == 0
    (source / "SKILL.md").write_text("---\n: [\n---\n")
    assert run(["sync", "--prune"]) == 2
    assert (copy / "logo.png").exists()
