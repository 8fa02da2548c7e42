"""FA008 invalid-python."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Sort, Span, Subject


class InvalidPython(Rule):
    """A module that uses an agent SDK cannot be read.

    ## Why
    What Python refuses to compile runs no agent. What is too large or nested too deeply to be taken apart is not
    judged. Nothing is changed in such a file.

    ## What to do
    Correct the module. One that is written for another version of Python than the one that runs this program can be
    left out by `exclude` in the config.
    """

    code = "FA008"
    name = "invalid-python"
    consequence = Consequence.REFUSED
    sorts = frozenset((Sort.MODULE,))
    examples = (
        Good("from claude_agent_sdk import AgentDefinition\n", kind="python"),
        Bad("from claude_agent_sdk import AgentDefinition\n⟦⟧AgentDefinition(tools=['Read'\n", kind="python"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        if subject.sort is not Sort.MODULE:
            return
        from fsagent_lint.agent.python.source import LimitError
        from fsagent_lint.agent.python.subject import ModuleSubject

        assert isinstance(subject, ModuleSubject)
        if subject.fault is not None:
            offset = subject.fault.offset
            limited = isinstance(subject.fault, LimitError)
            yield self.finding(
                Span(offset, offset),
                f"This module cannot be read, so nothing in it is judged: {subject.fault.problem}.",
                consequence=Consequence.IGNORED if limited else None,
            )
