"""Collect the files that are, or could be, agents: files that the user names and those in named folders."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.python.detect import ROLE as PYTHON
from fsagent_lint.agent.python.detect import SUFFIX, may_define_agents
from fsagent_lint.agent.recognise import Guesser
from fsagent_lint.errors import UserError
from fsagent_lint.files.border import Border, Found, MissingError, PathError, UnreadableError, describe_error
from fsagent_lint.files.paths import absolute, relative, to_posix
from fsagent_lint.files.read import is_folder, read_status
from fsagent_lint.harnesses.kind import MARKDOWN, Role
from fsagent_lint.model.result import Problem
from fsagent_lint.project.excludes import Excluded
from fsagent_lint.project.list_files import Listing
from fsagent_lint.project.places import UNCLEAR, Places, is_guide, named_files
from fsagent_lint.project.target import Candidate, Target, choose_targets

if TYPE_CHECKING:
    from fsagent_lint.harnesses.harness import Harness
    from fsagent_lint.project.settings import Settings


class Finder:
    def __init__(
        self,
        settings: Settings,
        harnesses: Sequence[Harness],
        guesser: Guesser,
        listing: Listing,
        *,
        python: bool = False,
    ) -> None:
        try:
            self.cwd = to_posix(os.getcwd())
        except OSError as error:
            raise UserError(f"the current folder: {describe_error(error)}") from None
        self.places, self.excluded = Places(settings, harnesses), Excluded(settings)
        self.guesser, self.listing, self.border = guesser, listing, Border()
        self.python = python
        self.candidates: list[Candidate] = []
        self.errors: list[Problem] = []
        self.skipped: list[str] = []

    def add_project(self) -> None:
        self._add_folder(self.cwd, ".", by_content=False)

    def add(self, argument: str) -> None:
        """A file or folder that the user named."""
        path = absolute(argument)
        shown = "." if path == self.cwd else relative(path, self.cwd) or to_posix(os.path.normpath(argument))
        if is_folder(path):
            self._add_folder(path, shown, by_content=path not in (self.cwd, self.border.root(path)))
        else:
            self._add_file(path, shown)

    def _add_folder(self, path: str, shown: str, *, by_content: bool) -> None:
        """`by_content`: also read markdown files outside every harness's folders."""
        boundary = self._boundary(path)
        try:
            self.border.check_folder(path, boundary)
        except PathError as error:
            self.errors.append(Problem(shown, str(error)))
            return
        prefix = "" if shown == "." else f"{shown.rstrip('/')}/"
        base = path.rstrip("/")
        warnings: list[str] = []
        agent_folders: set[str] = set()
        find = self.places.find
        for name in self.listing.files(path, self.border.root(path), warnings):
            full = f"{base}/{name}"
            role = find(full)
            if role is not None:
                if name.endswith(MARKDOWN):
                    agent_folders.add(name.rpartition("/")[0])
                self._add_found(full, prefix + name, boundary, role)
            # Hidden folders that are in no table belong to other programs.
            elif by_content and not name.startswith(".") and "/." not in name:
                self._add_found(full, prefix + name, boundary, None)
        for name in self.listing.odd_files(path, agent_folders):
            self._add_found(f"{base}/{name}", prefix + name, boundary, find(f"{base}/{name}"))
        if self.python:
            for name in self.listing.modules(path):
                self._add_found(f"{base}/{name}", prefix + name, boundary, PYTHON)
        self.errors += [Problem(shown, warning) for warning in warnings]

    def _add_found(self, path: str, shown: str, boundary: str, role: Role | None) -> None:
        # Emacs locks files with dangling links named `.#x.md`.
        if self.excluded.covers(path) or "/.#" in path:
            return
        try:
            found = self.border.find(path, boundary)
            self._add_candidate(path, shown, boundary, found, role, named=False)
        except MissingError:  # git still lists deleted files
            return
        except PathError as error:
            if role is not None:
                self.errors.append(Problem(shown, str(error)))
        except UnreadableError as error:
            self.errors.append(Problem(shown, str(error)))

    def _add_file(self, path: str, shown: str) -> None:
        if self.excluded.covers(path):
            return
        boundary = self._boundary(os.path.dirname(path))
        try:
            found = self.border.find(path, boundary)
            if self.listing.includes(path):
                self._add_candidate(path, shown, boundary, found, self.places.find(path), named=True)
        except UnreadableError as error:
            is_pattern = isinstance(error, MissingError) and not set("*?[").isdisjoint(shown)
            self.errors.append(Problem(shown, f"{error}{'; nothing matches the pattern' if is_pattern else ''}"))

    def _add_candidate(
        self, path: str, shown: str, boundary: str, found: Found, role: Role | None, *, named: bool
    ) -> None:
        assumed = False
        if named and self.python and path.endswith(SUFFIX) and may_define_agents(read_status(found.path)[0]):
            role = PYTHON
        if role == UNCLEAR and self.guesser.requested is not None:
            role = (self.guesser.requested.id, "agent")
        inside = relative(path, boundary) or path
        if role is None and self._may_be_agent(inside, named):
            role, assumed = self.guesser.guess(found.path, inside, named=named)
        if role is not None:
            target = Target(shown, *role, assumed, found.path if found.is_link else "")
            self.candidates.append(Candidate(target, found.path, found.is_link))
        elif named:
            self.skipped.append(shown)

    def _may_be_agent(self, path: str, named: bool) -> bool:
        is_requested = named and self.guesser.requested is not None
        return path.endswith(".md") and not is_guide(path) and (is_requested or not self.places.owns(path))

    def _boundary(self, folder: str) -> str:
        """The folder that links must not leave: the project, or the folder itself outside of any."""
        return self.border.project(folder) or folder


class Scan(NamedTuple):
    targets: list[Target]
    errors: list[Problem]
    skipped: list[str]
    """Files that the user named but that are not agents of any harness."""


def find(
    paths: Sequence[str],
    settings: Settings,
    harnesses: Sequence[Harness],
    *,
    harness: str | None = None,
    changed: bool = False,
    since: str | None = None,
    python: bool = False,
) -> Scan:
    """The files to check below some paths, or in the current project; UserError for a request that cannot be met.

    `harness`: the harness of files whose path does not determine it; `changed` and `since`: only changed files;
    `python`: also agents in Python modules.
    """
    guesser, listing = Guesser(harnesses, harness), Listing(changed, since, named_files(harnesses))
    finder = Finder(settings, harnesses, guesser, listing, python=python)
    for path in dict.fromkeys(paths):
        finder.add(path)
    if not paths:
        finder.add_project()
    targets, conflicts = choose_targets(finder.candidates, harnesses)
    return Scan(targets, [*dict.fromkeys(finder.errors), *conflicts], sorted(set(finder.skipped)))


def role_of(path: str, settings: Settings, harnesses: Sequence[Harness]) -> Role | None:
    """Harness and kind of a path, which need not exist; None if the path does not determine them."""
    role = Places(settings, harnesses).find(absolute(path))
    return role if role != UNCLEAR else None


def is_excluded(path: str, settings: Settings) -> bool:
    return Excluded(settings).covers(absolute(path))
