"""FA008 invalid-python."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Sort, Span, Subject


class InvalidPython(Rule):
    """A module that uses an agent SDK cannot be parsed.

    ## Why
    A module that Python cannot compile runs no agent. A module that is too large or nested too deeply is not checked.
    Such files are never changed.

    ## What to do
    Correct the module. If it is written for another version of Python than the one that runs fsagent-lint, exclude it
    with `exclude` in the config.
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
                f"The module cannot be parsed, so it is not checked: {subject.fault.problem}.",
                consequence=Consequence.IGNORED if limited else None,
            )
