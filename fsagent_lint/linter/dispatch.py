"""Which rules are asked about a file: those whose subject it has, out of those in force."""

from __future__ import annotations

from collections.abc import Sequence

from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.rules import Rule, Subject

_Sort = tuple[Harness, Kind, frozenset[str], frozenset[str] | None, bool]


class Dispatch:
    """Most files are alike in what they have, so the choice is made once for each sort of file."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = [rule for rule in rules if type(rule).check is not Rule.check]
        self._chosen: dict[_Sort, tuple[Rule, ...]] = {}

    def rules_for(self, subject: Subject) -> tuple[Rule, ...]:
        # Written for another harness, the file is no longer its own's to judge.
        leaves = subject.goal.target not in (None, subject.harness)
        sort = subject.harness, subject.kind, subject.traits, subject.rules, leaves
        found = self._chosen.get(sort)
        if found is None:
            found = self._chosen[sort] = tuple(rule for rule in self.rules if _is_asked(rule, subject, leaves=leaves))
        return found


def _is_asked(rule: Rule, subject: Subject, *, leaves: bool) -> bool:
    if leaves and not (rule.code[2] in "06" or rule.name == "tool-format"):
        return False
    if rule.name in subject.unfit_rules:
        return False
    if rule.about and rule.about.isdisjoint(subject.traits):
        return False
    return rule.name in subject.rules if subject.rules is not None else rule.concerns(subject.kind)
