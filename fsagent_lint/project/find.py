"""Collect the files that are, or could be, agents: files that the user names, and those in folders or in the project."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from fsagent_lint._fast import NO_ENTRIES, NamedTuple
from fsagent_lint.agent.glance import SIZE, looks_like_agent
from fsagent_lint.agent.python.detect import ROLE as PYTHON
from fsagent_lint.agent.python.detect import SUFFIX, may_define_agents
from fsagent_lint.agent.recognise import Guess, Guesser, agent_folders
from fsagent_lint.errors import UserError
from fsagent_lint.files.border import Border, Found, MissingError, PathError, UnreadableError, describe_error
from fsagent_lint.files.paths import absolute, relative, to_posix
from fsagent_lint.files.read import is_folder, read_head, read_status
from fsagent_lint.harnesses.kind import MARKDOWN, Role
from fsagent_lint.model.result import Problem
from fsagent_lint.project.excludes import Excluded
from fsagent_lint.project.list_files import Listing
from fsagent_lint.project.places import UNCLEAR, Places, TellingNames, is_guide, named_files
from fsagent_lint.project.target import Candidate, Target, choose_targets

if TYPE_CHECKING:
    from fsagent_lint.harnesses.harness import Harness
    from fsagent_lint.project.settings import Settings

# Collections of agents, such as `categories/02-languages/go.md`.
COLLECTIONS = frozenset(("categories",))
# What lies there is meant to be wrong as often as not.
TEST_DATA = frozenset(("test", "tests", "testdata", "fixtures", "__tests__", "__fixtures__"))


class Finder:
    def __init__(
        self,
        settings: Settings,
        harnesses: Sequence[Harness],
        guesser: Guesser,
        listing: Listing,
        *,
        python: bool = False,
        everywhere: bool = False,
    ) -> None:
        try:
            self.cwd = to_posix(os.getcwd())
        except OSError as error:
            raise UserError(f"the current folder: {describe_error(error)}") from None
        self.places, self.excluded = Places(settings, harnesses), Excluded(settings)
        self.guesser, self.listing, self.border = guesser, listing, Border()
        self.python, self.everywhere = python, everywhere
        self.telling_names, self.agent_folders = TellingNames(harnesses), agent_folders(harnesses)
        self.candidates: list[Candidate] = []
        self.errors: list[Problem] = []
        self.skipped: list[str] = []
        self.unchecked: list[tuple[str, str]] = []
        """The folders of files that look like agents, and the files; some may be found through a link."""

    def add_project(self) -> None:
        self._add_folder(self.cwd, ".", by_content=False)

    def add_text(self, argument: str, data: bytes) -> None:
        """The text of a file that need not exist."""
        path = absolute(argument)
        if self.excluded.covers(path):
            return
        boundary = self._boundary(os.path.dirname(path))
        guess = self._decide(path, boundary, self.places.find(path), lambda: data, named=True)
        shown = self._shown(argument, path)
        if guess.role is not None:
            target = Target(shown, *guess.role, guess.assumed, unsure=guess.unsure)
            self.candidates.append(Candidate(target, path, False))
        else:
            self.skipped.append(shown)

    def _shown(self, argument: str, path: str) -> str:
        return "." if path == self.cwd else relative(path, self.cwd) or to_posix(os.path.normpath(argument))

    def add(self, argument: str) -> None:
        """A file or folder that the user named."""
        path = absolute(argument)
        shown = self._shown(argument, path)
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
        folders: set[str] = set()
        others: list[str] = []
        find = self.places.find
        for name in self.listing.files(path, self.border.root(path), warnings):
            full = f"{base}/{name}"
            role = find(full)
            if role is not None:
                if name.endswith(MARKDOWN):
                    folders.add(name.rpartition("/")[0])
                self._add_found(full, prefix + name, boundary, role)
            elif (by_content and not _is_hidden(name)) or (self.everywhere and self._tells_what_it_is(name)):
                self._add_found(full, prefix + name, boundary, None)
            else:
                others.append(name)
        for name in others if self.everywhere and self.listing.is_from_git else ():
            self._glance_at(f"{base}/{name}", prefix, name, boundary)
        for name in self.listing.odd_files(path, folders):
            self._add_found(f"{base}/{name}", prefix + name, boundary, find(f"{base}/{name}"))
        if self.python:
            for name in self.listing.modules(path, self.border):
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

    def _tells_what_it_is(self, name: str) -> bool:
        return self.telling_names.include(name) and TEST_DATA.isdisjoint(name.split("/")[:-1])

    def _glance_at(self, path: str, prefix: str, name: str, boundary: str) -> None:
        """A file whose path says nothing: if it looks like an agent, it is added in a folder of agents, else counted."""
        parents = name.split("/")[:-1]
        is_among_agents = not self.agent_folders.isdisjoint(parents)
        is_told = self.telling_names.include(name)
        if not (is_told or name.endswith(MARKDOWN)):
            return
        if is_guide(name) or (self.places.owns(name) and not is_among_agents) or self.excluded.covers(path):
            return
        try:
            found = self.border.find(path, boundary)
            head = read_head(found.path, SIZE)
        except UnreadableError:
            return
        if not is_told and not looks_like_agent(head, self.guesser.harnesses, is_among_agents=is_among_agents):
            return
        is_collection = is_among_agents or not COLLECTIONS.isdisjoint(parents)
        if is_collection and TEST_DATA.isdisjoint(parents) and not _is_hidden(name):
            self._add_found(path, prefix + name, boundary, None)
        else:
            self.unchecked.append((f"{prefix}{parents[0] if parents else '.'}/", found.path))

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
        guess = self._decide(path, boundary, role, lambda: read_status(found.path)[0], named=named)
        if guess.role is not None:
            link = found.path if found.is_link else ""
            target = Target(shown, *guess.role, guess.assumed, link, guess.unsure)
            self.candidates.append(Candidate(target, found.path, found.is_link))
        elif named:
            self.skipped.append(shown)

    def _decide(self, path: str, boundary: str, role: Role | None, read: Callable[[], bytes], *, named: bool) -> Guess:
        """Harness and kind of a file; it is read only if its path does not decide."""
        if named and self.python and path.endswith(SUFFIX) and may_define_agents(read()):
            return Guess(PYTHON)
        if role == UNCLEAR and self.guesser.requested is not None:
            return Guess((self.guesser.requested.id, "agent"))
        inside = relative(path, boundary) or path
        if role is None and self._may_be_agent(inside, named):
            return self.guesser.guess(read(), inside, named=named)
        return Guess(role)

    def _may_be_agent(self, path: str, named: bool) -> bool:
        is_requested = named and self.guesser.requested is not None
        if self.telling_names.include(path):
            return True
        return path.endswith(".md") and not is_guide(path) and (is_requested or not self.places.owns(path))

    def _boundary(self, folder: str) -> str:
        """The folder that links must not leave: the project, or the folder itself outside of any."""
        return self.border.project(folder) or folder


class Scan(NamedTuple):
    targets: list[Target]
    errors: list[Problem]
    skipped: list[str]
    """Files that the user named but that are not agents of any harness."""
    unchecked: Mapping[str, int] = NO_ENTRIES
    """Folders of the project to the number of files that look like agents there, but are no targets."""
    twins: Sequence[Target] = ()
    """Links to targets, for other harnesses."""


def find(
    paths: Sequence[str],
    settings: Settings,
    harnesses: Sequence[Harness],
    *,
    texts: Mapping[str, bytes] = NO_ENTRIES,
    harness: str | None = None,
    changed: bool = False,
    since: str | None = None,
    python: bool = False,
    everywhere: bool = False,
    listed: Sequence[str] | None = None,
) -> Scan:
    """The files to check below some paths, or in the current project; UserError for a request that cannot be met.

    `texts`: paths with the texts to check for them, whatever is on the disk. `harness`: the harness of files whose path does not determine it; `changed` and `since`: only changed files;
    `python`: also agents in Python modules; `everywhere`: also files of the project outside every harness's folders, if
    their name or content shows that they are agents; `listed`: all files that there are, if that is known.
    """
    guesser, listing = Guesser(harnesses, harness), Listing(changed, since, named_files(harnesses, settings), listed)
    finder = Finder(settings, harnesses, guesser, listing, python=python, everywhere=everywhere)
    for path in dict.fromkeys(paths):
        finder.add(path)
    for path, data in texts.items():
        finder.add_text(path, data)
    if not paths and not texts:
        finder.add_project()
    targets, twins = choose_targets(finder.candidates, harnesses)
    checked = {candidate.real for candidate in finder.candidates}
    unchecked = Counter(folder for folder, real in finder.unchecked if real not in checked)
    return Scan(targets, [*dict.fromkeys(finder.errors)], sorted(set(finder.skipped)), unchecked, tuple(twins))


def _is_hidden(name: str) -> bool:
    """Does it lie in a hidden folder? Those that are in no table belong to other programs."""
    return name.startswith(".") or "/." in name


def role_of(path: str, settings: Settings, harnesses: Sequence[Harness]) -> Role | None:
    """Harness and kind of a path, which need not exist; None if the path does not determine them."""
    role = Places(settings, harnesses).find(absolute(path))
    return role if role != UNCLEAR else None


def is_excluded(path: str, settings: Settings) -> bool:
    return Excluded(settings).covers(absolute(path))
