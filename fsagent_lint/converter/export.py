"""Export an agent: as a value in canonical names, as the JSON of a harness, or as a canonical file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.agent import CANONICAL, Agent, Enricher
from fsagent_lint.agent.enrich import enriched
from fsagent_lint.agent.widening import bounds_of
from fsagent_lint.converter.convert import convert_file, converted_prompt
from fsagent_lint.errors import UserError
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.edits import apply_edits
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.converted import Converted
from fsagent_lint.model.finding import Consequence
from fsagent_lint.model.loss import LossKind, ReportedLoss
from fsagent_lint.model.policy import Action, Policy, PolicyRule, scope_pattern
from fsagent_lint.rewrite.entries import Wanted
from fsagent_lint.rewrite.proof import prove_conversion
from fsagent_lint.rewrite.render import render
from fsagent_lint.rewrite.rewrite import rewrite


class Shape(NamedTuple):
    """How a harness reads agents from JSON: its id, the tool format, and the key that holds the agents."""

    harness: str
    form: str
    under: str = ""


SHAPES = {"opencode": Shape("opencode", "permission", under="agent"), "claude": Shape("claude-code", "list")}


class Shaped(NamedTuple):
    value: dict[str, Any]
    losses: tuple[ReportedLoss, ...]


def normalise(agent: Agent) -> dict[str, Any]:
    """The whole content of the file, with tools in canonical names: nothing is lost."""
    _check_readable(agent)
    policy = _canonical(agent.policy)
    rules = [{"tool": str(rule.tool or "*"), "action": rule.action.value, "scope": rule.scope} for rule in policy.rules]
    return {
        "version": 1,
        "name": agent.name,
        "description": agent.description,
        "kind": agent.kind,
        "harness": agent.harness,
        "path": agent.path,
        "tools": {"default": policy.default.value, "rules": rules},
        "fields": agent.fields,
        "prompt": agent.prompt,
    }


def shape(agent: Agent, name: str, enrichers: Sequence[Enricher] = ()) -> Shaped:
    """The agent in the JSON form of a harness: converted for that harness, enriched, and read back."""
    _check_readable(agent)
    wanted = SHAPES[name]
    if agent.kind not in ("agent", "chatmode") and not agent.subject.kind.under:
        raise UserError(f"{agent.path}: a {agent.kind} cannot be exported to the agents of {name}.")
    policy = enriched(agent.subject, get_harness(wanted.harness), enrichers)
    converted = _write_for(agent, wanted.harness, wanted.form, policy)
    result = Agent.of(
        agent.subject.like(get_harness(wanted.harness), "agent", Document(Source(converted.path, converted.data)))
    )
    fields = {key: _as_list(result, key, value) for key, value in result.frontmatter.items()}
    for key in ("name", "prompt"):  # the name is the key, and the prompt is the body
        fields.pop(key, None)
    value = {converted.name: {**fields, "prompt": result.prompt}}
    return Shaped({wanted.under: value} if wanted.under else value, converted.losses)


def markdown(agent: Agent) -> Converted:
    """The agent as a canonical file; tools are written from its policy, because each has a canonical name."""
    _check_readable(agent)
    harness = get_harness(CANONICAL)
    converted = _write_for(agent, CANONICAL, "list", agent.policy)
    kind = next(id for id, facts in harness.kinds.items() if facts.path.format(name=converted.name) == converted.path)
    subject = agent.subject.like(harness, kind, Document(Source(converted.path, converted.data)))
    if any(key.role == "approve" for key in subject.kind.keys.values()):
        return converted
    policy, losses = _as_tool_list(_canonical(agent.policy))
    rendered = render(
        Wanted(bounds_of(agent.subject, policy)),
        harness,
        subject.kind,
        spelled={tool: str(tool) for tool in policy.named()},
    )
    edits = rewrite(subject, subject.values, rendered, "list")
    if edits is None:
        raise UserError(f"{agent.path}: the tools cannot be written as a list because of the text around them.")
    text = apply_edits(subject.document.source.text, edits)
    kept = [loss for loss in converted.losses if loss.code != LossKind.TOOL and loss not in losses]
    return converted._replace(data=subject.document.source.to_bytes(text), losses=(*kept, *losses))


def _as_tool_list(policy: Policy) -> tuple[Policy, list[ReportedLoss]]:
    """The part of a policy that a list can express, never a wider one; and the losses."""
    losses: list[ReportedLoss] = []
    denied: list[PolicyRule] = []
    for tool in policy.named():
        scopes = policy.scopes(tool)
        if policy.default is not Action.DENY and scopes:
            message = f"A list of denials cannot keep {tool} for `{', '.join(scopes)}`; dropped."
            losses.append(ReportedLoss(LossKind.SCOPE, message, Consequence.NARROWED))
            denied.append(PolicyRule(tool, Action.DENY))
        elif policy.action(tool) is Action.ASK:
            message = f"A list has no equivalent of `ask`; {tool} is allowed."
            losses.append(ReportedLoss(LossKind.ASK, message, Consequence.WIDENED))
    return Policy(policy.default, (*policy.rules, *denied)), losses


def _check_readable(agent: Agent) -> None:
    source = agent.document.source
    if source.problem not in (None, "missing"):
        raise UserError(f"{agent.path}: the frontmatter is {source.problem}.")
    try:
        source.data[source.body :].decode("utf-8")
    except UnicodeDecodeError:
        raise UserError(f"{agent.path}: the body is not UTF-8.") from None


def _write_for(agent: Agent, id: str, form: str, policy: Policy) -> Converted:
    """The file, converted for a harness and proven, as every conversion is."""
    harness = get_harness(id)
    converted = convert_file(agent.subject, harness, form=form, policy=policy, has_place=False)
    problem = converted.error
    if not problem:
        prompt = converted_prompt(agent.subject, harness, converted.kind).data
        problem = prove_conversion(agent.subject, converted.data, harness, converted.kind, policy, prompt=prompt)
    if problem:
        raise UserError(f"{agent.path}: {problem}.")
    return converted


def _canonical(policy: Policy) -> Policy:
    rules = (PolicyRule(rule.tool, rule.action, rule.scope and scope_pattern(rule.scope)) for rule in policy.rules)
    return Policy(policy.default, tuple(rules))


def _as_list(agent: Agent, key: str, value: Any) -> Any:
    """A field that may be a list or comma-separated text; JSON always has the list."""
    field = agent.subject.kind.fields.get(key)
    if field is None or set(field.type) != {"list", "string"} or not isinstance(value, str):
        return value
    return [part.strip() for part in value.split(",") if part.strip()]
