"""The API for enrichers: functions that change the tools of an agent when it is written for a harness."""

from fsagent_lint.agent.agent import Agent, Enricher
from fsagent_lint.agent.enrich import compose
from fsagent_lint.model.choices import HarnessId
from fsagent_lint.model.policy import Action, Policy, PolicyRule

__all__ = ["Action", "Agent", "Enricher", "HarnessId", "Policy", "PolicyRule", "compose"]
