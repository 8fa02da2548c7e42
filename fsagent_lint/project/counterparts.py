"""The counterparts of an agent: the files of other harnesses for the same agent, where each of them looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.copy_marker import COPY_MARK, is_edited
from fsagent_lint.agent.profile import AGENTS, Profile, agent_key, profile
from fsagent_lint.files.border import Border, UnreadableError
from fsagent_lint.files.globs import SPECIAL
from fsagent_lint.files.paths import absolute, relative
from fsagent_lint.files.read import exists, is_folder, list_folder, read_status
from fsagent_lint.files.recent import Recent
from fsagent_lint.files.walk import markdown_below
from fsagent_lint.frontmatter.document import stem
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import MARKDOWN
from fsagent_lint.project.excludes import Excluded
from fsagent_lint.project.places import PLUGIN, UNCLEAR, Places
from fsagent_lint.project.settings import Settings
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.project.target import Target

MAX_FILES = 20_000


class _Spot(NamedTuple):
    """Where a harness looks for agents, relative to a home."""

    harness: str
    kind: str
    head: str
    """The folder above the first wildcard, or the file if there is none."""
    deep: bool


class Counterparts:
    """One instance per run. Folders are listed, and only files with the name of an agent of the run are read."""

    def __init__(self, settings: Settings, harnesses: Sequence[Harness], subjects: Subjects) -> None:
        self.subjects, self.border = subjects, Border()
        self.settings, self.harnesses, self.excluded = settings, harnesses, Excluded(settings)
        self.folder = absolute(settings.folder or ".")
        self.is_enriched = bool(settings.enrich or settings.enrichers)
        self.spots = [
            _spot(harness.id, kind, glob)
            for harness in harnesses
            for kind, facts in harness.kinds.items()
            if kind in AGENTS
            for glob in facts.globs
        ]
        self.configured = [_spot(each.harness, each.kind, each.glob) for each in settings.paths if each.kind in AGENTS]
        self._existing: Recent[str, list[_Spot]] = Recent()
        self._files: Recent[str, dict[str, list[str]]] = Recent()

    @cached_property
    def places(self) -> Places:
        return Places(self.settings, self.harnesses)

    def home(self, target: Target, data: bytes) -> str:
        """The folder in which each harness has its place for a file's agent.

        Empty if only one harness has any there, if the file is a generated copy, which is compared with its source, or
        if the config changes tools for some harnesses, so that files differ on purpose.
        """
        if target.kind not in AGENTS or target.assumed or self.is_enriched:
            return ""
        home = self._home(absolute(target.path), target)
        if not home or all(spot.harness == target.harness for spot in self._spots(home)):
            return ""
        return home if not self._is_generated(target, data) else ""

    def _is_generated(self, target: Target, data: bytes) -> bool:
        """Is it a copy that another rule compares with its source?"""
        if self.subjects.copies is not None:
            return self.subjects.copies.owns(target.path, data)
        return COPY_MARK.encode() in data and is_edited(data)

    def _home(self, path: str, target: Target) -> str:
        for spot in self.spots:
            if (spot.harness, spot.kind) == (target.harness, target.kind):
                above, found, below = path.rpartition(f"/{spot.head}")
                if found and (not below or below.startswith("/")):
                    return above
        return self.folder if self.configured and relative(path, self.folder) is not None else ""

    def _spots(self, home: str) -> list[_Spot]:
        """The places that exist."""
        found = self._existing.get(home)
        if found is None:
            configured = self.configured if home == self.folder else ()
            names = set(list_folder(home, self.border))
            spots = (spot for spot in (*self.spots, *configured) if not spot.head or spot.head.split("/")[0] in names)
            found = self._existing[home] = [spot for spot in spots if exists(f"{home}/{spot.head}")]
        return found

    def read(self, checked: Sequence[Profile]) -> list[Profile]:
        """The counterparts of some agents that are not among them; what cannot be read is left out."""
        known = {absolute(each.path) for each in checked}
        wanted: dict[str, tuple[str, str]] = {}
        for each in checked:
            files = self._index(each.home) if each.home else {}
            for path in (path for key in ("", each.key, agent_key(stem(each.path))) for path in files.get(key, ())):
                if path in known or path in wanted or self.excluded.covers(path):
                    continue
                role = self.places.find(path)
                if role is not None and role != UNCLEAR and role[0] != each.harness and role[1] in AGENTS:
                    wanted[path] = role
        if not wanted:
            return []
        real = {self.border.real(path.rpartition("/")[0]) + "/" + path.rpartition("/")[2] for path in known}
        return [found for path, role in wanted.items() for found in self._profiles(path, role, real)]

    def _index(self, home: str) -> dict[str, list[str]]:
        """The files in the places of a home by the key of their name; files with a list of agents have an empty one."""
        found = self._files.get(home)
        if found is None:
            found = self._files[home] = {}
            for path in dict.fromkeys(path for spot in self._spots(home) for path in self._list(home, spot)):
                key = agent_key(stem(path)) if path.endswith(MARKDOWN) else ""
                found.setdefault(key, []).append(path)
        return found

    def _list(self, home: str, spot: _Spot) -> Iterator[str]:
        place = f"{home}/{spot.head}".rstrip("/")
        if is_folder(place):
            root = self.border.project(home) or home
            yield from markdown_below(place, self.border, root, deep=spot.deep, limit=MAX_FILES)
        else:
            yield place

    def _profiles(self, path: str, role: tuple[str, str], known: set[str]) -> Iterator[Profile]:
        shown = relative(path, absolute(".")) or path
        target = Target(shown, *role, False)
        try:
            found = self.border.find(path)
            if found.path in known:  # one file for both harnesses
                return
            data = read_status(found.path)[0]
        except UnreadableError:
            return
        home = self.home(target, data)
        for part in self.subjects.of_target(target, data).parts:
            if (agent := profile(part, home)) is not None:
                yield agent


def _spot(harness: str, kind: str, glob: str) -> _Spot:
    parts = glob.removeprefix(PLUGIN).strip("/").split("/")
    literal = next((at for at, part in enumerate(parts) if not SPECIAL.isdisjoint(part)), len(parts))
    return _Spot(harness, kind, "/".join(parts[:literal]), any("**" in part for part in parts))
