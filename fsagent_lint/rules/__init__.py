"""The rules: one module for each problem. Modules that begin with `_` hold what the rules share."""

from __future__ import annotations

from functools import cache

from fsagent_lint.agent.profile import Profile, Project
from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.agent.traits import Trait
from fsagent_lint.agent.verdicts import ClassifiedItem, Verdict
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.model.finding import Consequence, Finding, Fix, Group, Related, Safety
from fsagent_lint.model.policy import Action
from fsagent_lint.rules._rule import AGENT_FILES, ALL_AGENTS, DATA_FILES, MARKDOWN_FILES, Bad, Family, Good, Rule

__all__ = [
    "AGENT_FILES",
    "ALL_AGENTS",
    "DATA_FILES",
    "MARKDOWN_FILES",
    "Action",
    "Bad",
    "ClassifiedItem",
    "Consequence",
    "Edit",
    "Family",
    "Finding",
    "Fix",
    "Good",
    "Group",
    "Kind",
    "Profile",
    "Project",
    "Related",
    "Rule",
    "Safety",
    "Sort",
    "Span",
    "Subject",
    "Trait",
    "Verdict",
    "all_rules",
]  # fmt: skip


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, sorted by code: each module in this folder defines one."""
    import os
    from importlib import import_module

    found = []
    for file in sorted(os.listdir(__path__[0])):
        name, _, suffix = file.partition(".")
        if suffix != "py" or name.startswith("_"):
            continue
        module = import_module(f"{__name__}.{name}")
        found += [
            value()
            for value in vars(module).values()
            if isinstance(value, type) and issubclass(value, Rule) and value.__module__ == module.__name__
        ]
    return tuple(sorted(found, key=lambda rule: rule.code))
