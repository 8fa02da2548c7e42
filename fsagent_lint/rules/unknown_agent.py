"""FA111 unknown-agent."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.nodes import List, Map, Node, Scalar
from fsagent_lint.rule import Bad, Consequence, Finding, Good, Rule, Span, Subject
from fsagent_lint.suggest import nearest
from fsagent_lint.tool import Tool

_SUBAGENT = Tool("Agent")


class UnknownAgent(Rule):
    """An entry names another agent that the project does not have.

    ## Why
    `Agent(worker)`, a pattern below `permission.task`, an entry of `agents` and the target of a hand-over are names of
    other agents. One that no agent has allows, denies or offers nothing, and no harness says so.

    ## When it speaks
    Only where the project has agents for this harness, and about names that are neither built in nor a pattern nor a
    plugin's (`plugin:agent`). Agents that people keep in their home folders cannot be seen from a repository: silence
    the rule for a file that counts on them.
    """

    code = "FA111"
    name = "unknown-agent"
    consequence = Consequence.IGNORED
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
        named = list(_named(subject))
        if not named or not subject.known_agents:
            return
        builtin = {agent for harness in (subject.harness, *subject.sharers) for agent in harness.agents}
        known = {*subject.known_agents, *builtin, subject.effect.name, subject.document.stem}
        lower = {name.lower() for name in known}
        for name, span in named:
            if name.lower() not in lower and not set(name) & set("*?:$~/{"):
                guess = nearest(name, known)
                advice = f"Did you mean `{guess}`?" if guess else "Correct the name, or add the agent."
                message = f"the project has no agent `{name}` for {subject.harness.title}; the entry does nothing."
                yield self.finding(span, f"{message[0].upper()}{message[1:]} {advice}")


def _named(subject: Subject) -> Iterator[tuple[str, Span]]:
    """Names of other agents, and where they stand."""
    for entry in subject.entries:
        if entry.item.scope is None or _SUBAGENT not in entry.meaning.tools:
            continue
        if isinstance(entry.item.node, Map):
            spans = {each.name: Span(each.key.start, each.key.end) for each in entry.item.node.entries}
            yield entry.item.scope, spans.get(entry.item.scope, entry.item.span)
        else:
            for name in entry.item.scope.split(","):
                if name.strip():
                    yield name.strip(), entry.item.span
    for key, field in subject.kind.fields.items():
        found = subject.document.get(key) if field.agents else None
        if found is not None:
            yield from _values(found.value, field.agents)


def _values(node: Node, how: str) -> Iterator[tuple[str, Span]]:
    for item in node.items if isinstance(node, List) else [node]:
        value: Node | None = item
        if how != "each":
            entries = item.entries if isinstance(item, Map) else []
            value = next((entry.value for entry in entries if entry.name == how), None)
        if isinstance(value, Scalar) and value.value.strip():
            quoted = 1 if value.style in ("'", '"') else 0
            yield value.value.strip(), Span(value.start + quoted, value.end - quoted)
