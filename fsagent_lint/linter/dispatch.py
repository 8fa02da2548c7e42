"""Which rules check a file: those for its sort that are about one of its traits."""

from __future__ import annotations

from collections.abc import Sequence

from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.agent.traits import find_traits
from fsagent_lint.rules import Family, Rule

_ChoiceKey = tuple[Sort, frozenset[str], bool, bool]


class Dispatch:
    """Chooses the rules for a file. Most files have the same traits, so each choice is made only once."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = [rule for rule in rules if type(rule).check is not Rule.check]
        self._chosen: dict[_ChoiceKey, tuple[Rule, ...]] = {}

    def rules_for(self, subject: Subject) -> tuple[Rule, ...]:
        # A file that is converted for another harness is no longer checked for its own.
        is_converted = subject.goal.target not in (None, subject.harness)
        key = subject.sort, find_traits(subject), is_converted, is_garbled(subject)
        rules = self._chosen.get(key)
        if rules is None:
            rules = self._chosen[key] = tuple(rule for rule in self.rules if _applies(rule, *key))
        return rules

    def asked(self, subject: Subject) -> list[Rule]:
        """The rules that check files of this sort and state, whatever their traits."""
        is_converted = subject.goal.target not in (None, subject.harness)
        garbled = is_garbled(subject)
        return [rule for rule in self.rules if _fits(rule, subject.sort, is_converted, garbled)]


def is_garbled(subject: Subject) -> bool:
    """Does the harness not load the file because nobody can tell what its keys and values are?"""
    document = subject.document
    return document.source.problem == "unclosed" or (document.error is not None and not subject.effect.loads)


def _applies(rule: Rule, sort: Sort, traits: frozenset[str], is_converted: bool, is_garbled: bool) -> bool:
    return _fits(rule, sort, is_converted, is_garbled) and (not rule.about or not rule.about.isdisjoint(traits))


def _fits(rule: Rule, sort: Sort, is_converted: bool, is_garbled: bool) -> bool:
    if sort not in rule.sorts or (is_converted and not rule.checks_conversions):
        return False
    if is_converted and sort is Sort.DATA:
        return rule.family is Family.FILE  # a file of several agents becomes no file of another harness
    return not is_garbled or rule.family is Family.FILE
