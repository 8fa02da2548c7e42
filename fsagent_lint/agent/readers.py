"""The harnesses that read a place: a folder of one harness is often read by others too."""

from __future__ import annotations

from functools import lru_cache

from fsagent_lint._fast import NamedTuple
from fsagent_lint.effect.effect import Effect, effect
from fsagent_lint.files.globs import Glob, match
from fsagent_lint.files.paths import absolute, to_posix
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.tables import Tables, active_tables, all_harnesses, get_harness


class Reader(NamedTuple):
    """A harness that loads the files of a place."""

    harness: Harness
    kind: Kind
    owner: str
    """The harness that the place belongs to; empty if it is this one."""

    def effect(self, document: Document) -> Effect:
        return effect(document, self.harness, self.kind, self.owner)


def readers_of(path: str) -> tuple[Reader, ...]:
    """The harnesses that load a file at this path, the owner of the folder first."""
    folder, _, name = to_posix(absolute(path)).lstrip("/").rpartition("/")
    return next((readers for glob, readers in _readers_in(folder, active_tables()) if glob.name(name)), ())


@lru_cache(maxsize=64)
def _readers_in(folder: str, tables: Tables) -> list[tuple[Glob, tuple[Reader, ...]]]:
    segments = folder.split("/") if folder else []
    return [(glob, readers) for glob, readers in _places(tables) if match(glob.parents, segments)]


@lru_cache(maxsize=8)
def _places(tables: Tables) -> list[tuple[Glob, tuple[Reader, ...]]]:  # noqa: ARG001 - other tables, other readers
    return [
        place
        for harness in all_harnesses()
        for kind_name, kind in harness.kinds.items()
        for glob in kind.all_globs
        for place in _places_of(glob, readers_of_kind(harness, kind_name))
    ]


def _places_of(glob: str, readers: tuple[Reader, ...]) -> list[tuple[Glob, tuple[Reader, ...]]]:
    """The folder itself, and those below it, which not every harness looks into."""
    places = [(Glob(glob, anywhere=True), tuple(each for each in readers if not each.kind.only_top))]
    if len(places[0][1]) < len(readers):
        places.insert(0, (Glob(glob.replace("/**/", "/"), anywhere=True), readers))
    return places


def readers_of_kind(owner: Harness, kind_name: str) -> tuple[Reader, ...]:
    """The harnesses that load the files of a kind, its owner first."""
    kind = owner.kinds[kind_name]
    others = map(get_harness, dict.fromkeys((*kind.shared_with, *kind.read_by)))
    found = (Reader(other, other.kinds[kind_name], owner.id) for other in others if kind_name in other.kinds)
    return (Reader(owner, kind, ""), *found)


def has_tools(effect: Effect, harness: Harness) -> bool:
    """Does a running agent have any tool that not every agent has?"""
    return effect.open or any(harness.tools[native].presence != "always" for native in effect.natives)
