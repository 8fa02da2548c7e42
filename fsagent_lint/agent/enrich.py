"""Enrichers: pure functions `(harness, agent, policy) -> policy` that run when an agent is written for a harness."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import cast

from fsagent_lint.agent.agent import Agent, Enricher
from fsagent_lint.agent.subject import Subject
from fsagent_lint.errors import UserError
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.model.choices import HarnessId
from fsagent_lint.model.policy import Action, Policy, PolicyRule
from fsagent_lint.model.tool import Tool, resolve


class NamedEnricher:
    """An enricher with the words that errors call it by."""

    def __init__(self, title: str, function: Enricher) -> None:
        self.title, self.function = title, function

    def __call__(self, harness: HarnessId, agent: Agent, policy: Policy) -> Policy:
        return self.function(harness, agent, policy)


class Composed:
    """Several enrichers as one; each gets the policy that the one before it returned."""

    def __init__(self, enrichers: Iterable[Enricher]) -> None:
        self.enrichers = tuple(enrichers)

    def __call__(self, harness: HarnessId, agent: Agent, policy: Policy) -> Policy:
        return enrich(self.enrichers, harness, agent, policy)


def compose(*enrichers: Enricher) -> Enricher:
    """One enricher that runs several, in order."""
    return Composed(enrichers)


def enriched(subject: Subject, harness: Harness, enrichers: Sequence[Callable[..., Policy]]) -> Policy:
    """The intent, as enrichers change it for a harness."""
    before = subject.intent.policy
    if not enrichers:
        return before
    found = enrich(enrichers, cast(HarnessId, harness.id), Agent.of(subject), before)
    return before if found == before else found


@lru_cache(maxsize=2)  # several rules ask for the same file, one after another
def wanted(subject: Subject) -> Policy:
    """The tools to write: the intent, as the enrichers of the goal change it for the target."""
    goal = subject.goal
    return enriched(subject, goal.target, goal.enrichers) if goal.target is not None else subject.intent.policy


def enrich(enrichers: Iterable[Enricher], harness: HarnessId, agent: Agent, policy: Policy) -> Policy:
    """Run the enrichers in order, each on the policy that the one before it returned.

    UserError for one that fails or returns anything but a policy: nothing can be written then.
    """
    for enricher in enrichers:
        if isinstance(enricher, Composed):
            policy = enricher(harness, agent, policy)
            continue
        try:
            policy = _checked(enricher(harness, agent, policy))
        except UserError as error:
            raise UserError(f"{_title(enricher)}: {error}") from error
        except (Exception, SystemExit) as error:  # whatever it does wrong, the message must name it
            raise UserError(f"{_title(enricher)} failed: {type(error).__name__}: {error}") from error
    return policy


def _title(enricher: Enricher) -> str:
    if isinstance(enricher, NamedEnricher):
        return enricher.title
    return f"The enricher `{getattr(enricher, '__qualname__', repr(enricher))}`"


def _checked(result: object) -> Policy:
    """The policy with its aliases resolved; UserError if it is none."""
    if not isinstance(result, Policy):
        raise UserError(f"it returned {_shown(result)} and not a policy")
    if not isinstance(result.default, Action):
        raise UserError(f"the default of its policy is {_shown(result.default)} and not an action")
    if not isinstance(result.rules, (tuple, list)):
        raise UserError(f"the rules of its policy are {_shown(result.rules)} and not a tuple")
    return Policy(result.default, tuple(rule for each in result.rules for rule in _checked_rules(each)))


def _checked_rules(rule: object) -> Iterator[PolicyRule]:
    types = (Tool | None, Action, str | None)
    if not isinstance(rule, PolicyRule) or not all(map(isinstance, rule, types)):
        raise UserError(f"its policy has {_shown(rule)} and not a rule")
    if rule.tool is None:
        yield rule
    else:
        yield from (rule._replace(tool=tool) for tool, _ in resolve([rule.tool]))


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
