"""Which rules are asked about a file: those that are for its sort, and about something that it has."""

from __future__ import annotations

from collections.abc import Sequence

from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.agent.traits import find_traits
from fsagent_lint.rules import Rule

_Choice = tuple[Sort, frozenset[str], bool]


class Dispatch:
    """Most files are alike in what they have, so the choice is made once for all that are."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = [rule for rule in rules if type(rule).check is not Rule.check]
        self._chosen: dict[_Choice, tuple[Rule, ...]] = {}

    def rules_for(self, subject: Subject) -> tuple[Rule, ...]:
        # Written for another harness, the file is no longer checked for its own.
        leaves = subject.goal.target not in (None, subject.harness)
        choice = subject.sort, find_traits(subject), leaves
        found = self._chosen.get(choice)
        if found is None:
            found = self._chosen[choice] = tuple(rule for rule in self.rules if _is_asked(rule, *choice))
        return found


def _is_asked(rule: Rule, sort: Sort, traits: frozenset[str], leaves: bool) -> bool:
    if sort not in rule.sorts or (leaves and not rule.checks_conversions):
        return False
    return not rule.about or not rule.about.isdisjoint(traits)
