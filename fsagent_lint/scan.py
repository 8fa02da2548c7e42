"""From paths on the command line to the files to judge, each with its harness and kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fsagent_lint._fast import NamedTuple
from fsagent_lint.content import Guesser
from fsagent_lint.files.paths import absolute
from fsagent_lint.harnesses.kind import Role
from fsagent_lint.model.result import Problem
from fsagent_lint.project.excludes import Excluded
from fsagent_lint.project.find import Finder
from fsagent_lint.project.list_files import Listing
from fsagent_lint.project.places import UNCLEAR, Places, named_files
from fsagent_lint.project.target import Target, choose

if TYPE_CHECKING:
    from fsagent_lint.harnesses.harness import Harness
    from fsagent_lint.project.settings import Settings

__all__ = ["Scan", "Target", "classify", "find", "is_excluded"]


class Scan(NamedTuple):
    targets: list[Target]
    errors: list[Problem]
    skipped: list[str]
    """Files that were named but are nobody's agents."""


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
    """The files to judge below some paths, or in the current project; UserError for what cannot be done at all.

    `harness` is what files are whose place does not tell; `changed` and `since` leave out what has not changed; `python`: agents in Python modules count too.
    """
    guesser, listing = Guesser(harnesses, harness), Listing(changed, since, named_files(harnesses))
    finder = Finder(settings, harnesses, guesser, listing, python=python)
    for path in dict.fromkeys(paths):
        finder.add(path)
    if not paths:
        finder.add_project()
    targets, conflicts = choose(finder.candidates, harnesses)
    return Scan(targets, [*dict.fromkeys(finder.errors), *conflicts], sorted(set(finder.skipped)))


def classify(path: str, settings: Settings, harnesses: Sequence[Harness]) -> Role | None:
    """Harness and kind of a path that need not exist, from where it lies; None where that does not tell."""
    role = Places(settings, harnesses).find(absolute(path))
    return role if role != UNCLEAR else None


def is_excluded(path: str, settings: Settings) -> bool:
    return Excluded(settings).covers(absolute(path))
