"""FA303 shadowed-rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from fsagent_lint.agent.tool_values import ToolValue
from fsagent_lint.frontmatter.nodes import Entry, Map
from fsagent_lint.rules import (
    Action,
    Bad,
    Consequence,
    Finding,
    Fix,
    Good,
    Group,
    Rule,
    Safety,
    Subject,
    Trait,
)
from fsagent_lint.rules._overrides import Overridden, action_of, shadowed_rules


class ShadowedRule(Rule):
    """A later entry of a permission map overrides an earlier one.

    ## Why
    In OpenCode the last matching entry wins. `{read: allow, "*": deny}` denies everything: the general entry must come
    first.

    ## What to do
    Move the general entry up.

    ## Fix safety
    Safe: the exceptions take effect as they are written, in the order in which they are written.
    """

    code = "FA303"
    name = "shadowed-rule"
    consequence = Consequence.NARROWED
    tag = "unnecessary"
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
            "---\ndescription: d\npermission:\n  bash:\n    ⟦'git *'⟧: allow\n    ⟦'rm *'⟧: deny\n    '*': ask\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\npermission:\n  bash:\n    '*': ask\n    'git *': allow\n    'rm *': deny\n---\n",
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
        for late, overridden in groupby(sorted(shadowed_rules(subject), key=_place), key=lambda each: each.late):
            rules = list(overridden)
            fix = _fix(subject, late, rules)
            for rule in rules:
                yield self._report(subject, rule, fix)

    def _report(self, subject: Subject, rule: Overridden, fix: Fix | None) -> Finding:
        early, late = f"`{rule.early.name}` ({rule.action})", f"`{rule.late.name}` ({rule.later})"
        because = f"because in {subject.harness.title} the last match wins. Put the general entry first"
        # One line that is in the wrong place is one problem, however much it overrides.
        where = f" under `{rule.within}`" if rule.within else ""
        return self.finding(
            rule.early.key.span,
            f"{late} further down overrides {early}, {because}.",
            consequence=Consequence.WIDENED if rule.later.strength > rule.action.strength else Consequence.NARROWED,
            fix=fix,
            group=Group(f"{late}{where} overrides earlier entries, {because}. Overridden", early),
        )


def _place(rule: Overridden) -> tuple[int, int]:
    return rule.late.start, rule.early.start


def _fix(subject: Subject, late: Entry, rules: Sequence[Overridden]) -> Fix | None:
    """The general entry before the first one that it overrides, if that gives an exception its effect."""
    if late.name != "*" or all(rule.later.strength >= rule.action.strength for rule in rules):
        return None
    return next((fix for rule in rules if (fix := _move_up(subject, rule.early, late))), None)


def _move_up(subject: Subject, early: Entry, late: Entry) -> Fix | None:
    from fsagent_lint.frontmatter.edits import move_to_front

    around = [value for value in subject.values if value.entry.start <= early.start <= value.entry.end]
    flow = any(isinstance(value.entry.value, Map) and value.entry.value.flow for value in around)
    entries = _entries_between(around, early, late)
    edits = move_to_front(subject.document.source.text, entries, flow=flow) if entries else None
    if edits is None:
        return None  # also if the entries are under two keys
    keys = frozenset(value.key for value in around)
    if any(_would_be_granted(subject, early, late)):
        return None
    return Fix(f"Move `{late.name}` up", edits, Safety.SAFE, keys)


def _entries_between(values: Sequence[ToolValue], early: Entry, late: Entry) -> Sequence[Entry]:
    """The entries of the map that has both, from the one to the other; empty if no map has."""
    maps = [value.entry.value for value in values if isinstance(value.entry.value, Map)]
    maps += [entry.value for each in maps for entry in each.entries if isinstance(entry.value, Map)]
    for each in maps:
        starts = [entry.start for entry in each.entries]
        if early.start in starts and late.start in starts:
            return each.entries[starts.index(early.start) : starts.index(late.start) + 1]
    return ()


def _would_be_granted(subject: Subject, early: Entry, late: Entry) -> Iterator[bool]:
    """For each tool in between: are only some of its uses denied, so that only the general denial removes it?"""
    maps = (value.entry.value for value in subject.values if isinstance(value.entry.value, Map))
    for entry in (entry for each in maps for entry in each.entries):
        if early.start <= entry.start < late.start and isinstance(entry.value, Map):
            rules = entry.value.entries
            yield bool(rules) and rules[-1].name != "*" and all(action_of(rule) is Action.DENY for rule in rules)
