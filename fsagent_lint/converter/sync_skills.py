"""Keep the copies of the files beside a skill's SKILL.md current; a list in the copy's folder says what was copied."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.copies import State
from fsagent_lint.agent.copy_marker import COPY_MARK
from fsagent_lint.converter.skill_folder import MANIFEST, find_copy, show_change, write_copy
from fsagent_lint.converter.sync import SyncResult
from fsagent_lint.files.border import UnreadableError, UnwritableError
from fsagent_lint.files.paths import absolute
from fsagent_lint.files.read import exists, is_file, list_folder, read_file
from fsagent_lint.files.tree import TreeFile
from fsagent_lint.files.write import create, existing_entry, remove, remove_empty_folders
from fsagent_lint.model.result import Problem
from fsagent_lint.report.escape import MESSAGE, escape

Hashes = dict[str, str]
"""Path in the folder to the hash of what was copied there."""


class FolderCopy(NamedTuple):
    """The folder of a generated skill."""

    folder: str
    """Relative to the project."""
    source: str
    files: tuple[TreeFile, ...] = ()


def find_manifests(root: str, places: set[str]) -> Iterator[str]:
    """Folders of skills with a list of copied files, relative to the project; `places` contain such folders."""
    for place in sorted(places):
        for name in list_folder(f"{root}/{place}", root=absolute(root)):
            if is_file(f"{root}/{place}/{name}/{MANIFEST}"):
                yield f"{place}/{name}"


class FolderSync:
    """Brings one folder up to date, or only reports what is not current."""

    def __init__(
        self, copy: FolderCopy, root: str, result: SyncResult, *, check: bool, prune: bool, force: bool
    ) -> None:
        self.copy, self.root, self.result = copy, root, result
        self.check, self.prune, self.force = check, prune, force
        self.recorded = self._read_manifest()
        self.kept: Hashes = {}
        """What the list will contain."""

    def run(self) -> None:
        reported = len(self.result.states) + len(self.result.errors)
        for file in self.copy.files:
            try:
                self._update(file)
            except UnwritableError as error:
                self._fail(file.path, str(error))
        wanted = {file.path for file in self.copy.files}
        for path, recorded in self.recorded.items():
            if path not in wanted:
                self._drop_orphan(path, recorded)
        if self.kept == self.recorded:
            return
        if self.check:
            if len(self.result.states) + len(self.result.errors) == reported:
                state = State.STALE if self.recorded else State.MISSING
                self.result.states.append((f"{self.copy.folder}/{MANIFEST}", state, ""))
            return
        self._write_manifest()

    def _path(self, path: str) -> str:
        return os.path.join(self.root, *self.copy.folder.split("/"), *path.split("/"))

    def _fail(self, path: str, problem: str) -> None:
        self.result.errors.append(Problem(f"{self.copy.folder}/{path}", problem))

    def _update(self, file: TreeFile) -> None:
        existing = find_copy(self._path(file.path), file, self.root)
        recorded = self.recorded.get(file.path)
        if existing == file:
            self.kept[file.path] = _hash(file.data)
            return
        state = _state(existing, recorded)
        shown = f"{self.copy.folder}/{file.path}"
        self.result.states.append((shown, state, show_change(shown, existing, file)))
        if self.check or (state in (State.EDITED, State.FOREIGN) and not self.force):
            self.kept |= {file.path: recorded} if recorded else {}
            if not self.check:
                advice = f"change {self.copy.source}/{file.path} instead, and overwrite it with --force"
                self._fail(file.path, f"is {state}; {advice}")
            return
        write_copy(self._path(file.path), file, self.root)
        self.result.written.append(shown)
        self.kept[file.path] = _hash(file.data)

    def _drop_orphan(self, path: str, recorded: str) -> None:
        """Report a copy whose source is gone, or remove it; one that was edited by hand stays unless forced."""
        place = self._path(path)
        if not exists(place):
            return
        shown = f"{self.copy.folder}/{path}"
        self.result.states.append((shown, State.ORPHAN, ""))
        self.kept[path] = recorded
        if self.check or not self.prune:
            return
        try:
            if not self.force and self._hash_of(place) != recorded:
                raise UnwritableError(f"is {State.EDITED}; --force removes it")
            remove(place, self.root)
        except UnwritableError as error:
            self._fail(path, str(error))
            return
        del self.kept[path]
        self.result.removed.append(shown)
        remove_empty_folders(os.path.dirname(place), self._path("").rstrip(os.sep))

    def _hash_of(self, place: str) -> str:
        """The hash of the file or link at a place; UnwritableError if it is neither, or outside."""
        found = existing_entry(place, self.root)
        return _hash(found) if found is not None else ""

    def _read_manifest(self) -> Hashes:
        try:
            data = read_file(self._path(MANIFEST), root=absolute(self.root))
        except UnreadableError:
            return {}
        lines = (line.partition("  ") for line in data.decode("utf-8", "replace").splitlines() if line[:1] != "#")
        return {path: each for each, _, path in lines if path and ".." not in path.split("/") and path[0] != "/"}

    def _write_manifest(self) -> None:
        try:
            if self.kept:
                create(self._path(MANIFEST), _manifest(self.copy.source, self.kept), self.root)
            else:
                remove(self._path(MANIFEST), self.root)
                folder = self._path("").rstrip(os.sep)
                remove_empty_folders(folder, os.path.dirname(folder))
        except UnwritableError as error:
            self._fail(MANIFEST, str(error))


def _state(existing: TreeFile | None, recorded: str | None) -> State:
    if existing is None:
        return State.MISSING
    if recorded is None:
        return State.FOREIGN
    return State.STALE if _hash(existing.data) == recorded else State.EDITED


def _manifest(source: str, hashes: Mapping[str, str]) -> bytes:
    head = f"{COPY_MARK} from {escape(source, MESSAGE)}; do not edit.\n"
    return (head + "".join(f"{each}  {path}\n" for path, each in sorted(hashes.items()))).encode("utf-8")


def _hash(data: bytes) -> str:
    """The same for both sorts of line ends, which git may change."""
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()[:16]
