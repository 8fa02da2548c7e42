"""Every tool entry of a file with a verdict: is it a tool here, and if not, what is wrong with it?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Protocol, TypeVar

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.tool_values import WITH_ACTIONS, ToolItem, ToolValue
from fsagent_lint.harnesses.gates import gate_of, matches_wildcard
from fsagent_lint.harnesses.harness import Harness, Name
from fsagent_lint.harnesses.kind import Key, Kind
from fsagent_lint.harnesses.tables import Tables
from fsagent_lint.harnesses.vocabulary import Meaning
from fsagent_lint.model.policy import Action
from fsagent_lint.model.tool import Tool
from fsagent_lint.suggest import ascii_lower


class Verdict:
    KNOWN = "known"
    EVERYTHING = "everything"
    RENAMED = "renamed"
    REMOVED = "removed"
    WITHHELD = "withheld"
    INNER = "inner"
    WRONG_CASE = "wrong-case"
    FOREIGN = "foreign"
    MCP = "mcp"
    FOREIGN_MCP = "foreign-mcp"
    LOOKALIKE = "lookalike"
    UNKNOWN = "unknown"
    UNKNOWABLE = "unknowable"
    """A name that an MCP server, an extension or a custom tool may have; the file does not say."""


class ClassifiedItem(NamedTuple):
    """A tool entry with the verdict on it in its harness."""

    value: ToolValue
    item: ToolItem
    role: str
    verdict: str
    meaning: Meaning
    name: Name | None
    """What the table says about the name, if it knows it."""

    @property
    def action(self) -> Action | None:
        """allow, ask or deny: from a map's value, or from the role of the key."""
        if self.value.shape in WITH_ACTIONS:
            return self.item.action
        return Action.DENY if self.role == "deny" else Action.ALLOW


class Vocabulary(Protocol):
    """The parts of a file that determine what a name in it means."""

    @property
    def harness(self) -> Harness: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def shared_harnesses(self) -> tuple[Harness, ...]: ...
    @property
    def values(self) -> tuple[ToolValue, ...]: ...
    @property
    def known_custom(self) -> Mapping[str, Tool]: ...
    def meaning(self, name: str) -> Meaning: ...
    @property
    def names(self) -> KnownNames: ...


def classify_items(subject: Vocabulary) -> Iterator[ClassifiedItem]:
    for value in subject.values:
        key = subject.kind.keys[value.key]
        known = subject.names.facts.setdefault(key, {})
        for item in value.items:
            facts = known.get(item.name)
            if facts is None:
                facts = _facts(subject, item.name, key)
                if facts[2] is not None and not _is_also(item.name, key):
                    subject.names.keep(known, item.name, facts)
            yield ClassifiedItem(value, item, key.role, *facts)


NameFacts = tuple[str, Meaning, Name | None]
"""The verdict on a name, what it means, and what the table says about it."""
_MAX_KNOWN = 2000
_V = TypeVar("_V")


class KnownNames:
    """A cache of facts about names that are the same in every project; filled as names are met."""

    def __init__(self) -> None:
        self.meanings: dict[str, Meaning] = {}
        self.facts: dict[Key, dict[str, NameFacts]] = {}

    @staticmethod
    def keep(known: dict[str, _V], name: str, value: _V) -> None:
        if len(known) < _MAX_KNOWN:
            known[name] = value


@lru_cache(maxsize=64)
def known_names(
    harness: Harness,  # noqa: ARG001
    shared: tuple[Harness, ...],  # noqa: ARG001
    servers: frozenset[str],  # noqa: ARG001
    tables: Tables,  # noqa: ARG001
) -> KnownNames:
    """The cache for all that the meaning of a name depends on."""
    return KnownNames()


def _facts(subject: Vocabulary, name: str, key: Key) -> NameFacts:
    meaning = subject.meaning(name)
    known = subject.harness.lookup(name)
    if _is_also(name, key) and (known is None or known.status == "renamed"):
        known = Name(gives=known.gives if known is not None else ())
    for other in subject.shared_harnesses:
        shared = other.lookup(name)
        if shared is not None and (known is None or shared.status == "renamed"):
            # A name that is outdated there is outdated here: the file is for both harnesses.
            known, meaning = shared, meaning._replace(harness=other.id)
    if name in subject.harness.everything:
        return Verdict.EVERYTHING if key.everything else Verdict.UNKNOWN, meaning, known
    return _verdict(subject, name, key.role, meaning, known), meaning, known


def _is_also(name: str, key: Key) -> bool:
    """Is it a name that the key understands besides those of the table, or a pattern for one?"""
    return name in key.also or (
        bool(key.also)
        and "*" in name
        and name.strip("*") != ""
        and any(matches_wildcard(name, each) for each in key.also)
    )


def _verdict(subject: Vocabulary, name: str, role: str, meaning: Meaning, known: Name | None) -> str:
    harness = subject.harness
    if not name.isascii() and plain_spelling(name, harness):
        return Verdict.LOOKALIKE
    if known is not None:
        return Verdict.KNOWN if known.status == "current" else known.status
    if meaning.how == "mcp":
        is_every = name == harness.mcp.every and harness.mcp.every_denies and role != "deny"
        return Verdict.UNKNOWN if is_every and name not in subject.known_custom else Verdict.MCP
    if name in subject.known_custom:
        return Verdict.KNOWN
    if meaning.how == "custom":
        return Verdict.UNKNOWABLE
    if meaning.how == "case":
        return Verdict.WRONG_CASE
    if meaning.how in ("foreign", "foreign-mcp"):
        return Verdict.FOREIGN if meaning.how == "foreign" else Verdict.FOREIGN_MCP
    if "*" in name and not harness.only_names and switched(harness, name):
        return Verdict.KNOWN
    return Verdict.UNKNOWABLE if _is_unknowable(name, harness) else Verdict.UNKNOWN


def _is_unknowable(name: str, harness: Harness) -> bool:
    return harness.open_names and "," not in name


@lru_cache(maxsize=1024)
def switched(harness: Harness, gate: str) -> tuple[str, ...]:
    """The native tools that a gate switches; it may contain wildcards."""
    return tuple(name for name, tool in harness.tools.items() if matches_wildcard(gate, gate_of(name, tool)))


def plain_spelling(name: str, harness: Harness) -> str | None:
    """The tool that a name looks like to people, once look-alike and invisible characters are normalised."""
    from fsagent_lint.harnesses.vocabulary import skeleton

    return harness.spelling.get(ascii_lower(skeleton(name)))
