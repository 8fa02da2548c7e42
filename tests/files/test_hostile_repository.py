"""A repository that wants to run programs, to mislead or to keep us waiting: git is asked, and none of it happens.

Each test also shows that the trap is one: plain git walks into it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fsagent_lint.cli.main import run
from fsagent_lint.errors import UserError
from fsagent_lint.files import git as asked
from fsagent_lint.files.git import changed_files, list_files

pytestmark = pytest.mark.skipif(os.name != "posix", reason="traps made of shell scripts and pipes")

AGENT = "---\nname: a\ndescription: d\ntools: Read\n---\nPrompt.\n"
IN_AGENTS = ".claude/agents/a.md"


def git(folder: Path, *arguments: str, check: bool = True) -> str:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=check, timeout=20).stdout


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "repo"
    write(folder / IN_AGENTS, AGENT)
    write(folder / "module.py", "import claude_agent_sdk\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """What exists once a trap was sprung."""
    return tmp_path / "mark"


@pytest.fixture
def script(mark: Path, tmp_path: Path) -> str:
    path = write(tmp_path / "script", f"#!/bin/sh\ntouch '{mark}'\n")
    path.chmod(0o755)
    return str(path)


def config(folder: Path, **values: str) -> None:
    for key, value in values.items():
        git(folder, "config", key.replace("_", "."), value)


def touch(repo: Path) -> None:
    """Changed on disk as far as git can tell without a look into it, which is when it runs filters."""
    os.utime(repo / IN_AGENTS, (1, 1))


def attributes(repo: Path, text: str) -> None:
    write(repo / ".git/info/attributes", f"* {text}\n")
    write(repo / IN_AGENTS, AGENT.replace("Read", "Raed"))


def clean_filter(repo: Path, script: str) -> None:
    attributes(repo, "filter=x")
    config(repo, filter_x_clean=script)


def process_filter(repo: Path, script: str) -> None:
    attributes(repo, "filter=x")
    config(repo, filter_x_process=script, filter_x_required="true")


def fsmonitor(repo: Path, script: str) -> None:
    config(repo, core_fsmonitor=script)


def hook(repo: Path, script: str) -> None:
    shutil.copy(script, repo / ".git/hooks/post-index-change")
    touch(repo)


def hooks_folder(repo: Path, script: str) -> None:
    hook(repo, script)
    (repo / ".git/hooks").rename(repo / "hooks")
    config(repo, core_hooksPath="hooks")


def external_diff(repo: Path, script: str) -> None:
    attributes(repo, "text")
    config(repo, diff_external=script)


def diff_driver(repo: Path, script: str) -> None:
    attributes(repo, "diff=x")
    config(repo, diff_x_command=script)


def textconv(repo: Path, script: str) -> None:
    attributes(repo, "diff=x")
    config(repo, diff_x_textconv=script)


def alias(repo: Path, script: str) -> None:
    for name in ("ls-files", "ls-tree", "rev-parse", "merge-base", "check-ignore", "check-attr", "config", "x"):
        git(repo, "config", f"alias.{name}", f"!{script}")


def included_config(repo: Path, script: str) -> None:
    write(repo / "more", f"[core]\n\tfsmonitor = {script}\n")
    config(repo, include_path="../more")


def git_file(repo: Path, script: str) -> None:
    fsmonitor(repo, script)
    (repo / ".git").rename(repo.parent / "elsewhere")
    write(repo / ".git", "gitdir: ../elsewhere\n")


def submodule(repo: Path, script: str) -> None:
    inner = repo / "inner.md"
    write(inner / "b.md", AGENT)
    git(inner, "init", "-q")
    git(inner, "add", "-A")
    git(inner, "commit", "-qm", "x")
    git(repo, "add", "inner.md")
    fsmonitor(inner, script)


def bare_repository(repo: Path, script: str) -> None:
    """Folders and files that anyone can commit, and that git accepts for a repository."""
    git(repo, "init", "-q", "--bare", ".claude")
    config(repo / ".claude", core_bare="false", core_worktree=".", core_fsmonitor=script)
    git(repo / ".claude", "add", "agents")


def partial_clone(repo: Path, url: str, missing: str) -> None:
    id = git(repo, "rev-parse", f"HEAD:{missing}").strip()
    (repo / ".git/objects" / id[:2] / id[2:]).unlink()
    config(repo, core_repositoryFormatVersion="1", extensions_partialClone="origin", protocol_ext_allow="always")
    config(repo, remote_origin_url=url, remote_origin_promisor="true")


def missing_content(repo: Path, script: str) -> None:
    partial_clone(repo, f"ext::{script}", IN_AGENTS)
    (repo / IN_AGENTS).unlink()


def missing_tree(repo: Path, script: str) -> None:
    partial_clone(repo, f"ext::{script}", "")


def ssh_command(repo: Path, script: str) -> None:
    partial_clone(repo, "ssh://localhost/x", "")
    config(repo, core_sshCommand=script)


TRAPS: dict[Callable[[Path, str], None], str] = {
    clean_filter: "status",
    process_filter: "status",
    fsmonitor: "status",
    hook: "status",
    hooks_folder: "status",
    external_diff: "diff",
    diff_driver: "diff",
    textconv: "diff",
    alias: "x",
    included_config: "status",
    git_file: "status",
    submodule: "status",
    bare_repository: "-C .claude status",
    missing_content: "show HEAD:.claude/agents/a.md",
    missing_tree: "ls-tree -r HEAD",
    ssh_command: "ls-tree -r HEAD",
}
"""How each trap is set, and what springs it."""


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.__name__)
def test_a_repository_runs_no_program(
    trap: Callable[[Path, str], None], repo: Path, script: str, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap(repo, script)
    mark.unlink(missing_ok=True)  # setting the trap may spring it
    for folder in (repo, repo / ".claude"):
        monkeypatch.chdir(folder)
        for arguments in ([], ["--changed"], ["--since", "HEAD"], ["agents/a.md", "--changed"]):
            run(arguments)
    assert not mark.exists()
    git(repo, *TRAPS[trap].split(), check=False)
    assert mark.exists()


def test_a_program_called_git_in_the_project_is_not_run(
    repo: Path, script: str, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(script, repo / "git")
    for path in (f".:{os.environ['PATH']}", f":{os.environ['PATH']}"):
        monkeypatch.setenv("PATH", path)
        run([])
        assert not mark.exists()
        assert changed_files(str(repo), endings=["git"]) == ["git"]
        subprocess.run(["git", "status"], cwd=repo, capture_output=True, check=False)
        assert mark.exists()
        mark.unlink()


def test_git_leaves_no_trace_where_the_environment_asks_for_one(
    repo: Path, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_TRACE", "GIT_TRACE2", "GIT_TRACE_SETUP"):
        monkeypatch.setenv(name, str(mark))
    run(["--changed"])
    assert not mark.exists()
    git(repo, "status")
    assert mark.exists()


@pytest.mark.parametrize("where", [".gitignore", ".git/info/exclude", "excludes", ".git/index", ".git/config"])
def test_a_pipe_that_git_would_read_does_not_keep_us_waiting(
    where: str, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config(repo, core_excludesFile=str(repo / "excludes"))
    (repo / where).unlink(missing_ok=True)
    os.mkfifo(repo / where)
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run(["git", "status"], cwd=repo, capture_output=True, check=False, timeout=1)
    monkeypatch.setattr(asked, "TIMEOUT", 0.5)
    assert list_files(str(repo)) is None
    with pytest.raises(UserError, match="did not finish within"):
        changed_files(str(repo))


def test_the_working_tree_is_where_the_repository_is(repo: Path, tmp_path: Path) -> None:
    write(tmp_path / "private/secret.md", "x")
    config(repo, core_worktree=str(tmp_path / "private"))
    assert "secret.md" in git(repo, "ls-files", "-o")
    assert list_files(str(repo)) == [IN_AGENTS]
    assert list_files(str(repo / ".claude")) == ["agents/a.md"]
    assert changed_files(str(repo)) == []


def test_a_folder_that_only_looks_like_a_repository_is_not_taken_for_the_one_above(repo: Path) -> None:
    write(repo / "inner/b.md", AGENT)
    (repo / "inner/.git").mkdir()
    assert git(repo / "inner", "ls-files", "-o") == "b.md\n"
    assert list_files(str(repo / "inner")) is None


def test_a_commit_that_replaces_another_hides_no_change(repo: Path) -> None:
    write(repo / IN_AGENTS, AGENT.replace("Read", "Bash"))
    git(repo, "commit", "-qam", "second")
    git(repo, "replace", "HEAD~1", "HEAD")
    assert git(repo, "diff", "--name-only", "HEAD~1") == ""
    assert changed_files(str(repo), "HEAD~1") == [IN_AGENTS]
