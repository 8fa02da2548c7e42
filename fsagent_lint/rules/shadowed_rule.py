"""FA303 shadowed-rule."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.frontmatter.nodes import Entry, Map
from fsagent_lint.rules import (
    Action,
    Bad,
    Consequence,
    Finding,
    Fix,
    Good,
    Rule,
    Safety,
    Subject,
    Trait,
)
from fsagent_lint.rules._overrides import action_of, shadowed_rules


class ShadowedRule(Rule):
    """A later entry of a permission map overrides an earlier one.

    ## Why
    In OpenCode the last matching entry wins. `{read: allow, "*": deny}` denies everything: the general entry must come
    first.

    ## What to do
    Move the general entry up.

    ## Fix safety
    Safe: the exception takes effect as it is written.
    """

    code = "FA303"
    name = "shadowed-rule"
    consequence = Consequence.NARROWED
    about = frozenset((Trait.SWITCHES, Trait.PERMITS))
    examples = (
        Good("---\ndescription: d\npermission: {'*': deny, read: allow}\n---\n", harness="opencode"),
        Bad(
            "---\ndescription: d\npermission:\n  ⟦read⟧: allow # look\n  '*': deny # rest\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\npermission:\n  '*': deny # rest\n  read: allow # look\n---\n",
        ),
        Bad(
            "---\ndescription: d\npermission:\n  bash:\n    ⟦'git *'⟧: allow\n    '*': deny\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\npermission:\n  bash:\n    '*': deny\n    'git *': allow\n---\n",
        ),
        Bad(
            "---\ndescription: d\ntools:\n  ⟦read⟧: true\npermission:\n  '*': deny\n---\n",
            harness="opencode",
        ),
        Bad(
            "---\ndescription: d\npermission:\n  ⟦read⟧: allow\n  edit:\n    '*.md': deny\n  '*': deny\n---\n",
            harness="opencode",
        ),
        Bad(
            "---\ndescription: d\ntools: {⟦read⟧: true, '*': false}\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\ntools: {'*': false, read: true}\n---\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for early, late, action, later in shadowed_rules(subject):
            yield self.finding(
                early.key.span,
                f"`{late.name}` ({later}) further down overrides `{early.name}` ({action}), because in "
                f"{subject.harness.title} the last match wins. Put the general entry first.",
                consequence=Consequence.WIDENED if later.strength > action.strength else Consequence.NARROWED,
                fix=_move_up(subject, early, late) if late.name == "*" and later.strength < action.strength else None,
            )


def _move_up(subject: Subject, early: Entry, late: Entry) -> Fix | None:
    from fsagent_lint.frontmatter.edits import move_before

    around = [value for value in subject.values if value.entry.start <= early.start <= value.entry.end]
    flow = any(isinstance(value.entry.value, Map) and value.entry.value.flow for value in around)
    text = subject.document.source.text
    edits = move_before(text, late, early, flow=flow) if late.start > early.start else None
    if edits is None:
        return None
    keys = frozenset(value.key for value in around)
    if not any(value.entry.start <= late.start <= value.entry.end for value in subject.values if value.key in keys):
        return None  # the entries are under two keys
    if any(_would_be_granted(subject, early, late)):
        return None
    return Fix(f"Move `{late.name}` up", edits, Safety.SAFE, keys)


def _would_be_granted(subject: Subject, early: Entry, late: Entry) -> Iterator[bool]:
    """For each tool in between: are only some of its uses denied, so that only the general denial removes it?"""
    maps = (value.entry.value for value in subject.values if isinstance(value.entry.value, Map))
    for entry in (entry for each in maps for entry in each.entries):
        if early.start <= entry.start < late.start and isinstance(entry.value, Map):
            rules = entry.value.entries
            yield bool(rules) and rules[-1].name != "*" and all(action_of(rule) is Action.DENY for rule in rules)
