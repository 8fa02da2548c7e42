"""Files of a revision in a temporary folder: hostile names, links, filters and programs of the repository's config."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from fsagent_lint.errors import UserError
from fsagent_lint.files import git as git_module
from fsagent_lint.files.snapshot import at_revision

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(folder: Path, *arguments: str, text: bytes = b"") -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    options = [
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "commit.gpgsign=false",
        "-c",
        "core.protectNTFS=false",
    ]
    done = subprocess.run(
        ["git", *options, *arguments], cwd=folder, env=environment, check=True, capture_output=True, input=text
    )
    return done.stdout.decode().strip()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet")
    monkeypatch.chdir(folder)
    return folder


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "x")


def is_markdown(name: str) -> bool:
    return name.endswith(".md")


def test_the_files_are_those_of_the_revision(repository: Path) -> None:
    (repository / "sub/deep").mkdir(parents=True)
    (repository / "sub/deep/a.md").write_bytes(b"old\r\n\xff")
    (repository / "b.txt").write_text("not wanted")
    (repository / "fsagent-lint.toml").write_text("now = true")
    commit(repository)
    (repository / "sub/deep/a.md").write_bytes(b"new")
    (repository / "sub/c.md").write_text("untracked")
    with at_revision("HEAD", is_markdown, [str(repository / "fsagent-lint.toml")]) as snapshot:
        assert snapshot == (("sub/deep/a.md",), ())
        assert Path("sub/deep/a.md").read_bytes() == b"old\r\n\xff"
        assert Path("fsagent-lint.toml").read_text() == "now = true"
        assert not Path("b.txt").exists() and not Path("sub/c.md").exists()
        there = Path.cwd()
    assert Path.cwd() == repository
    assert not there.exists()


def test_the_folder_is_gone_and_the_current_one_back_after_an_error(repository: Path) -> None:
    (repository / "a.md").write_text("x")
    commit(repository)
    found = []

    def fail() -> None:
        with at_revision("HEAD", is_markdown):
            found.append(Path.cwd())
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        fail()
    assert Path.cwd() == repository and not found[0].exists()


def test_links_and_submodules_are_left_out(repository: Path) -> None:
    (repository / "a.md").write_text("x")
    (repository / "secret.md").symlink_to("/etc/passwd")
    commit(repository)
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module.md")
    git(repository, "commit", "--quiet", "--message", "module")
    with at_revision("HEAD", is_markdown) as snapshot:
        assert snapshot.files == ("a.md",)
        assert sorted(os.listdir()) == [".git", "a.md"]


@pytest.mark.parametrize("name", ["..", ".git", ".GIT", "."])
def test_a_tree_with_a_hostile_name_writes_nothing_outside(repository: Path, name: str) -> None:
    blob = git(repository, "hash-object", "-w", "--stdin", text=b"hostile")
    inner = bytes.fromhex(blob)
    tree = git(
        repository, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", text=b"100644 hooks.md\0" + inner
    )
    outer = b"40000 " + name.encode() + b"\0" + bytes.fromhex(tree)
    top = git(repository, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", text=outer)
    made = git(repository, "commit-tree", top, "-m", "x")
    git(repository, "update-ref", "HEAD", made)
    with at_revision("HEAD", is_markdown) as snapshot:
        assert snapshot.files == ()
        assert snapshot.left_out == (f"{name}/hooks.md",)
        assert os.listdir(".git") == []
        assert not Path("../hooks.md").exists()


def test_nothing_that_the_repository_names_is_run(repository: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (repository / "a.md").write_text("as stored\n")
    commit(repository)
    (repository / ".gitattributes").write_text(
        "*.md filter=evil diff=evil text eol=crlf working-tree-encoding=UTF-16\n"
    )
    git(repository, "add", ".gitattributes")
    git(repository, "commit", "--quiet", "--message", "attributes")
    settings = (
        "filter.evil.smudge",
        "filter.evil.clean",
        "filter.evil.process",
        "diff.evil.textconv",
        "core.fsmonitor",
    )
    for setting in (*settings, "core.sshCommand", "core.pager", "diff.external", "uploadpack.packObjectsHook"):
        git(repository, "config", setting, str(program))
    mark.unlink(missing_ok=True)
    with at_revision("HEAD", is_markdown):
        assert Path("a.md").read_bytes() == b"as stored\n"
    assert not mark.exists()


def test_an_object_that_a_partial_clone_lacks_is_not_fetched(repository: Path) -> None:
    (repository / "a.md").write_text("here")
    (repository / "b.md").write_text("missing")
    commit(repository)
    id = git(repository, "rev-parse", "HEAD:b.md")
    (repository / ".git/objects" / id[:2] / id[2:]).unlink()
    git(repository, "config", "remote.origin.url", "ext::touch fetched")
    git(repository, "config", "remote.origin.promisor", "true")
    git(repository, "config", "extensions.partialClone", "origin")
    with at_revision("HEAD", is_markdown) as snapshot:
        assert snapshot.files == ("a.md",)
    assert not (repository / "fetched").exists()


def test_a_revision_that_is_too_large_is_refused(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.md", "b.md", "c.md"):
        (repository / name).write_text(name * 10)
    commit(repository)
    monkeypatch.setattr(git_module, "_AT_ONCE", 20)  # in several batches
    with at_revision("HEAD", is_markdown) as snapshot:
        assert snapshot.files == ("a.md", "b.md", "c.md")
        assert Path("c.md").read_text() == "c.md" * 10
    monkeypatch.setattr(git_module, "MAX_STORED", 100)
    with pytest.raises(UserError, match="exceed"), at_revision("HEAD", is_markdown):
        pass
