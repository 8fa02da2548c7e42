"""The names of other agents and of skills that a file mentions, with their positions."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.subject import Subject
from fsagent_lint.frontmatter.nodes import List, Map, Node, Scalar, Span
from fsagent_lint.harnesses.kind import Field
from fsagent_lint.model.tool import Tool

# Patterns, names of plugins (`plugin:agent`), paths, variables and blanks to fill in: the project alone does not show what exists.
_NOT_CHECKABLE = frozenset("*?:$~/{<")


class AgentReference(NamedTuple):
    name: str
    span: Span
    field: Field | None
    """The field that names it; None for the scope of a tool."""


def named_agents(subject: Subject) -> Iterator[AgentReference]:
    """Agents in `Agent(x)`, under `permission.task`, and in fields that hold agents."""
    for name, span in _in_scopes(subject, Tool.Agent):
        yield AgentReference(name, span, None)
    for key, field in subject.kind.agent_fields.items():
        if (found := subject.document.get(key)) is not None and has_effect(subject, field):
            for name, span in _values(found.value, field.agents):
                yield AgentReference(name, span, field)


def has_effect(subject: Subject, field: Field) -> bool:
    """Are the fields there without which this one has no effect?"""
    return all(subject.effect.data.get(key) == value for key, value in field.needs.items())


def named_skills(subject: Subject) -> Iterator[tuple[str, Span]]:
    """Skills in `Skill(x)`, under `permission.skill`, and in fields that hold skills."""
    yield from _in_scopes(subject, Tool.Skill)
    for key in subject.kind.skill_fields:
        if (found := subject.document.get(key)) is not None:
            yield from _values(found.value, "each")


def preloaded_skills(subject: Subject) -> Iterator[tuple[str, Span]]:
    """Skills that the harness loads when the agent starts."""
    for key, field in subject.kind.skill_fields.items():
        if field.preloads and (found := subject.document.get(key)) is not None:
            yield from _values(found.value, "each")


def _in_scopes(subject: Subject, tool: Tool) -> Iterator[tuple[str, Span]]:
    for entry in subject.items:
        if entry.item.scope is None or tool not in entry.meaning.tools:
            continue
        if isinstance(entry.item.node, Map):
            key = next((each.key for each in reversed(entry.item.node.entries) if each.name == entry.item.scope), None)
            yield from _checkable(entry.item.scope, key.span if key is not None else entry.item.span)
        else:
            for name in entry.item.scope.split(","):
                yield from _checkable(name.strip(), entry.item.span)


def _values(node: Node, how: str) -> Iterator[tuple[str, Span]]:
    for item in node.items if isinstance(node, List) else [node]:
        value: Node | None = item
        if how == "agent":
            entries = item.entries if isinstance(item, Map) else []
            value = next((entry.value for entry in entries if entry.name == how), None)
        if isinstance(value, Scalar):
            quoted = 1 if value.style in ("'", '"') else 0
            is_one = isinstance(node, List) or how == "exact"
            names = [value.value.strip()] if is_one else [name.strip() for name in value.value.split(",")]
            for name in names:
                yield from _checkable(name, Span(value.start + quoted, value.end - quoted))


def _checkable(name: str, span: Span) -> Iterator[tuple[str, Span]]:
    if name and _NOT_CHECKABLE.isdisjoint(name):
        yield name, span
