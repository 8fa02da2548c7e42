"""A file whose harness cannot be told: it lies in a folder that several of them read."""

from __future__ import annotations

from functools import cached_property

from fsagent_lint.agent.subject import Goal, Subject
from fsagent_lint.agent.traits import Trait
from fsagent_lint.effect.effect import Effect
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.harnesses.tables import get_harness


class UnclearSubject(Subject):
    """Nothing is said about it but that; the canonical names are nobody's, and so give nobody's verdict."""

    is_unclear = True
    rules = frozenset(("unclear-harness", "unused-ignore"))

    def __init__(self, document: Document) -> None:
        super().__init__(document, get_harness("canonical"), "agent", goal=Goal())

    traits = frozenset((Trait.UNCLEAR,))

    @cached_property
    def effect(self) -> Effect:
        return Effect(False, "nobody knows whose agent it is")
