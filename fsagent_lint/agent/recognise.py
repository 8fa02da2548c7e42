"""Which harness a file belongs to, from its content: for files outside every harness's folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.tool_values import read_tool_value
from fsagent_lint.errors import UserError
from fsagent_lint.files.globs import SPECIAL, Glob
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.nodes import Entry, List, Map
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.formats import fits
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import MARKDOWN, Field, Key
from fsagent_lint.harnesses.mcp import parse_mcp
from fsagent_lint.suggest import ascii_lower

if TYPE_CHECKING:
    from fsagent_lint.harnesses.kind import Role

COMMON = frozenset(("name", "description"))
PLAIN = f"*{MARKDOWN}"


class _Candidate(NamedTuple):
    harness: Harness
    kind: str
    endings: tuple[Glob, ...]
    """File names, in lower case, that determine the kind on their own, such as `skill.md` and `*.agent.md`."""
    names: tuple[Glob, ...]
    """Those of them that this harness is assumed for."""
    is_plain: bool
    """Any file name is allowed."""
    folders: frozenset[str]
    """What the harness calls the folder of such files, such as `agents` or `commands`."""
    homes: frozenset[str]
    """The hidden folders in which these folders lie."""


def recognise(document: Document, path: str, harnesses: Sequence[Harness]) -> tuple[str, str] | None:
    """The harness and kind that a file fits best, on a tie the earlier harness; None if it is not an agent at all."""
    return _recognise(document, path, tuple(harnesses))[0]


def _recognise(document: Document, path: str, harnesses: tuple[Harness, ...]) -> tuple[tuple[str, str] | None, bool]:
    """The harness and kind, and whether another harness could be meant as well."""
    *folders, name = path.split("/")
    every = _candidates(harnesses)
    candidates = _of_name(ascii_lower(name), folders, every)
    is_determined = bool(candidates)
    if not is_determined and _looks_like_agent(document, harnesses):
        plain = [candidate for candidate in every if candidate.is_plain]
        candidates = _in_folder(folders, plain)
        is_determined = len(candidates) < len(plain)
    scores = [_score(document, candidate) + _folder_bonus(folders, candidate) for candidate in candidates]
    if not scores or (max(scores) <= 0 and not is_determined):
        return None, True
    top = max(scores)
    best = candidates[scores.index(top)]
    # Outside the folders of harnesses nobody knows how strictly a standard will be followed.
    is_named = not best.harness.standard and any(glob.name(ascii_lower(name)) for glob in best.names)
    # Dialects of one harness fit equally well, and a finding holds for each of them.
    rival = max((score for score in scores if score < top), default=0.0)
    is_clear = top >= _SURE and top - rival > _MARGIN and _knows_most_tools(document, best)
    return (best.harness.id, best.kind), not (is_named or is_clear)


_SURE, _MARGIN = 3, 1
"""The score that a file needs to be some harness's without doubt, and the distance to the next harness."""


@cache
def _candidates(harnesses: tuple[Harness, ...]) -> list[_Candidate]:
    """The kinds that have a folder of their own; other kinds come only from the config or the command line."""
    found = []
    for harness in harnesses:
        for kind, facts in harness.kinds.items():
            split = [glob.split("/") for glob in facts.globs if glob.endswith(MARKDOWN)]
            last = dict.fromkeys((*facts.names, *(segments[-1] for segments in split)))
            literal = [[segment for segment in segments[:-1] if SPECIAL.isdisjoint(segment)] for segments in split]
            endings = tuple(Glob(ascii_lower(name)) for name in last if name != PLAIN)
            names = tuple(Glob(ascii_lower(name)) for name in facts.names)
            folders = frozenset(segments[-1] for segments in literal if segments)
            homes = frozenset(segments[0] for segments in literal if segments and segments[0].startswith("."))
            if last:
                found.append(_Candidate(harness, kind, endings, names, PLAIN in last, folders, homes))
    return found


def agent_folders(harnesses: Sequence[Harness]) -> frozenset[str]:
    """The names of folders whose markdown files are agents or commands."""
    plain = [candidate for candidate in _candidates(tuple(harnesses)) if candidate.is_plain]
    common = [candidate for candidate in plain if candidate.kind in ("agent", "command")]
    return frozenset(folder for candidate in common for folder in candidate.folders if not folder.startswith("."))


def _of_name(name: str, folders: Sequence[str], candidates: list[_Candidate]) -> list[_Candidate]:
    """Those that a file name determines; in a folder of a harness only its own, elsewhere the usual ones first."""
    fitting = [
        candidate
        for candidate in candidates
        if candidate.endings and any(glob.name(name) for glob in candidate.endings)
    ]
    own = [candidate for candidate in fitting if not candidate.homes.isdisjoint(folders)]
    return own or sorted(fitting, key=lambda candidate: not any(glob.name(name) for glob in candidate.names))


def _in_folder(folders: Sequence[str], candidates: list[_Candidate]) -> list[_Candidate]:
    """The nearest folder whose name some harness uses determines the kind."""
    for folder in reversed(folders):
        fitting = [candidate for candidate in candidates if folder in candidate.folders]
        if fitting:
            kinds = {candidate.kind for candidate in fitting}
            return [candidate for candidate in candidates if candidate.kind in kinds]
    return candidates


