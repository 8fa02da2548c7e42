"""FA111 unknown-agent."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait
from fsagent_lint.rules._references import named_agents
from fsagent_lint.suggest import nearest


class UnknownAgent(Rule):
    """An entry names an agent that the project does not have.

    ## Why
    `Agent(worker)`, a pattern under `permission.task`, an entry of `agents` and the target of a handoff name other
    agents. A name that no agent has allows, denies or offers nothing, and harnesses give no warning.

    ## When it is reported
    Only if the project has agents for this harness. Built-in agents, patterns and agents of plugins (`plugin:agent`)
    are not reported. Agents in home folders cannot be seen from a repository: suppress the rule for files that rely on
    them.
    """

    code = "FA111"
    name = "unknown-agent"
    consequence = Consequence.IGNORED
    about = frozenset((Trait.SPECIAL, Trait.SCOPE))
    examples = (
        Good(
            "---\nname: a\ndescription: d\ntools: Read, Agent(worker, Explore)\n---\n",
            files=((".claude/agents/worker.md", "---\nname: worker\ndescription: d\n---\n"),),
        ),
        Good("---\nname: a\ndescription: d\ntools: Read, Agent(worker)\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, ⟦Agent(wroker)⟧\n---\n",
            files=((".claude/agents/worker.md", "---\nname: worker\ndescription: d\n---\n"),),
        ),
        Bad(
            '---\ndescription: d\npermission:\n  task:\n    "*": deny\n    ⟦reviewr⟧: allow\n    "team-*": allow\n---\n',
            harness="opencode",
            files=((".opencode/agents/reviewer.md", "---\ndescription: d\n---\n"),),
        ),
        Bad(
            "---\ndescription: d\nagents: ['⟦plannr⟧', '*']\nhandoffs:\n  - label: Go\n    agent: ⟦coder⟧\n---\n",
            harness="copilot",
            files=((".github/agents/planner.agent.md", "---\ndescription: d\n---\n"),),
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        named = list(named_agents(subject))
        if not named or not subject.known_agents:
            return
        builtin = {agent for harness in (subject.harness, *subject.shared_harnesses) for agent in harness.agents}
        known = {*subject.known_agents, *builtin, subject.effect.name, subject.document.stem}
        lower = {name.lower() for name in known}
        for name, span in named:
            if name.lower() not in lower:
                guess = nearest(name, known)
                advice = f"Did you mean `{guess}`?" if guess else "Correct the name, or add the agent."
                message = f"The project has no agent `{name}` for {subject.harness.title}; the entry has no effect."
                yield self.finding(span, f"{message} {advice}")
