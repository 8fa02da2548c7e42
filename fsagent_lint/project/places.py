"""Which harness a file belongs to by its path, from the globs of the config and of the tables."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fsagent_lint._fast import NamedTuple, pattern
from fsagent_lint.files.globs import SPECIAL, Glob, Part, Test, match
from fsagent_lint.files.paths import relative, to_posix
from fsagent_lint.files.read import exists
from fsagent_lint.files.recent import Recent
from fsagent_lint.harnesses.kind import DATA, MARKDOWN, Role
from fsagent_lint.suggest import ascii_lower

if TYPE_CHECKING:
    from fsagent_lint.harnesses.harness import Harness
    from fsagent_lint.project.settings import Settings

UNCLEAR: Role = ("", "agent")
"""A file that may be an agent of any harness."""
# Antigravity, Goose, Kimi Code and OpenHands read this folder, and others read parts of it.
SHARED = ".agents/agents/**/*.md"

PLUGIN = "{plugin}/"
MANIFESTS = (".claude-plugin/plugin.json", "plugin.json")
GUIDES = frozenset(("CLAUDE", "AGENTS", "GEMINI", "CHANGELOG", "CONTRIBUTING", "LICENSE"))

# `readme.md`, `readme.pt-br.md`, but not an agent `readme-writer.md`.
_TRANSLATED = pattern(r"(?i:readme)(?:[._-][A-Za-z]{2,3}){0,2}\.md")


def is_guide(path: str) -> bool:
    """Markdown for people, all agents at once or another program: outside an agent folder it is not an agent."""
    *folders, name = path.split("/")
    return (
        name.startswith("README")
        or _TRANSLATED.fullmatch(name) is not None
        or name.partition(".")[0] in GUIDES
        or name.endswith("instructions.md")
        or "rules" in folders
        or folders[-2:] == [".github", "workflows"]
    )


class TellingNames:
    """File names that show in every folder what a file is."""

    def __init__(self, harnesses: Sequence[Harness]) -> None:
        kinds = [kind for harness in harnesses for kind in harness.kinds.values()]
        self.tests = [Glob(name).name for name in {ascii_lower(name) for kind in kinds for name in kind.names}]

    def include(self, path: str) -> bool:
        name = ascii_lower(path.rpartition("/")[2])
        if not name.endswith(MARKDOWN):
            return False
        return any(test(name) for test in self.tests)


def named_files(harnesses: Sequence[Harness], settings: Settings) -> frozenset[str]:
    """The names and paths of agent files that are not markdown."""
    places = [place for harness in harnesses for place in harness.kinds.values()]
    known = frozenset(glob for place in places for glob in place.all_globs if not glob.endswith(MARKDOWN))
    return known.union(entry.glob.lstrip("/") for entry in settings.paths if entry.glob.endswith(DATA))


class _Place(NamedTuple):
    role: Role
    glob: Glob
    name: Test
    marker: str
    """A folder that every such path contains; empty if there is none."""
    in_plugin: bool


class _RelevantNames(dict[str, str]):
    """Maps the folder names that some glob distinguishes to themselves, and all others to an empty name."""

    def __init__(self, known: set[str]) -> None:
        super().__init__({name: name for name in known})
        self.patterns = [Glob(name).name for name in known if _is_pattern(name)]

    def __missing__(self, name: str) -> str:
        self[name] = name if any(fits(name) for fits in self.patterns) else ""
        return self[name]


class Places:
    """A folder is matched once: then each of its files costs a dictionary lookup and a few comparisons."""

    def __init__(self, settings: Settings, harnesses: Sequence[Harness]) -> None:
        self.folder = to_posix(settings.folder)
        self.configured = [(Glob(entry.glob), (entry.harness, entry.kind)) for entry in settings.paths]
        every = [
            ((harness.id, kind), pattern)
            for harness in sorted(harnesses, key=lambda harness: harness.id not in settings.tables)
            for kind, facts in harness.kinds.items()
            for pattern in facts.all_globs
        ]
        telling = {
            harness.id: TellingNames([other for other in harnesses if other is not harness]) for harness in harnesses
        }
        self.places = [_place(role, pattern, telling[role[0]]) for role, pattern in every if "/" in pattern]
        self.named = {pattern: role for role, pattern in reversed(every) if "/" not in pattern}
        """Files that are recognised by their name alone, in any folder."""
        globs = (*(pattern for _, pattern in every if "/" in pattern), *(glob.pattern for glob, _ in self.configured))
        self.endings = (MARKDOWN, *{ending for glob in globs for ending in DATA if glob.endswith(ending)})
        """The endings of all other files."""
        self.places.append(_place(UNCLEAR, SHARED, TellingNames(())))
        self.markers = {place.marker for place in self.places}
        folders = {segment for place in self.places for segment in place.glob.pattern.split("/")[:-1]}
        self.relevant = _RelevantNames(folders)
        self.shapes: dict[tuple[str, ...], list[tuple[_Place, list[int]]]] = {}
        self.tests: Recent[str, list[tuple[Test, Role]]] = Recent()
        self.plugins: Recent[str, bool] = Recent()

    def find(self, path: str) -> Role | None:
        """The role of an absolute path; config entries win, then its tables, then the first harness."""
        folder, _, name = path.rpartition("/")
        if not name.endswith(self.endings):
            return self.named.get(name)
        tests = self.tests.get(folder)
        if tests is None:
            tests = self.tests[folder] = [*self._configured_tests(folder), *self._table_tests(folder)]
        for test, role in tests:
            if test(name):
                return role
        return self.named.get(name)

    def owns(self, path: str) -> bool:
        """Does a file lie in a hidden folder of a harness, so that it is either found there or not an agent at all?"""
        return any(segment.startswith(".") and segment in self.markers for segment in path.split("/"))

    def _configured_tests(self, folder: str) -> list[tuple[Test, Role]]:
        inside = relative(folder, self.folder) if self.configured else None
        if inside is None:
            return []
        segments = inside.split("/") if inside else []
        tests: list[tuple[Test, Role]] = []
        for glob, role in self.configured:
            if inside and glob.covers(f"{inside}/"):
                tests.append((_is_not_guide, role))
            elif not glob.folders_only and match(glob.parents, segments):
                tests.append((_unless_guide(glob), role))
        return tests

    def _table_tests(self, folder: str) -> list[tuple[Test, Role]]:
        segments = folder.strip("/").split("/")
        shape = tuple(map(self.relevant.__getitem__, segments))
        places = self.shapes.get(shape)
        if places is None:
            places = self.shapes[shape] = list(self._fitting(shape))
        return [
            (place.name, place.role)
            for place, plugins in places
            if not place.in_plugin or any(self._is_plugin(_up(folder, levels)) for levels in plugins)
        ]

    def _fitting(self, segments: tuple[str, ...]) -> Iterator[tuple[_Place, list[int]]]:
        """The places that a folder matches, each with how many levels up a plugin would have to be."""
        markers = self.markers.intersection(("", *segments))
        for place in self.places:
            parents: tuple[Part, ...] = place.glob.parents
            if place.marker not in markers:
                continue
            if place.in_plugin:
                # parents[0] matches any run of folders; here that run must end in a plugin.
                levels = [up for up in range(len(segments) + 1) if match(parents[1:], segments[len(segments) - up :])]
                if levels:
                    yield place, levels
            elif match(parents, segments):
                yield place, []

    def _is_plugin(self, folder: str) -> bool:
        if folder not in self.plugins:
            self.plugins[folder] = any(exists(f"{folder}/{manifest}") for manifest in MANIFESTS)
        return self.plugins[folder]


def _place(role: Role, pattern: str, of_others: TellingNames) -> _Place:
    """`of_others`: the names that show that a file is another harness's, for which a plugin may be made as well."""
    rest = pattern.removeprefix(PLUGIN)
    in_plugin = rest != pattern
    glob = Glob(rest, anywhere=True)
    literal = [segment for segment in rest.split("/")[:-1] if SPECIAL.isdisjoint(segment)]
    is_plain = glob.pattern.rpartition("/")[2] not in glob.literals
    name = _unless_telling(glob, of_others) if in_plugin and is_plain else glob.name
    return _Place(role, glob, name, literal[0] if literal else "", in_plugin)


def _is_pattern(segment: str) -> bool:
    """Is it neither a literal name nor a pattern for any name?"""
    return bool(segment.strip("*")) and not SPECIAL.isdisjoint(segment)


def _up(folder: str, levels: int) -> str:
    for _ in range(levels):
        folder = os.path.dirname(folder)
    return folder


def _unless_telling(glob: Glob, names: TellingNames) -> Test:
    return lambda name: glob.name(name) and not names.include(name)


def _is_not_guide(name: str) -> bool:
    return not is_guide(name)


def _unless_guide(glob: Glob) -> Test:
    """`agents/*.md` does not match `agents/README.md`, unless the glob spells that name out."""
    if glob.pattern.rpartition("/")[2] in glob.literals:
        return glob.name
    return lambda name: glob.name(name) and not is_guide(name)