def _folder_bonus(folders: Sequence[str], candidate: _Candidate) -> float:
    """Of harnesses that the content fits equally well, one that has a folder of this name: `command`, not `commands`."""
    return 0 if candidate.folders.isdisjoint(folders) else 0.5


def _looks_like_agent(document: Document, harnesses: tuple[Harness, ...]) -> bool:
    names = {entry.name for entry in document.entries if entry.name is not None}
    if names.isdisjoint(COMMON):
        return False
    if not names.isdisjoint(_clues(harnesses)):
        return True
    source = document.source
    return names >= COMMON and bool(source.data[source.body :].strip())


@cache
def _clues(harnesses: tuple[Harness, ...]) -> frozenset[str]:
    """Keys that agents have and other files rarely do."""
    facts = [candidate.harness.kinds[candidate.kind] for candidate in _candidates(harnesses)]
    return frozenset(name for each in facts for name in (*each.keys, *each.fields)) - COMMON


def _score(document: Document, candidate: _Candidate) -> float:
    harness = candidate.harness
    facts = harness.kinds[candidate.kind]
    total = 0.0
    present = set()
    for entry in document.entries:
        name = entry.name or ""
        present.add(name)
        if name in facts.keys:
            total += _score_key(entry, facts.keys[name], harness, document.source.text)
        elif name in facts.fields:
            total += _score_field(entry, facts.fields[name])
        elif document.error is None:  # parts of a broken description may look like keys
            total -= 1
    missing = [name for name in facts.required if name not in present]
    return total - 2 * len(missing)


def _knows_most_tools(document: Document, candidate: _Candidate) -> bool:
    keys, text = candidate.harness.kinds[candidate.kind].keys, document.source.text
    values = (read_tool_value(entry, text, keys[entry.name]) for entry in document.entries if entry.name in keys)
    known = [_familiarity(item.name, candidate.harness) == 1 for value in values for item in value.items]
    return 2 * sum(known) >= len(known)


def _score_key(entry: Entry, key: Key, harness: Harness, text: str) -> float:
    """By the shape first, in which harnesses differ most, then by how many of the names the harness knows."""
    value = read_tool_value(entry, text, key)
    total = 0.0
    if value.shape in key.forms:
        total += 3 if value.shape == key.forms[0] else 1.5
    elif value.shape != "null":
        total -= 3
    if value.items:
        share = sum(_familiarity(item.name, harness) for item in value.items) / len(value.items)
        total += 4 if share == 1 else 4 * share - 1
    return total


@lru_cache(maxsize=4096)
def _familiarity(name: str, harness: Harness) -> float:
    """A name in another letter case counts half, even if the harness accepts it."""
    if name in harness.tools or name in harness.names or name in harness.everything:
        return 1
    if parse_mcp(name, harness) is not None:
        return 1
    return 0.5 if ascii_lower(name) in harness.spelling else 0


def _score_field(entry: Entry, field: Field) -> float:
    if all(_fits(entry, field)):
        return 1
    return -3 if field.wrong == "refused" else -1


def _fits(entry: Entry, field: Field) -> Iterator[bool]:
    value = entry.value
    shape = "list" if isinstance(value, List) else "map" if isinstance(value, Map) else "scalar"
    scalars = set(field.type) - {"list", "map"}
    yield "any" in field.type or shape in field.type or (shape == "scalar" and bool(scalars))
    if (field.values or field.format) and not isinstance(value, (List, Map)):
        yield value.value in field.values or bool(field.format and fits(value.value, field.format))


def _is_strange(path: str, harnesses: Sequence[Harness]) -> bool:
    """Does it lie in the hidden folder of a program that is in no table?"""
    folders = path.split("/")[:-1]
    homes = (candidate.homes for candidate in _candidates(tuple(harnesses)))
    return any(folder.startswith(".") for folder in folders) and all(each.isdisjoint(folders) for each in homes)


class Guess(NamedTuple):
    role: Role | None
    """Harness and kind; None if it is not an agent."""
    assumed: bool = False
    """Nobody but the content says so."""
    unsure: bool = False
    """The content fits another harness nearly as well."""


class Guesser:
    """`harness`: the harness that the user sets for files whose path does not determine it."""

    def __init__(self, harnesses: Sequence[Harness], harness: str | None) -> None:
        self.harnesses = harnesses
        self.requested = next((each for each in harnesses if each.id == harness), None)
        if harness is not None and self.requested is None:
            known = ", ".join(each.id for each in harnesses)
            raise UserError(f"unknown harness {harness!r} (known: {known})")

    def guess(self, data: bytes, path: str, *, named: bool) -> Guess:
        """`path` is relative to the project; `named`: the user named this file itself."""
        document = Document(Source(path, data))
        standards = tuple(harness for harness in self.harnesses if harness.standard)
        role, unsure = None, True
        if _is_strange(path, self.harnesses):  # how strictly that program follows a standard is not known
            role = _recognise(document, path, standards)[0]
        if role is None:
            role, unsure = _recognise(document, path, tuple(self.harnesses))
        if self.requested is None:
            return Guess(role, True, unsure)
        if role is None and not named:
            return Guess(None)
        own = recognise(document, path, (self.requested,)) or role
        kind = own[1] if own and own[1] in self.requested.kinds else self.requested.main_kind
        return Guess((self.requested.id, kind))
