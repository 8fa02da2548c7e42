"""Features of a file that some rules are about; the verdicts on its tool entries are traits as well."""

from __future__ import annotations

from fsagent_lint.agent.copy_marker import COPY_MARK
from fsagent_lint.agent.fences import early_end, lost_key
from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.effect.fields import is_empty
from fsagent_lint.harnesses.notation import NO_NOTATION


class Trait:
    TOOLS = "has tool keys"
    # What its tool keys are for: the roles that tables give them.
    ALLOWS = "allow"
    DENIES = "deny"
    SWITCHES = "switch"
    PERMITS = "permission"
    MISPLACED = "has keys that only look like tool keys"
    SCOPE = "has an entry with a scope"
    GOAL = "is to be written for another harness or in another format"
    # The problems that a source can have.
    MISSING = "missing"
    UNCLOSED = "unclosed"
    NOT_UTF8 = "not-utf8"
    TOO_LARGE = "too-large"
    FENCE = "has more on its first line, or ends before its author does"
    UNREAD = "is not valid, or nothing is read from it"
    REPEATED = "has a key twice"
    UNKNOWN = "has a field that its table does not know"
    LACKING = "has no value for a field that needs one"
    HOOKS = "may hold hooks in a call"
    SPECIAL = "has a field that is deprecated, holds hooks, grants tools, needs another or names agents or skills"
    IN_PLUGIN = "has a field that is ignored in plugins"
    REFERENCES = "may mention tools in its prompt"
    PROMPT = "its prompt has a limit, or placeholders that must be known"
    PLACEHOLDERS = "its prompt may have placeholders for arguments or commands"
    IDENTITY = "has a field that must be the name of its file or folder"
    COPY = "says that it is a copy of another file, or may be a copy or the source of one"


def find_traits(subject: Subject) -> frozenset[str]:
    """All traits, found quickly: this runs for every file, so that most rules need not."""
    if subject.sort is Sort.UNCLEAR:
        return frozenset()
    found = {each.verdict for each in subject.items}
    if subject.values:
        found.add(Trait.TOOLS)
        found.update(subject.kind.keys[value.key].role for value in subject.values)
        if any(each.item.scope is not None for each in subject.items):
            found.add(Trait.SCOPE)
    if subject.misplaced:
        found.add(Trait.MISPLACED)
    if subject.goal.target is not None or subject.form != "auto":
        found.add(Trait.GOAL)
    if subject.sort is Sort.CALL:
        found.add(Trait.HOOKS)
    _add_flaws(subject, found)
    _add_fields(subject, found)
    _add_prompt(subject, found)
    return frozenset(found)


def _add_flaws(subject: Subject, found: set[str]) -> None:
    document, source = subject.document, subject.document.source
    if source.problem is not None:
        found.add(source.problem)
    if source.opening or early_end(subject) is not None or lost_key(subject) is not None:
        found.add(Trait.FENCE)
    if document.error is not None or not subject.effect.data:
        found.add(Trait.UNREAD)
    if next(document.duplicates(), None) is not None:
        found.add(Trait.REPEATED)
    if COPY_MARK in source.text or subject.context.copies is not None:
        found.add(Trait.COPY)


def _add_fields(subject: Subject, found: set[str]) -> None:
    names, kind = subject.document.by_name, subject.kind
    if not names.keys() <= kind.known_fields:
        found.add(Trait.UNKNOWN)
    if not kind.special_fields.isdisjoint(names):
        found.add(Trait.SPECIAL)
    if kind.ignored_in_plugins and not names.keys().isdisjoint(kind.ignored_in_plugins):
        found.add(Trait.IN_PLUGIN)
    if kind.required_key and kind.required_key not in names:
        found.add(Trait.LACKING)
    for key, field in kind.required.items():
        entry = names.get(key)
        if entry is None or is_empty(entry.value, field):
            found.add(Trait.LACKING)
    if kind.identity_fields:
        found.add(Trait.IDENTITY)


def _add_prompt(subject: Subject, found: set[str]) -> None:
    kind = subject.kind
    if subject.harness.reference or kind.shared_with:
        found.add(Trait.REFERENCES)
    if kind.checks_prompt:
        found.add(Trait.PROMPT)
    if _may_have_placeholders(subject):
        found.add(Trait.PLACEHOLDERS)


def _may_have_placeholders(subject: Subject) -> bool:
    data = subject.document.source.data
    if subject.kind.notation is NO_NOTATION:
        return subject.kind_name == "agent" and b"$ARGUMENTS" in data
    return b"$" in data or b"!`" in data
