"""What is wrong with a file: one module for each problem. What rules share is in modules that begin with `_`."""

from __future__ import annotations

from functools import cache

from fsagent_lint.agent.profile import Profile
from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.agent.traits import Trait
from fsagent_lint.agent.verdicts import ClassifiedItem, Verdict
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.model.finding import Consequence, Finding, Fix, Safety
from fsagent_lint.model.policy import Action
from fsagent_lint.rules._rule import Bad, Family, Good, Rule

__all__ = [
    "Action", "Bad", "ClassifiedItem", "Consequence", "Edit", "Family", "Finding", "Fix", "Good", "Kind", "Profile",
    "Rule", "Safety", "Sort", "Span", "Subject", "Trait", "Verdict", "all_rules",
]  # fmt: skip


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by code: a module of this folder is one."""
    import os
    from importlib import import_module

    found = []
    for file in sorted(os.listdir(__path__[0])):
        name, _, ending = file.partition(".")
        if ending != "py" or name.startswith("_"):
            continue
        loaded = import_module(f"{__name__}.{name}")
        found += [
            value()
            for value in vars(loaded).values()
            if isinstance(value, type) and issubclass(value, Rule) and value.__module__ == loaded.__name__
        ]
    return tuple(sorted(found, key=lambda rule: rule.code))
