"""Which harnesses read a file from where it lies, and what each of them does with it."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from fsagent_lint.effect.effect import Effect, effect
from fsagent_lint.effect.outcome import Refusal
from fsagent_lint.effect.semantics import granted_tools
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.tables import all_harnesses, get_harness
from fsagent_lint.model.tool import Tool
from fsagent_lint.project.places import UNCLEAR, Places
from fsagent_lint.project.settings import Settings

PROJECT = "/project"


class Reader(NamedTuple):
    """A harness that reads a file as one of its own kinds."""

    harness: Harness
    kind_name: str
    owner: str = ""
    """The harness whose folder it is, if that is another one."""

    @property
    def kind(self) -> Kind:
        return self.harness.kinds[self.kind_name]

    def effect(self, document: Document) -> Effect:
        return effect(document, self.harness, self.kind, owner=self.owner)

    def effect_of_tools(self, document: Document) -> Effect:
        """The same, as if nothing but its tool keys could keep the file from loading."""
        return as_if_loaded(self.effect(document), self.harness, self.kind)


def as_if_loaded(found: Effect, harness: Harness, kind: Kind) -> Effect:
    """What a file would have if its other fields did not keep it from loading."""
    outcome = granted_tools(found.data, harness, kind, "") if found.data and not found.loads else None
    if outcome is None or isinstance(outcome, Refusal):
        return found
    return Effect(True, "", "", outcome.tools, outcome.ask, outcome.conditional, outcome.denied, outcome.open)


def readers(path: str, target: str, kind_name: str) -> tuple[Reader, ...]:
    """Everyone who reads a file at this path, and before them the harness that it is written for.

    A path is one of a project, or absolute: whether a folder is a plugin can be seen only there.
    """
    role = _places().find(path if path.startswith("/") else f"{PROJECT}/{path}")
    if role is None or role == UNCLEAR:
        return (_reader(target, kind_name, target),)
    owner, kind = role
    facts = get_harness(owner).kinds[kind]
    others = (id for id in (owner, *facts.shared_with, *facts.read_by) if id != target)
    found = [_reader(id, kind, owner) for id in dict.fromkeys(others) if kind in get_harness(id).kinds]
    return (_reader(target, kind_name, owner), *found)


def _reader(id: str, kind: str, owner: str) -> Reader:
    return Reader(get_harness(id), kind, owner if owner != id else "")


@cache
def _places() -> Places:
    return Places(Settings(folder=PROJECT), all_harnesses())


def removable(natives: tuple[str, ...], harness: Harness) -> tuple[str, ...]:
    """The native tools that a file could do without: those that every agent always has say nothing about it."""
    return tuple(name for name in natives if name in harness.tools and harness.tools[name].presence != "always")


def certain(found: Effect) -> tuple[str, ...]:
    """The native tools of a running agent that do not depend on anything outside the file."""
    return (*found.tools, *found.ask) if found.loads else ()


def natives(found: Effect) -> tuple[str, ...]:
    """The native tools of a running agent, also those that depend on a condition outside the file."""
    return (*found.tools, *found.ask, *found.conditional) if found.loads else ()


def canonical(names: tuple[str, ...], harness: Harness) -> frozenset[Tool]:
    """What native tools are in canonical names."""
    return frozenset(tool for name in names if name in harness.tools for tool in harness.tools[name].granted)
