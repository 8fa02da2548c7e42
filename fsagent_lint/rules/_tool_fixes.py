"""The words for what happens to a tool entry, and the fixes that correct it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.tool_values import ToolItem
from fsagent_lint.agent.verdicts import ClassifiedItem, Verdict
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.frontmatter.remove_entries import ByIdentity
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.harnesses.vocabulary import native_names
from fsagent_lint.model.finding import Consequence, Fix, Safety
from fsagent_lint.model.policy import Action
from fsagent_lint.model.tool import HARMFUL


def consequence_of_drop(subject: Subject, entry: ClassifiedItem, *, covered: bool = False) -> Consequence:
    """The consequence of an entry that the harness does not read as the intended tool.

    `covered`: other entries list everything that could be written for it.
    """
    if _refuses(subject, entry):
        return Consequence.REFUSED
    gone = entry.verdict == Verdict.REMOVED and _is_harmless(entry)
    if entry.role == "approve":
        return Consequence.STYLE if gone or covered or _is_approved(subject, entry) else Consequence.IGNORED
    granted = [tool in subject.granted for tool in entry.meaning.tools]
    if entry.action is Action.DENY:
        granted += [subject.effect.open for tool in entry.meaning.tools if tool.server is not None]
        return Consequence.STYLE if gone or not any(granted or [True]) else Consequence.WIDENED
    if entry.action is Action.ALLOW and subject.effect.open:
        granted = [tool in subject.granted or tool.server is not None for tool in entry.meaning.tools]
    if covered or (granted and all(granted)):
        return Consequence.STYLE  # another entry grants the same tools
    if gone and entry.name is not None and not entry.name.use and subject.granted:
        return Consequence.STYLE  # nothing can be written instead
    if entry.role in ("switch", "permission") and subject.effect.open:
        return Consequence.IGNORED
    return Consequence.NARROWED


def _is_harmless(entry: ClassifiedItem) -> bool:
    return not any(tool.risk in HARMFUL or tool.risk is None for tool in entry.meaning.tools)


def _is_approved(subject: Subject, entry: ClassifiedItem) -> bool:
    """Do other entries approve the same tools?"""
    names = native_names(entry.meaning.tools, subject.harness)
    return bool(names) and not missing_names(subject, entry, names)


def _refuses(subject: Subject, entry: ClassifiedItem) -> bool:
    """Does the harness refuse the file because of the entry?"""
    key = subject.kind.keys[entry.value.key]
    return key.unknown == "refused" and entry.verdict not in (Verdict.RENAMED, Verdict.WITHHELD)


def drop_clause(subject: Subject, entry: ClassifiedItem, *, several: bool = False, covered: bool = False) -> str:
    """The same as a clause that follows a semicolon, about one entry or several."""
    consequence = consequence_of_drop(subject, entry, covered=covered)
    if consequence is Consequence.REFUSED:
        return subject.refusal
    if entry.role == "approve":
        return "the entries approve nothing" if several else "the entry approves nothing"
    if consequence is Consequence.WIDENED:
        several = several or any(tool.server == "*" for tool in entry.meaning.tools)
        return f"nothing is denied, so the agent keeps the {'tools' if several else 'tool'}"
    if consequence in (Consequence.IGNORED, Consequence.STYLE):
        return "the entries have no effect" if several else "the entry has no effect"
    return f"the agent runs without {'them' if several else 'it'}"


def replacement(
    subject: Subject, entry: ClassifiedItem, names: Sequence[str], *, safe: bool, keep_all: bool = False
) -> Fix | None:
    """A fix that replaces an entry; unless `keep_all`, names that other entries already cover are left out."""
    new = list(names) if keep_all else missing_names(subject, entry, names)
    if not new:
        return removal(subject, entry, safe=safe)
    from fsagent_lint.rewrite.entry_edits import replace_item

    edits = replace_item(subject.document.source.text, entry.value, entry.item, new)
    return _fix(f"Replace with {listing(new)}", edits, safe, entry)


def advice(subject: Subject, entry: ClassifiedItem, names: Sequence[str]) -> str:
    """What to write for an entry; or to remove it, if other entries already cover all of the names."""
    if missing_names(subject, entry, names):
        return f"Write {listing(names)}."
    return f"Remove it: {listing(names)} {'is' if len(names) == 1 else 'are'} already listed."


def group_item(entry: ClassifiedItem, what_to_do: str) -> str:
    """One of several entries with the same problem: its name, and what to do about it."""
    return f"`{entry.item.name}` ({what_to_do[0].lower()}{what_to_do[1:].partition(':')[0].rstrip('.')})"


def missing_names(subject: Subject, entry: ClassifiedItem, names: Sequence[str]) -> list[str]:
    """The names that no other entry covers."""
    spans = _spans_by_native(ByIdentity(entry.value.items), subject.harness)
    own = {entry.item.span}

    def is_covered(name: str) -> bool:
        natives = subject.harness.natives(name)
        return bool(natives) and all(spans.get((entry.item.action, native), own) - own for native in natives)

    return [name for name in names if not is_covered(name)]


@lru_cache(maxsize=8)
def _spans_by_native(
    items: ByIdentity[tuple[ToolItem, ...]], harness: Harness
) -> dict[tuple[Action | None, str], set[Span]]:
    """Action and native tool to the spans of the entries that name it."""
    spans: dict[tuple[Action | None, str], set[Span]] = {}
    for item in items.value:
        for native in harness.natives(item.name):
            spans.setdefault((item.action, native), set()).add(item.span)
    return spans


def removal(subject: Subject, entry: ClassifiedItem, *, safe: bool) -> Fix | None:
    from fsagent_lint.rewrite.entry_edits import remove_item, replace_item

    text, nothing = subject.document.source.text, subject.kind.keys[entry.value.key].nothing
    if nothing and len(entry.value.items) == 1:  # an empty list would mean every tool
        edits = replace_item(text, entry.value, entry.item, [nothing])
        return _fix(f"Replace with `{nothing}`", edits, safe, entry)
    edits = remove_item(text, entry.value, entry.item)
    return _fix(f"Remove `{entry.item.text}`", edits, safe, entry)


def _fix(title: str, edits: tuple[Edit, ...] | None, safe: bool, entry: ClassifiedItem) -> Fix | None:
    if edits is None:
        return None
    return Fix(title, edits, Safety.SAFE if safe else Safety.UNSAFE, frozenset((entry.value.key,)))


def harness_title(id: str) -> str:
    return get_harness(id).title


def listing(names: Sequence[str]) -> str:
    """`a`, `b` and `c`."""
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def older_versions_with(harness: Harness, name: str) -> str:
    """The older versions that always granted a tool by this name, in words; empty if the newest does, or none did."""
    if not harness.was:
        return ""
    from fsagent_lint.harnesses.versions import last_version_with

    version = last_version_with(harness, name)
    return f"{version} and older" if version else ""
