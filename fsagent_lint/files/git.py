"""What git knows about a folder: its files, and which of them changed.

Git obeys the config and the attributes of the repository that it is asked about, which may name programs to run. So it
is asked only for names, ids of objects, ignore rules, and stored bytes by their id; files are read and compared here.
See `_run_git`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.errors import UserError
from fsagent_lint.files.border import Border, UnreadableError, find_root, real
from fsagent_lint.files.read import MAX_SIZE, read_file

MARKDOWN = (".md",)
TIMEOUT = 60.0
"""Seconds for one call: a pipe in the place of `.gitignore` or of a config file would keep git waiting for ever."""

_OPTIONS = (
    "--no-pager",
    *("-c", "core.fsmonitor="),  # empty: git 2.35 and older would run a program called `false`
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "safe.bareRepository=explicit"),
)
_WARNING = "warning: "
_UNREADABLE = f"{_WARNING}could not open directory"
_KEPT = ("GIT_CONFIG", "GIT_EXEC_PATH", "GIT_DISCOVERY_ACROSS_FILESYSTEM")


class _GitError(Exception):
    """git is missing, or the command failed."""


class _Blob(NamedTuple):
    """What a commit or the index has at a path."""

    mode: str
    id: str
    """Empty in a merge conflict."""

    @property
    def is_link(self) -> bool:
        return self.mode == "120000"

    def is_content(self, data: bytes) -> bool:
        import hashlib

        name = "sha1" if len(self.id) == 40 else "sha256"
        return hashlib.new(name, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest() == self.id


def list_files(
    folder: str, endings: Sequence[str] = MARKDOWN, *, deleted: bool = False, warnings: list[str] | None = None
) -> list[str] | None:
    """Tracked and untracked files below a folder, relative to it, without ignored ones.

    `deleted`: include tracked files that no longer exist on disk, which saves checking each file.
    `warnings` receives the folders that git could not open.
    None if git is missing, the folder is not in a repository, or git does not trust its owner.
    """
    patterns = _pathspecs(endings)
    try:
        output = _run_git(folder, "ls-files", "-z", "-co", "--exclude-standard", "--", *patterns, warnings=warnings)
    except _GitError:
        return None
    names = dict.fromkeys(map(os.fsdecode, _entries(output)))  # in a merge conflict a file is listed for each side
    return list(names) if deleted else [name for name in names if os.path.lexists(os.path.join(folder, name))]


def _pathspecs(endings: Sequence[str]) -> list[str]:
    """For git: endings of names; globs of paths in any folder; and those of paths from here, which begin with `./`."""
    globs = [
        f":(glob){each.removeprefix('./') if each.startswith('./') else f'**/{each}'}"
        for each in endings
        if "/" in each
    ]
    return [*(f"*{each}" for each in endings if "/" not in each), *globs]


def is_ignored(folder: str) -> bool:
    """Is the folder itself ignored, so that git lists nothing inside it?"""
    try:
        _run_git(folder, "check-ignore", "-q", ".")
    except _GitError:
        return False
    return True


def changed_files(folder: str, since: str | None = None, endings: Sequence[str] = MARKDOWN) -> list[str]:
    """Files below a folder that differ from HEAD (staged, unstaged or untracked), or from its merge base with `since`.

    A file whose content a filter changes on its way into the repository, such as one in LFS, always counts as changed.
    """
    patterns = _pathspecs(endings)
    try:
        base = _merge_base(folder, since) if since is not None else _head(folder)
        tree = _run_git(folder, "ls-tree", "-r", "-z", base) if base is not None else b""
        index = _run_git(folder, "ls-files", "-s", "-z", "--", *patterns)
        before = {name: _Blob(mode, id) for name, mode, _, id in _records(tree, endings)}
        now = {name: _Blob(mode, id if stage == "0" else "") for name, mode, id, stage in _records(index, endings)}
        untracked = _entries(_run_git(folder, "ls-files", "-o", "-z", "--exclude-standard", "--", *patterns))
        return [*_changed(folder, before, now), *map(os.fsdecode, untracked)]
    except _GitError as error:
        raise UserError(f"--changed and --since need git: {error}") from None


class Stored(NamedTuple):
    """A file of a commit: its path from the root of the repository, and its bytes as they are stored."""

    path: str
    data: bytes


MAX_STORED = 256 * 1024 * 1024
"""How many bytes of a commit are read."""
_AT_ONCE = 16 * 1024 * 1024


def stored_files(root: str, since: str, is_wanted: Callable[[str], bool]) -> Iterator[Stored]:
    """Some files of the merge base with a revision; `root`: the root of the repository.

    Links, submodules and files that are too large to be read from disk are left out. No filter is applied: a file in LFS
    is its pointer.
    """
    try:
        base = _merge_base(root, since)
        tree = _records(_run_git(root, "ls-tree", "-r", "-z", base), ("",))
        wanted = [(name, id) for name, mode, _, id in tree if mode.startswith("100") and is_wanted(name)]
        sizes = _sizes(root, [id for _, id in wanted])
        if sum(sizes.values()) > MAX_STORED:
            raise UserError(f"--since: the agent and settings files of {since!r} exceed {MAX_STORED // 2**20} MiB")
        batch: list[tuple[str, str]] = []
        for name, id in wanted:
            if id in sizes and sizes[id] <= MAX_SIZE:
                batch.append((name, id))
            if sum(sizes[id] for _, id in batch) > _AT_ONCE:
                yield from _contents(root, batch, sizes)
                batch = []
        yield from _contents(root, batch, sizes)
    except _GitError as error:
        raise UserError(f"--since needs git: {error}") from None


def _sizes(root: str, ids: Sequence[str]) -> dict[str, int]:
    """The size of each object that the repository has; a partial clone lacks some."""
    question = "".join(f"{id}\n" for id in dict.fromkeys(ids)).encode()
    lines = _run_git(root, "cat-file", "--batch-check", question=question).decode().splitlines() if ids else []
    found = (line.split(" ") for line in lines)
    return {words[0]: int(words[2]) for words in found if len(words) == 3 and words[1] == "blob"}


def _contents(root: str, batch: Sequence[tuple[str, str]], sizes: Mapping[str, int]) -> Iterator[Stored]:
    ids = dict.fromkeys(id for _, id in batch)
    output = _run_git(root, "cat-file", "--batch", question="".join(f"{id}\n" for id in ids).encode()) if ids else b""
    found, at = {}, 0
    for id in ids:  # a line with id, type and size, then the bytes, then a line break
        start = output.index(b"\n", at) + 1
        found[id] = output[start : start + sizes[id]]
        at = start + sizes[id] + 1
    yield from (Stored(name, found[id]) for name, id in batch)


def _entries(output: bytes) -> list[bytes]:
    return output.split(b"\0")[:-1]


def _records(output: bytes, endings: Sequence[str]) -> Iterator[tuple[str, str, str, str]]:
    """Each file that `ls-tree` or `ls-files -s` names, with the three columns before its name."""
    wanted = tuple(os.fsencode(ending.rpartition("*")[2]) for ending in endings)
    for entry in _entries(output):
        if entry.endswith(wanted):
            columns, _, name = entry.partition(b"\t")
            first, second, third = columns.decode().split(" ")
            yield os.fsdecode(name), first, second, third


def _changed(folder: str, before: Mapping[str, _Blob], now: Mapping[str, _Blob]) -> Iterator[str]:
    """Tracked files that exist and differ, in the index or on disk, from what they were."""
    border, other_line_ends = Border(), list[str]()
    for name, blob in now.items():
        path = f"{folder}/{name}"
        is_link = os.path.islink(path)
        if not is_link and (os.path.isdir(path) or not os.path.exists(path)):
            continue
        data = _content(path, is_link, border) if blob == before.get(name) and blob.is_link is is_link else None
        if data is None:
            yield name
        elif not blob.is_content(data):
            if blob.is_content(data.replace(b"\r\n", b"\n")):
                other_line_ends.append(name)
            else:
                yield name
    if other_line_ends:
        yield from _stored_as_they_are(folder, other_line_ends)


def _content(path: str, is_link: bool, border: Border) -> bytes | None:
    """What git would store for a file; None if it cannot be read."""
    try:
        return os.fsencode(os.readlink(path)) if is_link else read_file(path, border)
    except (OSError, UnreadableError):
        return None


def _stored_as_they_are(folder: str, names: Sequence[str]) -> Iterator[str]:
    """Those of some files with CRLF that git does not store with LF."""
    try:
        setting = _run_git(folder, "config", "--get", "core.autocrlf").decode().strip().lower()
    except _GitError:  # it is not set
        setting = ""
    question = b"".join(os.fsencode(name) + b"\0" for name in names)
    answers = _entries(_run_git(folder, "check-attr", "-z", "--stdin", "text", "eol", question=question))
    values = {(os.fsdecode(name), key): value for name, key, value in zip(*[iter(answers)] * 3, strict=True)}
    for name in names:
        text, eol = values[name, b"text"], values[name, b"eol"]
        if text == b"unspecified":
            is_converted = eol in (b"lf", b"crlf") or setting in ("true", "yes", "on", "1", "input")
        else:
            is_converted = text in (b"set", b"auto")
        if not is_converted:
            yield name


def _head(folder: str) -> str | None:
    """The commit that HEAD points to; None before the first commit."""
    _run_git(folder, "rev-parse", "--git-dir")
    try:
        return _run_git(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").decode().strip()
    except _GitError:
        return None


def _merge_base(folder: str, since: str) -> str:
    if not since or since.startswith("-") or "\0" in since:
        raise UserError(f"not a revision: {since!r}")
    _run_git(folder, "rev-parse", "--git-dir")
    try:
        commit = _run_git(folder, "rev-parse", "--verify", "--quiet", f"{since}^{{commit}}").decode().strip()
    except _GitError:
        raise UserError(f"unknown revision: {since!r} (in a shallow clone, fetch it first)") from None
    try:
        return _run_git(folder, "merge-base", "HEAD", commit).decode().strip()
    except _GitError:
        hint = "in a shallow clone, fetch more history (`git fetch --unshallow`)"
        raise UserError(f"HEAD and {since!r} have no common ancestor; {hint}") from None


def _run_git(folder: str, *arguments: str, question: bytes = b"", warnings: list[str] | None = None) -> bytes:
    """Every call of git. The repository is hostile, and its config counts: a command that is added must be safe, too.

    The commands in use are built into git, so no alias replaces them. They do their work in one process: they read the
    index, commits, trees, refs and the rules of `.gitignore` and `.gitattributes`; `cat-file --batch` prints an object
    as it is stored, for it is not asked for `--filters` or `--textconv`. None of them converts contents (`filter.*`,
    `diff.*.textconv`, line ends), shows a difference (`diff.external`), writes the index or a ref (hooks), enters a
    submodule, or talks to a remote, and none has a terminal (pager). `diff`, `diff-index`, `diff-files`,
    `status`, `grep`, `ls-files -m` and `ls-files --eol` are not among them for that reason.

    What they could still run is switched off: fsmonitor, which `ls-files` asks for what changed; and fetching of
    objects that a partial clone lacks (`core.sshCommand`, credential helpers, `ext::`). `GIT_NO_LAZY_FETCH` came late
    (2.44), so there is no protocol to fetch with either. What the config may name without running it stays: files with
    ignore rules and config (`core.excludesFile`, `include.path`), and other places for the repository (a `.git` file,
    which worktrees have) and its objects (alternates).
    """
    import subprocess

    git, environment = _find_git(), _environment(folder)
    try:
        completed = subprocess.run(
            [git, *_OPTIONS, *arguments],
            cwd=folder,
            env=environment,
            input=question,
            capture_output=True,
            timeout=TIMEOUT,
        )
    except OSError as error:
        raise _GitError(f"git: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise _GitError(f"git {arguments[0]} did not finish within {TIMEOUT:.0f} seconds") from None
    lines = completed.stderr.decode("utf-8", "replace").strip().split("\n")
    if completed.returncode != 0:
        reasons = [line for line in lines if line and not line.startswith(_WARNING)]
        raise _GitError(reasons[0] if reasons else f"git {arguments[0]} failed")
    if warnings is not None:
        warnings += [line.removeprefix(_WARNING) for line in lines if line.startswith(_UNREADABLE)]
    return completed.stdout


def _find_git() -> str:
    """The program, looked up in absolute folders only.

    Windows would look in the current folder first, and so does a `PATH` with a dot or an empty entry.
    """
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.get_exec_path():
        path = os.path.join(folder, name)
        if os.path.isabs(folder) and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise _GitError("git is not installed")


def _environment(folder: str) -> dict[str, str]:
    """The environment without what a hook or a user's session sets (GIT_DIR, GIT_INDEX_FILE, GIT_TRACE …).

    The folder determines the repository, and the repository's root is its working tree, whatever `core.worktree` says.
    """
    root = find_root(real(folder))
    if root is None:
        raise _GitError("fatal: not a git repository (or any of the parent directories): .git")
    above = os.path.dirname(root)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name.startswith(_KEPT)}
    return {
        **kept,
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_CEILING_DIRECTORIES": above if above != root else "",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_WORK_TREE": root,
        "LC_ALL": "C",
    }
