"""FA209 wrong-agents-shape."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Sort, Subject

_SDK = "from claude_agent_sdk import AgentDefinition, ClaudeAgentOptions as Options\n"


class WrongAgentsShape(Rule):
    """A program passes agents to an SDK in a form that it does not take, such as a list.

    ## Why
    `ClaudeAgentOptions(agents=...)` takes a dict: the name of each agent and its `AgentDefinition`. It accepts anything
    when it is made; with a list, or with a dict in the place of an `AgentDefinition`, the program fails when it starts a
    query.

    ## What to do
    Write `agents={"reviewer": AgentDefinition(description="...", prompt="...")}`.
    """

    code = "FA209"
    name = "wrong-agents-shape"
    consequence = Consequence.REFUSED
    sorts = frozenset((Sort.CALL,))
    examples = (
        Good(f"{_SDK}Options(agents={{'a': AgentDefinition(description='d', prompt='p')}})\n", kind="python"),
        Good(f"{_SDK}Options(agents=[])\n", kind="python"),
        Bad(f"{_SDK}Options(agents=⟦[AgentDefinition(description='d', prompt='p')]⟧)\n", kind="python"),
        Bad(f"{_SDK}Options(agents={{'a': ⟦{{'description': 'd', 'prompt': 'p'}}⟧}})\n", kind="python"),
        Bad(f"{_SDK}agents = ⟦[AgentDefinition('d', 'p')]⟧\nOptions(tools=['Read'], agents=agents)\n", kind="python"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        from fsagent_lint.agent.python.subject import CallSubject

        if not isinstance(subject, CallSubject):
            return
        facts = subject.facts
        for form, span in subject.call.misfits:
            found = facts.agent_misfits[form]
            what = "a dict of agents by name, not a list" if form == "list" else "agent definitions, not dicts"
            advice = "Write a dict of names and agents." if form == "list" else "Make each agent an `AgentDefinition`."
            message = f"`{facts.agents}` takes {what}; {found.outcome}. {advice}"
            yield self.finding(span, message, consequence=found.severity)
