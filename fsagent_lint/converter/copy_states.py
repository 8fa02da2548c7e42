"""What a check says about generated copies: which of them are not what `sync` would write now."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Sequence
from functools import cached_property

from fsagent_lint.agent.agent import Enricher
from fsagent_lint.agent.copies import CopyProblem, State
from fsagent_lint.agent.copy_marker import COPY_MARK, find_marker
from fsagent_lint.agent.profile import agent_key
from fsagent_lint.converter.job import Job
from fsagent_lint.converter.skill_folder import KIND
from fsagent_lint.converter.sync import Copy, SyncResult, state_of
from fsagent_lint.converter.sync_run import existing_copy, find_sources, make_copy, places
from fsagent_lint.converter.sync_skills import FolderCopy, FolderSync
from fsagent_lint.errors import UserError
from fsagent_lint.files.border import UnreadableError, UnwritableError
from fsagent_lint.files.names import fold
from fsagent_lint.files.paths import absolute, relative
from fsagent_lint.frontmatter.document import stem
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.tool import ACCEPT_NONE
from fsagent_lint.project.settings import Settings
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.project.target import Target, read_target

_AT_COPY = (State.EDITED, State.FOREIGN)
"""States that are reported at the copy if it is checked, not at its source."""


class CopyStates:
    """The copies that the config asks for, as `agent/copies.py: Copies` wants to know them.

    A source is converted when it, or one of its copies, is checked. What cannot be converted is left to `sync`.
    """

    def __init__(
        self,
        settings: Settings,
        harnesses: Sequence[Harness],
        enrichers: Sequence[Enricher] = (),
        accept: frozenset[str] = ACCEPT_NONE,
    ) -> None:
        assert settings.sync is not None
        self.settings, self.sync, self.harnesses = settings, settings.sync, harnesses
        self.folder = absolute(settings.folder)
        subjects = Subjects(settings)
        self.jobs = [
            Job(get_harness(id), settings.folder, accept=accept, enrichers=enrichers, subjects=subjects)
            for id in settings.sync.targets
        ]
        self.checked: frozenset[str] = frozenset()
        self._at_copy: dict[tuple[str, int], tuple[CopyProblem, ...] | None] = {}

    def add_found(self, paths: Sequence[str]) -> None:
        self.checked = frozenset(map(absolute, paths))

    def problems(self, path: str, data: bytes) -> Sequence[CopyProblem]:
        place = absolute(path)
        if (source := self._sources.get(place)) is not None:
            return [*self._of_source(source, data)]
        return self._of_copy(place, data) or ()

    def owns(self, path: str, data: bytes) -> bool:
        return self._of_copy(absolute(path), data) is not None

    @cached_property
    def _sources(self) -> dict[str, Target]:
        try:
            found = find_sources(self.settings, self.sync, self.harnesses, SyncResult())
        except UserError:  # a folder is missing, which `sync` reports
            return {}
        return {absolute(target.path): target for target in found}

    @cached_property
    def _by_name(self) -> dict[str, list[Target]]:
        found: dict[str, list[Target]] = {}
        for target in self._sources.values():
            found.setdefault(_key(target.path), []).append(target)
        return found

    def _of_source(self, source: Target, data: bytes) -> Iterator[CopyProblem]:
        for job in self.jobs:
            copy = self._copy(source, data, job)
            if copy is None:
                continue
            is_checked = self._absolute(copy.path) in self.checked
            state = self._state(copy)
            if state not in (None, State.CURRENT) and not (state in _AT_COPY and is_checked):
                yield CopyProblem(copy.path, copy.source, state)
            yield from self._of_folder(copy)

    def _of_folder(self, copy: Copy) -> Iterator[CopyProblem]:
        """The other files of a skill."""
        if copy.companions is not None:
            result = SyncResult()
            folder = FolderCopy(posixpath.dirname(copy.path), posixpath.dirname(copy.source), copy.companions)
            FolderSync(folder, self.settings.folder, result, check=True, prune=False, force=False).run()
            yield from (CopyProblem(path, copy.source, state) for path, state, _ in result.states)

    def _of_copy(self, place: str, data: bytes) -> tuple[CopyProblem, ...] | None:
        """The problems of a file that is a copy, or lies in the place of one; None for any other file."""
        key = place, hash(data)
        if key not in self._at_copy:
            self._at_copy[key] = self._judge_copy(place, data)
        return self._at_copy[key]

    def _judge_copy(self, place: str, data: bytes) -> tuple[CopyProblem, ...] | None:
        path = relative(place, self.folder)
        if path is None or not self._sources or not any(path.startswith(f"{each}/") for each in places(self.sync)):
            return None
        marker = find_marker(data) if COPY_MARK.encode() in data else None
        origin = self._sources.get(self._absolute(marker.source)) if marker is not None else None
        sources = [origin] if origin is not None else self._by_name.get(_key(place), ())
        for source in sources if marker is None or origin is not None else ():
            for job in self.jobs:
                if job.target.id == source.harness:
                    continue
                copy = self._copy(source, None, job)
                if copy is None and marker is not None:
                    return ()  # it cannot be converted now, which `sync` reports
                if copy is not None and fold(copy.path) == fold(path):
                    return (*self._states_at_copy(copy, state_of(copy, data)),)
        return None if marker is None else (CopyProblem(path, marker.source, State.ORPHAN),)

    def _states_at_copy(self, copy: Copy, state: State) -> Iterator[CopyProblem]:
        if state in _AT_COPY or (state is State.STALE and self._absolute(copy.source) not in self.checked):
            yield CopyProblem(copy.path, copy.source, state)

    def _copy(self, source: Target, data: bytes | None, job: Job) -> Copy | None:
        if job.target.id == source.harness:
            return None
        try:
            content = read_target(source) if data is None else data
        except UnreadableError:
            return None
        return make_copy(source, content, job, self.settings, self.sync, SyncResult())

    def _state(self, copy: Copy) -> State | None:
        try:
            return state_of(copy, existing_copy(self.settings, copy))
        except UnwritableError:
            return None

    def _absolute(self, path: str) -> str:
        return absolute(os.path.join(self.folder, *path.split("/")))


def _key(path: str) -> str:
    """The name by which a source is looked for in the place of its copy."""
    folder, _, name = path.replace("\\", "/").rpartition("/")
    return agent_key(folder.rpartition("/")[2] if name.lower() == f"{KIND}.md" else stem(path))
