"""What git knows about a folder: its files, and which of them changed."""

from __future__ import annotations

import os
from collections.abc import Sequence

from fsagent_lint.errors import UserError

MARKDOWN = (".md",)

# A repository's own config must not make the linter run programs.
_COMMAND = (
    "git",
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "safe.bareRepository=explicit"),
)
_DIFF = ("diff", "--name-only", "-z", "--relative", "--no-ext-diff", "--no-textconv", "--no-renames", "--diff-filter=d")
_WARNING = "warning: "
_UNREADABLE = f"{_WARNING}could not open directory"
_KEPT = ("GIT_CONFIG", "GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM")


class _GitError(Exception):
    """git is missing, or the command failed."""


def list_files(
    root: str, endings: Sequence[str] = MARKDOWN, *, deleted: bool = False, warnings: list[str] | None = None
) -> list[str] | None:
    """Tracked and untracked files below a folder, relative to it, without ignored ones.

    `deleted`: include tracked files that no longer exist on disk, which saves checking each file.
    `warnings` receives the folders that git could not open.
    None if git is missing, the folder is not in a repository, or git does not trust its owner.
    """
    patterns = [f"*{ending}" for ending in endings]
    try:
        output = _run_git(root, "ls-files", "-z", "-co", "--exclude-standard", "--", *patterns, warnings=warnings)
    except _GitError:
        return None
    names = dict.fromkeys(_split_names(output))  # in a merge conflict a file is listed once for each side
    return list(names) if deleted else [name for name in names if os.path.lexists(os.path.join(root, name))]


def search_files(root: str, words: Sequence[str], pattern: str) -> list[str] | None:
    """Files below a folder, except ignored ones, that contain one of the words; None where git cannot be used."""
    options = ("--no-color", "--no-full-name", "--no-textconv", "--no-recurse-submodules")
    searches = [option for word in words for option in ("-e", word)]
    try:
        return _split_names(
            _run_git(root, "grep", "-l", "-z", "-F", "--untracked", *options, *searches, "--", pattern, no_match_code=1)
        )
    except _GitError:
        return None


def is_ignored(folder: str) -> bool:
    """Is the folder itself ignored, so that git lists nothing inside it?"""
    try:
        _run_git(folder, "check-ignore", "-q", ".")
    except _GitError:
        return False
    return True


def changed_files(root: str, since: str | None = None, patterns: Sequence[str] = ("*.md",)) -> list[str]:
    """Files below a folder that differ from HEAD (staged, unstaged or untracked), or from its merge base with `since`."""
    try:
        base = _merge_base(root, since) if since is not None else _head(root)
        untracked = _run_git(root, "ls-files", "-z", "-o", "--exclude-standard", "--", *patterns)
        if base is None:
            tracked = _run_git(root, "ls-files", "-z", "-c", "--", *patterns)
        else:
            tracked = _run_git(root, *_DIFF, "--ignore-submodules=all", base, "--", *patterns)
    except _GitError as error:
        raise UserError(f"--changed and --since ask git, and it cannot tell: {error}") from None
    return list(dict.fromkeys(_split_names(tracked) + _split_names(untracked)))


def _head(root: str) -> str | None:
    """The commit that HEAD points to; None before the first commit."""
    _run_git(root, "rev-parse", "--git-dir")
    try:
        return _run_git(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").decode().strip()
    except _GitError:
        return None


def _merge_base(root: str, since: str) -> str:
    if not since or since.startswith("-") or "\0" in since:
        raise UserError(f"not a revision: {since!r}")
    _run_git(root, "rev-parse", "--git-dir")
    try:
        commit = _run_git(root, "rev-parse", "--verify", "--quiet", f"{since}^{{commit}}").decode().strip()
    except _GitError:
        raise UserError(f"unknown revision: {since!r}; a shallow clone may have to fetch it first") from None
    try:
        return _run_git(root, "merge-base", "HEAD", commit).decode().strip()
    except _GitError:
        hint = "in a shallow clone, fetch more history (`git fetch --unshallow`)"
        raise UserError(f"HEAD and {since!r} have no common ancestor; {hint}") from None


def _split_names(output: bytes) -> list[str]:
    return [os.fsdecode(entry) for entry in output.split(b"\0") if entry]


def _run_git(folder: str, *arguments: str, warnings: list[str] | None = None, no_match_code: int = 0) -> bytes:
    """`no_match_code`: the exit code that means "no results", which is not an error."""
    import subprocess

    try:
        completed = subprocess.run(
            [*_COMMAND, *arguments], cwd=folder, env=_environment(), stdin=subprocess.DEVNULL, capture_output=True
        )
    except OSError as error:
        raise _GitError(f"git: {error.strerror}") from None
    lines = completed.stderr.decode("utf-8", "replace").strip().split("\n")
    if completed.returncode not in (0, no_match_code):
        raise _GitError(lines[0] or f"git {arguments[0]} failed")
    if warnings is not None:
        warnings += [line.removeprefix(_WARNING) for line in lines if line.startswith(_UNREADABLE)]
    return completed.stdout


def _environment() -> dict[str, str]:
    """The environment without what a hook sets (GIT_DIR, GIT_INDEX_FILE …): the folder determines the repository."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name.startswith(_KEPT)}
    return {**kept, "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
