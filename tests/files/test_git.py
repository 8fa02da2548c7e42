"""What git tells about a folder, asked of real repositories."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from fsagent_lint.errors import UserError
from fsagent_lint.files.git import changed_files, is_ignored, list_files


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"]
    done = subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def write(path: Path, text: str = "x\n") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    write(folder / "a.md")
    write(folder / "sub" / "b.md")
    write(folder / "c.txt")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    return folder


def test_lists_tracked_and_untracked_but_no_ignored_and_no_deleted_files(repo: Path) -> None:
    write(repo / ".gitignore", "build/\n*.local.md\n")
    write(repo / "new.md")
    write(repo / "x.local.md")
    write(repo / "build" / "x.md")
    (repo / "a.md").unlink()
    assert sorted(list_files(str(repo)) or []) == ["new.md", "sub/b.md"]
    assert "a.md" in (list_files(str(repo), deleted=True) or [])
    assert list_files(str(repo / "sub")) == ["b.md"]


def test_names_that_are_hard_to_print(repo: Path) -> None:
    names = [
        os.fsdecode(b"\xff\xfe.md"),
        "line\nbreak.md",
        '"quoted".md',
        os.fsdecode("ü.md".encode()),
        "x" * 252 + ".md",
        "-rf.md",
    ]
    for name in names:
        write(repo / "odd" / name)
    assert sorted(list_files(str(repo / "odd")) or []) == sorted(names)
    assert {f"odd/{name}" for name in names} == set(changed_files(str(repo)))


def test_a_merge_conflict_lists_a_file_once(repo: Path) -> None:
    git(repo, "checkout", "-qb", "other")
    write(repo / "a.md", "theirs\n")
    git(repo, "commit", "-qam", "theirs")
    git(repo, "checkout", "-q", "main")
    write(repo / "a.md", "ours\n")
    git(repo, "commit", "-qam", "ours")
    with pytest.raises(subprocess.CalledProcessError):
        git(repo, "merge", "other")
    assert sorted(list_files(str(repo)) or []) == ["a.md", "sub/b.md"]


def test_submodules_and_nested_repositories_are_left_out(repo: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    write(other / "inner.md")
    git(other, "add", "-A")
    git(other, "commit", "-qm", "x")
    git(repo, "submodule", "add", "-q", str(other), "module")
    git(repo, "clone", "-q", str(other), "nested")
    assert sorted(list_files(str(repo)) or []) == ["a.md", "sub/b.md"]


def test_inside_a_submodule_and_a_second_working_tree(repo: Path, tmp_path: Path) -> None:
    git(repo, "clone", "-q", str(repo), str(tmp_path / "other"))
    git(repo, "submodule", "add", "-q", str(tmp_path / "other"), "module")
    git(repo, "worktree", "add", "-q", "../second")
    for folder in (repo / "module", tmp_path / "second"):
        write(folder / "sub" / "b.md", "y\n")
        assert sorted(list_files(str(folder)) or []) == ["a.md", "sub/b.md"]
        assert changed_files(str(folder)) == ["sub/b.md"]
        assert changed_files(str(folder / "sub")) == ["b.md"]


def test_none_outside_a_repository(tmp_path: Path) -> None:
    assert list_files(str(tmp_path)) is None
    assert list_files(str(tmp_path / "missing")) is None


def test_none_without_git(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert list_files(str(repo)) is None
    with pytest.raises(UserError, match="git"):
        changed_files(str(repo))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give files away")
def test_none_where_git_does_not_trust_the_owner(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(repo.parent))
    for path in (repo, repo / ".git"):
        os.chown(path, 12345, 12345)
    assert list_files(str(repo)) is None
    with pytest.raises(UserError, match="dubious ownership"):
        changed_files(str(repo))


def test_the_environment_of_a_hook_does_not_mislead(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "-q", "elsewhere")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere" / ".git"))
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "1")
    assert sorted(list_files(str(repo)) or []) == ["a.md", "sub/b.md"]


def test_is_ignored(repo: Path) -> None:
    write(repo / ".gitignore", "build/\n")
    write(repo / "build" / "x.md")
    assert is_ignored(str(repo / "build"))
    assert not is_ignored(str(repo / "sub"))


def test_changed_is_staged_unstaged_and_untracked(repo: Path) -> None:
    assert changed_files(str(repo)) == []
    write(repo / "a.md", "changed\n")
    write(repo / "staged.md")
    git(repo, "add", "staged.md")
    write(repo / "sub" / "new.md")
    write(repo / "c.txt", "changed\n")
    assert sorted(changed_files(str(repo))) == ["a.md", "staged.md", "sub/new.md"]
    assert changed_files(str(repo / "sub")) == ["new.md"]
    (repo / "a.md").unlink()
    assert "a.md" not in changed_files(str(repo))


def test_changed_needs_no_help_of_the_index(repo: Path) -> None:
    """What is staged counts even where the disk has the old content, and flags that make git look away do not count."""
    write(repo / "a.md", "staged\n")
    git(repo, "add", "a.md")
    write(repo / "a.md")
    git(repo, "update-index", "--assume-unchanged", "sub/b.md")
    write(repo / "sub" / "b.md", "y\n")
    assert git(repo, "diff", "HEAD", "--name-only") == ""
    assert sorted(changed_files(str(repo))) == ["a.md", "sub/b.md"]


def test_changed_in_a_repository_with_long_ids(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256")
    for name in ("a.md", "b.md"):
        write(tmp_path / name)
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    write(tmp_path / "b.md", "y\n")
    assert changed_files(str(tmp_path)) == ["b.md"]


def test_a_file_in_conflict_has_changed(repo: Path) -> None:
    test_a_merge_conflict_lists_a_file_once(repo)
    assert changed_files(str(repo)) == ["a.md"]


@pytest.mark.parametrize(
    ("setting", "attributes", "is_changed"),
    [
        ("false", "", True),
        ("true", "", False),
        ("input", "", False),
        ("true", "*.md -text", True),
        ("true", "*.md binary", True),
        ("false", "*.md text", False),
        ("false", "*.md text=auto", False),
        ("false", "*.md eol=crlf", False),
        ("false", "*.md filter=nothing", True),
    ],
)
def test_line_ends_that_git_does_not_store_are_no_change(
    repo: Path, setting: str, attributes: str, is_changed: bool
) -> None:
    git(repo, "config", "core.autocrlf", setting)
    write(repo / ".gitattributes", f"{attributes}\n")
    (repo / "a.md").write_bytes(b"x\r\n")
    assert ("a.md" in git(repo, "diff", "--name-only")) is is_changed
    assert changed_files(str(repo)) == (["a.md"] if is_changed else [])
    (repo / "a.md").write_bytes(b"y\r\n")
    assert changed_files(str(repo)) == ["a.md"]


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_link_is_compared_by_where_it_leads(repo: Path) -> None:
    (repo / "link.md").symlink_to("a.md")
    write(repo / "text.md", "a.md")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "link")
    write(repo / "a.md", "changed\n")
    assert changed_files(str(repo)) == ["a.md"]
    (repo / "text.md").unlink()
    (repo / "text.md").symlink_to("a.md")  # the same content for git, but of another kind
    (repo / "link.md").unlink()
    (repo / "link.md").symlink_to("sub/b.md")
    assert sorted(changed_files(str(repo))) == ["a.md", "link.md", "text.md"]


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_what_cannot_be_read_has_changed_and_a_folder_is_no_file(repo: Path) -> None:
    (repo / "a.md").unlink()
    os.mkfifo(repo / "a.md")
    (repo / "sub" / "b.md").unlink()
    (repo / "sub" / "b.md").mkdir()
    assert changed_files(str(repo)) == ["a.md"]


def test_before_the_first_commit_everything_has_changed(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path / "a.md")
    git(tmp_path, "add", "a.md")
    write(tmp_path / "b.md")
    assert sorted(changed_files(str(tmp_path))) == ["a.md", "b.md"]


def test_since_is_what_the_branch_did_and_the_working_tree(repo: Path) -> None:
    git(repo, "checkout", "-qb", "topic")
    write(repo / "topic.md")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "topic")
    git(repo, "checkout", "-q", "main")
    write(repo / "sub" / "b.md", "changed on main\n")
    git(repo, "commit", "-qam", "main")
    git(repo, "checkout", "-q", "topic")
    write(repo / "untracked.md")
    assert sorted(changed_files(str(repo), "main")) == ["topic.md", "untracked.md"]
    assert sorted(changed_files(str(repo), "HEAD~1")) == ["topic.md", "untracked.md"]


@pytest.mark.parametrize("since", ["", "-x", "--output=/tmp/x", "a\0b"])
def test_what_is_no_revision_is_refused(repo: Path, since: str) -> None:
    with pytest.raises(UserError, match="not a revision"):
        changed_files(str(repo), since)


@pytest.mark.parametrize("since", ["nowhere", "HEAD:a.md", "x y", "HEAD..main"])
def test_unknown_revisions_are_named(repo: Path, since: str) -> None:
    with pytest.raises(UserError, match="unknown revision"):
        changed_files(str(repo), since)


def test_unrelated_histories(repo: Path) -> None:
    git(repo, "checkout", "-q", "--orphan", "other")
    git(repo, "commit", "-qm", "other")
    with pytest.raises(UserError, match="no common ancestor"):
        changed_files(str(repo), "main")


def test_changed_outside_a_repository(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not a git repository"):
        changed_files(str(tmp_path))
    with pytest.raises(UserError, match="not a git repository"):
        changed_files(str(tmp_path), "main")
