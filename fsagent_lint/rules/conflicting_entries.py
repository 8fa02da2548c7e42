"""FA304 conflicting-entries."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.agent.verdicts import Verdict
from fsagent_lint.harnesses.gates import gate_of
from fsagent_lint.harnesses.vocabulary import native_names
from fsagent_lint.rules import (
    Action,
    Bad,
    ClassifiedItem,
    Consequence,
    Edit,
    Finding,
    Fix,
    Good,
    Rule,
    Safety,
    Subject,
    Trait,
)


class ConflictingEntries(Rule):
    """Two entries set the same permission to different values.

    ## Why
    In OpenCode `write`, `edit` and `patch` are one permission, and the last entry wins: with `{write: false, edit:
    true}` the agent can still write files.

    ## What to do
    Set only `edit`, which stands for all of them.

    ## Fix safety
    Unsafe: if one of them is denied, all are, so a `true` becomes `false`.
    """

    code = "FA304"
    name = "conflicting-entries"
    consequence = Consequence.WIDENED
    about = frozenset((Trait.SWITCHES,))
    examples = (
        Good("---\ndescription: d\ntools: {write: false, edit: false}\n---\n", harness="opencode"),
        Good(
            "---\ndescription: d\ntools: {write: false, patch: true}\npermission: {edit: deny}\n---\n",
            harness="opencode",
        ),
        Bad(
            "---\ndescription: d\ntools: {⟦write⟧: false, edit: true}\npermission: {edit: allow}\n---\n",
            harness="opencode",
        ),
        Bad(
            "---\ndescription: d\ntools:\n  ⟦write⟧: false\n  edit: true\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\ntools:\n  write: false\n  edit: false\n---\n",
        ),
        Bad(
            "---\ndescription: d\ntools: {⟦Write⟧: false, Edit: true}\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\ntools: {Write: false, Edit: false}\n---\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        last: dict[tuple[str, str], ClassifiedItem] = {}
        for entry in reversed(subject.items):
            if entry.role != "switch" or entry.action is None:
                continue
            places = [(entry.value.key, gate) for gate in _gates(subject, entry)]
            rivals = (last.setdefault(place, entry) for place in places)
            later = next((each for each in rivals if each.action is not entry.action), None)
            if later is None or later.item.name == entry.item.name:
                continue
            widened = entry.action is Action.DENY
            is_set_again = _is_set_again(subject, entry)
            if is_set_again and widened != _is_granted(subject, entry):
                continue
            outcome = "stays allowed" if widened else "is denied too"
            yield self.finding(
                entry.item.span,
                f"`{entry.item.name}` and `{later.item.name}` are one permission in {subject.harness.title}, and the last "
                f"one wins; `{entry.item.name}` {outcome}. Set both to the same value.",
                consequence=Consequence.WIDENED if widened else Consequence.NARROWED,
                fix=_deny(later if widened else entry) if not is_set_again else None,
            )


_WRONG_NAME = (Verdict.WRONG_CASE, Verdict.FOREIGN, Verdict.RENAMED)


def _gates(subject: Subject, entry: ClassifiedItem) -> set[str]:
    """The switches that an entry sets, or will set once its name is corrected."""
    gates, wrong = subject.kind.keys[entry.value.key].gates, entry.verdict in _WRONG_NAME
    names = native_names(entry.meaning.tools, subject.harness) if wrong else ()
    return {gates.get(name, name) for name in names or (entry.item.name,)}


def _is_granted(subject: Subject, entry: ClassifiedItem) -> bool:
    gates = _gates(subject, entry)
    return any(gate_of(name, subject.harness.tools[name]) in gates for name in subject.effect.natives)


def _is_set_again(subject: Subject, entry: ClassifiedItem) -> bool:
    """Does another key set the same permission, and so decides?"""
    gates = _gates(subject, entry)
    return any(
        item.value.key != entry.value.key and not gates.isdisjoint(_gates(subject, item)) for item in subject.items
    )


def _deny(entry: ClassifiedItem) -> Fix:
    edit = Edit(entry.item.node.span, "false")
    return Fix(f"Set `{entry.item.name}` to false too", (edit,), Safety.UNSAFE, frozenset((entry.value.key,)))
