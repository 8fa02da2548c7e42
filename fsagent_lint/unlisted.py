"""Agents of harnesses that have no key for tools: what goes, what is lost, and what a field can still say."""

from __future__ import annotations

from fsagent_lint.agent.subject import Subject
from fsagent_lint.frontmatter.edits import Edit, delete_entry
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.vocabulary import native_names
from fsagent_lint.model.policy import Action, Policy
from fsagent_lint.model.tool import Tool
from fsagent_lint.rewrite.render import Loss


def without_keys(subject: Subject) -> list[Edit]:
    """The author's tool keys taken out."""
    values = (*subject.written, *subject.misplaced)
    return [delete_entry(subject.document.source.text, value.entry) for value in values]


def lost_tools(policy: Policy, target: Harness) -> list[Loss]:
    """Tools that the agent was meant to have and that the harness lacks."""
    meant = (tool for tool in policy.named() if policy.action(tool) is not Action.DENY)
    return [Loss("tool", tool) for tool in meant if not native_names((tool,), target)]


def gained(policy: Policy, target: Harness) -> list[Tool]:
    """Tools that the agent has there because nothing can take them away."""
    given = dict.fromkeys(name for native in target.default_tools for name in target.tools[native].grants)
    return [tool for name in given if policy.forbids(tool := Tool(name))]


def by_risk(policy: Policy, kind: Kind) -> dict[str, str]:
    """Fields that say roughly what a list of tools says; an agent that may have every tool needs none."""
    if policy.default is not Action.DENY:
        return {}
    found = {}
    for name, field in kind.fields.items():
        fitting = (value for value, risks in field.by_risk.items() if policy.risks <= {*risks})
        if (value := next(fitting, None)) is not None:
            found[name] = value
    return found
