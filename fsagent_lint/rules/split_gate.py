"""FA304 split-gate."""

from __future__ import annotations

from collections.abc import Iterator

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


class SplitGate(Rule):
    """Two entries set one switch in different ways.

    ## Why
    In OpenCode `write`, `edit` and `patch` are one permission, and the last of them wins: `{write: false, edit: true}`
    leaves the agent able to write.

    ## What to do
    Decide for the group: `edit` stands for all of them.

    ## Fix safety
    Where one of them is denied, all are. Unsafe where that disables a tool that the agent has; safe where it is disabled
    already.
    """

    code = "FA304"
    name = "split-gate"
    consequence = Consequence.WIDENED
    about = frozenset((Trait.SWITCHES,))
    examples = (
        Good("---\ndescription: d\ntools: {write: false, edit: false}\n---\n", harness="opencode"),
        Bad(
            "---\ndescription: d\ntools:\n  ⟦write⟧: false\n  edit: true\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\ntools:\n  write: false\n  edit: false\n---\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        last: dict[tuple[str, str], ClassifiedItem] = {}
        for entry in reversed(subject.items):
            if entry.role != "switch" or entry.action is None:
                continue
            gate = subject.kind.keys[entry.value.key].gates.get(entry.item.name, entry.item.name)
            later = last.setdefault((entry.value.key, gate), entry)
            if later.item.name == entry.item.name or later.action is entry.action:
                continue
            widened = entry.action is Action.DENY
            effect = "stays on" if widened else "is off too"
            yield self.finding(
                entry.item.span,
                f"`{entry.item.name}` and `{later.item.name}` are one switch in {subject.harness.title}, and the last one "
                f"wins; `{entry.item.name}` {effect}. Set both the same.",
                consequence=Consequence.WIDENED if widened else Consequence.NARROWED,
                fix=_deny(later if widened else entry),
            )


def _deny(entry: ClassifiedItem) -> Fix:
    node = entry.item.node
    edit = Edit(node.span, "false")
    return Fix(f"Set `{entry.item.name}` to false too", (edit,), Safety.SAFE, frozenset((entry.value.key,)))
