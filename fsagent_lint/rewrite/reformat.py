"""The tools of a file in another form for its own harness: the same entries, and the same effect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsagent_lint.agent.readers import Reader, readers_of_kind
from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.agent.tool_values import WITH_ACTIONS, ToolItem, ToolValue
from fsagent_lint.agent.widening import bounds_of, gained, wider
from fsagent_lint.effect.effect import Effect
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.model.policy import Action
from fsagent_lint.rewrite.convert_tools import NO_CONVERSION, Conversion
from fsagent_lint.rewrite.entries import RenderedEntry, Wanted
from fsagent_lint.rewrite.render import Rendered, render
from fsagent_lint.rewrite.rewrite import obstacle, rewrite
from fsagent_lint.suggest import ascii_lower

NATIVE = "native"


def reformat(subject: Subject, form: str) -> Conversion:
    """Each tool key in another form; nothing, where the harness has no such form or would not do the same."""
    values = [value for value in subject.values if value.shape != "null"]
    if subject.document.error is not None or obstacle(subject, values):
        return NO_CONVERSION
    for pairs in _attempts(subject, values, form):
        edits = _edits(subject, pairs, form)
        if edits and _holds(subject, edits, is_list=form == "list"):
            keys = {value.key for value, _, _ in pairs} | {rendered.key for _, rendered, _ in pairs if rendered.key}
            return Conversion(edits, (), frozenset(keys))
    return NO_CONVERSION


Pair = tuple[ToolValue, Rendered, str]
"""A value, what to write instead, and in which form."""


def _attempts(subject: Subject, values: Sequence[ToolValue], form: str) -> Iterator[list[Pair]]:
    """Ways to write the values, the best first."""
    if form == NATIVE and len(values) == 1:
        value, kind = values[0], subject.kind
        rendered = render(Wanted(bounds_of(subject)), subject.harness, kind, is_own=True)
        written = {entry.name for entry in rendered.entries}
        if rendered.key == value.key and written.issuperset(_names_to_keep(subject, value)):
            yield [(value, rendered, kind.keys[value.key].forms[0])]
    yield [pair for value in values if (pair := _pair(subject, value, form)) is not None]


def _pair(subject: Subject, value: ToolValue, form: str) -> Pair | None:
    """What to write for a value, entry by entry; None if it stays as it is."""
    kind = subject.kind
    key = _key_for(subject, value, form)
    if not key:
        return None
    written_as = kind.keys[key].forms[0] if form == NATIVE else form
    if written_as == value.shape and form != NATIVE:
        return None
    entries = tuple(_entries(subject, value, written_as, form))
    role = kind.keys[key].role
    return value, Rendered(key, role, entries, (), kind.keys[key].option if role == "allow" else ""), written_as


def _key_for(subject: Subject, value: ToolValue, form: str) -> str:
    """The key to write a value under: its own, or the one that another form of the same rules belongs to."""
    keys, own = subject.kind.keys, subject.kind.keys[value.key]
    # Beside a key that the harness does not read, the author may have meant another one to count.
    free = {name for name in keys if subject.document.get(name) is None and not subject.misplaced}
    if form == NATIVE:
        return own.instead if own.instead in free and value.shape == "map" else value.key
    if form in own.forms:
        return value.key
    switches = own.role in ("switch", "permission")
    return next((name for name, key in keys.items() if switches and form in key.forms and name in free), "")


def _names_to_keep(subject: Subject, value: ToolValue) -> set[str]:
    """Names that are not the harness's own: tools of servers, and names of another harness that reads the file."""
    return {item.name for item in value.items if not _is_own_name(item.name, subject)}


def _is_own_name(name: str, subject: Subject) -> bool:
    return ascii_lower(name) in subject.harness.spelling


def _entries(subject: Subject, value: ToolValue, written_as: str, form: str) -> Iterator[RenderedEntry]:
    """The entries of a value, in the author's order; a list has only those that are on."""
    own = subject.kind.keys[value.key]
    by_name: dict[str, list[ToolItem]] = {}
    for item in value.items:
        by_name.setdefault(item.name, []).append(item)
    written: set[str] = set()
    for name, items in by_name.items():
        tools = subject.meaning(name).tools
        spelling = _usual_name(name, subject.harness) if form == NATIVE and _is_own_name(name, subject) else name
        spelling = own.gates.get(spelling, spelling) if written_as == "permission" else spelling
        if spelling in written and written_as in WITH_ACTIONS:
            continue  # if the entries contradict each other, the effect tells
        written.add(spelling)
        actions = [item.action or (Action.DENY if own.role == "deny" else Action.ALLOW) for item in items]
        if written_as in WITH_ACTIONS:
            scoped = any(item.scope is not None for item in items)
            patterns = tuple((item.scope or "*", action) for item, action in zip(items, actions, strict=True))
            yield RenderedEntry(spelling, actions[0], patterns if scoped else (), tools, name)
        elif value.shape not in WITH_ACTIONS or Action.DENY not in actions:
            scopes = dict.fromkeys(f"({item.scope})" if item.scope is not None else "" for item in items)
            yield from (RenderedEntry(spelling + scope, actions[0], (), tools, name) for scope in scopes)


def _usual_name(name: str, harness: Harness) -> str:
    """The name that people write for exactly the same native tools."""
    natives = {*harness.natives(name)}
    usual = (each for names in harness.write.values() for each in names)
    same = [each for each in (*usual, *harness.tools) if natives and {*harness.natives(each)} == natives]
    return name if name in same or not same else same[0]


def _edits(subject: Subject, pairs: Sequence[Pair], form: str) -> tuple[Edit, ...]:
    found: list[Edit] = []
    for value, rendered, written_as in pairs:
        edits = rewrite(subject, [value], rendered, written_as, subject, native=form == NATIVE)
        if edits is None:
            return ()
        found += edits
    return tuple(found)


def _holds(subject: Subject, edits: Sequence[Edit], *, is_list: bool) -> bool:
    """Does the harness do the same? A list of what a map has on may grant what the map was meant to grant."""
    document = subject.document.edited(edits)
    there = subject.like(subject.harness, document=document)
    before, after = subject.effect, there.effect
    if gained(subject, there):
        return False
    if _outcome(before) == _outcome(after):
        return all(_reads_alike(reader, subject, document) for reader in _other_readers(subject))
    was_map = any(value.shape == "map" for value in subject.values)
    return is_list and was_map and after.loads and not wider(after, subject.harness, bounds_of(subject))


def _other_readers(subject: Subject) -> Sequence[Reader]:
    return readers_of_kind(subject.harness, subject.kind_name)[1:] if subject.sort is Sort.MARKDOWN else ()


def _reads_alike(reader: Reader, subject: Subject, document: Document) -> bool:
    """Does another reader of the place grant at least what it did, and nothing that was not meant?"""
    before, after = reader.effect(subject.document), reader.effect(document)
    had, has = ({*effect.tools, *effect.ask, *effect.conditional} for effect in (before, after))
    if before.loads and not (after.loads and had <= has):
        return False
    return had == has or not set(wider(after, reader.harness, bounds_of(subject))) - had


def _outcome(effect: Effect) -> tuple[object, ...]:
    return effect.loads, effect.tools, effect.ask, effect.conditional, effect.open, effect.custom
