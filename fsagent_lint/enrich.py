"""The API for enrichers: functions that change the tools of an agent when it is written for a harness."""

from fsagent_lint.agent.enrich import AgentFacts, Enricher, add, remove
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.model.policy import Action, Policy

__all__ = ["Action", "AgentFacts", "Enricher", "Harness", "Policy", "add", "remove"]
