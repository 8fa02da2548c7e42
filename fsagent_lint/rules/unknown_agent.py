"""FA111 unknown-agent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsagent_lint.harnesses.kind import Field
from fsagent_lint.harnesses.tables import all_harnesses
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait
from fsagent_lint.rules._references import named_agents
from fsagent_lint.suggest import nearest


class UnknownAgent(Rule):
    """An entry names an agent that the project does not have.

    ## Why
    `Agent(worker)`, a pattern under `permission.task`, an entry of `agents` and the target of a handoff name other
    agents. A name that no agent has allows, denies or offers nothing, and harnesses give no warning.

    The field `agent` of a skill, command or prompt names the agent that runs it. If no agent has that name, Claude Code
    runs a skill with `context: fork` as `general-purpose`, with all of its tools; VS Code keeps the agent that is
    selected; a command of OpenCode fails. Claude Code and OpenCode distinguish upper and lower case in this field, and
    Claude Code knows an agent of a plugin only as `plugin:agent`.

    ## When it is reported
    A warning if the project has agents for this harness. If it has none, a note for the field `agent`, since agents in
    home folders cannot be seen from a repository. Built-in agents, patterns and agents of other plugins
    (`plugin:agent`) are not reported. Suppress the rule for files that rely on agents in home folders.
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
        Good(
            "---\ndescription: d\ncontext: fork\nagent: Explore\n---\n",
            kind="skill",
            path=".claude/skills/a/SKILL.md",
        ),
        Bad(
            "---\ndescription: d\ncontext: fork\nagent: ⟦Worker⟧\n---\n",
            kind="skill",
            path=".claude/skills/a/SKILL.md",
            files=((".claude/agents/worker.md", "---\nname: worker\ndescription: d\n---\n"),),
        ),
        Bad(
            "---\ndescription: d\ncontext: fork\nagent: ⟦worker⟧\n---\n",
            kind="skill",
            path="skills/a/SKILL.md",
            files=(
                (".claude-plugin/plugin.json", '{"name": "tools"}'),
                ("agents/worker.md", "---\nname: worker\ndescription: d\n---\n"),
            ),
        ),
        Bad(
            "---\ndescription: d\nagent: ⟦reviewr⟧\n---\n",
            harness="opencode",
            kind="command",
            files=((".opencode/agents/reviewer.md", "---\ndescription: d\n---\n"),),
        ),
        Bad(
            "---\ndescription: d\nagent: ⟦reviewr⟧\n---\n",
            harness="vscode",
            kind="prompt",
            files=((".github/agents/reviewer.agent.md", "---\ndescription: d\n---\n"),),
        ),
        Bad(
            "---\ndescription: d\nagents: ['⟦plannr⟧', '*']\nhandoffs:\n  - label: Go\n    agent: ⟦coder⟧\n---\n",
            harness="copilot",
            files=((".github/agents/planner.agent.md", "---\ndescription: d\n---\n"),),
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        references = list(named_agents(subject))
        if not references:
            return
        builtin = {agent for harness in (subject.harness, *subject.shared_harnesses) for agent in harness.agents}
        own = {subject.effect.name, subject.document.stem} if subject.kind_name == "agent" else set()
        known = {*subject.known_agents, *builtin, *own}
        lower, ordered = {name.lower() for name in known}, sorted(known)
        for name, span, field in references:
            is_exact = field is not None and field.agents == "exact"
            if name in known or (name.lower() in lower and not is_exact):
                continue
            outcome = _outcome(subject, field)
            if subject.plugin is not None and name in subject.plugin.agents:
                if is_exact:
                    full = f"{subject.plugin.name}:{name}"
                    what = (
                        f"{subject.harness.title} knows the agent `{name}` of this plugin only as `{full}`; {outcome}."
                    )
                    yield self.finding(span, f"{what} Write `{full}`.")
            elif subject.known_agents:
                advice = _advice(subject, name, ordered)
                what = f"The project has no agent `{name}` for {subject.harness.title}; {outcome}."
                yield self.finding(span, f"{what} {advice}")
            elif field is not None and field.without_agent:
                what = f"The project has no agent `{name}` for {subject.harness.title}; without one, {outcome}."
                advice = "Add it, unless your own settings or a plugin define it."
                yield self.finding(span, f"{what} {advice}", consequence=Consequence.UNCERTAIN)


def _outcome(subject: Subject, field: Field | None) -> str:
    if field is None or not field.without_agent:
        return "the entry has no effect"
    return field.without_agent.format(kind=subject.kind_name)


def _advice(subject: Subject, name: str, known: Sequence[str]) -> str:
    if guess := nearest(name, known):
        return f"Did you mean `{guess}`?"
    for harness in all_harnesses() if subject.neighbours is not None else ():
        if subject.neighbours is not None and (file := subject.neighbours.agents(harness).get(name)):
            return f"It is defined in {file}, which {subject.harness.title} does not read."
    return "Correct the name, or add the agent."
