"""What a harness does with a file: whether it loads the file, and which tools it grants the running agent."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from fsagent_lint._fast import NamedTuple
from fsagent_lint.effect.fields import field_problem
from fsagent_lint.effect.hooks import hook_problems
from fsagent_lint.effect.outcome import Refusal
from fsagent_lint.effect.readers import read
from fsagent_lint.effect.semantics import SEMANTICS, granted_tools
from fsagent_lint.effect.surroundings import NO_SURROUNDINGS, Surroundings
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.harnesses.formats import PLACEHOLDERS
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind


class Effect(NamedTuple):
    """Tools have their native names. `tools` and `ask` together are what the running agent is granted."""

    loads: bool
    error: str = ""
    key: str = ""
    """The frontmatter key that the harness refuses; empty if it refuses the file as a whole."""
    tools: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    conditional: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    open: bool = False
    """Tools that the file does not name, such as those of MCP servers, are granted too."""
    name: str = ""
    """What the harness identifies the agent by."""
    data: dict[str, Value] = {}  # noqa: RUF012 - never changed
    """The frontmatter as the harness reads it."""
    custom: tuple[str, ...] = ()
    """Tools that the project adds and that the running agent is granted too."""

    @property
    def natives(self) -> tuple[str, ...]:
        """Every native tool that the running agent has, may have, or has to ask for."""
        return (*self.tools, *self.ask, *self.conditional)


def effect(
    document: Document, harness: Harness, kind: Kind, owner: str = "", surroundings: Surroundings = NO_SURROUNDINGS
) -> Effect:
    """`owner`: the harness that the file is intended for, if it is another one; `surroundings`: what its neighbours say."""
    if surroundings is NO_SURROUNDINGS:
        return _effect_alone(document, harness, kind, owner)
    return _effect(document, harness, kind, owner, surroundings)


@lru_cache(maxsize=64)
def _effect_alone(document: Document, harness: Harness, kind: Kind, owner: str) -> Effect:
    """Kept for a while: several rules, and the proof of fixes, ask what each reader of a place does with a file."""
    return _effect(document, harness, kind, owner, NO_SURROUNDINGS)


def _effect(document: Document, harness: Harness, kind: Kind, owner: str, surroundings: Surroundings) -> Effect:
    if surroundings.refused:
        return Effect(False, surroundings.refused)
    reading = read(document, harness, kind)
    if reading.error and not (kind.frontmatter == "optional" and document.source.problem == "missing"):
        return Effect(False, reading.error)
    if problem := _config_problem(kind, surroundings):
        return Effect(False, problem, data=reading.data)
    data = _merge_settings(reading.data, surroundings)
    if (refusal := _field_refusal(data, kind) or _hook_refusal(data, harness, kind)) is not None:
        return Effect(False, refusal.problem, refusal.key, data=data)
    if problem := _prompt_problem(document, kind):
        return Effect(False, problem, data=data)
    if surroundings is NO_SURROUNDINGS and "&" not in document.source.text:
        outcome = granted_tools(data, harness, kind, owner)
    else:
        outcome = SEMANTICS[harness.semantics](reading.data, harness, kind, owner, surroundings, data)
    if isinstance(outcome, Refusal):
        return Effect(False, outcome.problem, outcome.key, data=data)
    tools = outcome.tools, outcome.ask, outcome.conditional, outcome.denied, outcome.open
    return Effect(True, "", "", *tools, _agent_name(document, kind, data), reading.data, outcome.custom)


def _merge_settings(data: dict[str, Value], surroundings: Surroundings) -> dict[str, Value]:
    """The frontmatter, merged with the project config's settings for the agent."""
    if surroundings is NO_SURROUNDINGS:
        return data
    models = [{"model": layer.get("model")} for layer in surroundings.shared if layer.get("model")]
    return {
        key: value for layer in (*models, *surroundings.under, data, *surroundings.over) for key, value in layer.items()
    }


def _agent_name(document: Document, kind: Kind, data: dict[str, Value]) -> str:
    """What the harness identifies the agent by."""
    if kind.identity != "name" or "name" not in data:
        return document.stem
    return "null" if data["name"] is None else str(data["name"])


def _field_refusal(data: dict[str, Value], kind: Kind) -> Refusal | None:
    """Which field keeps the file from loading, if any."""
    for key, field in kind.refusal_fields.items():
        if key not in data and not field.required:
            continue
        if field.wrong == "refused" and (problem := field_problem(data, key, field)):
            return Refusal(key, problem)
        if field.meaning == "disabled" and data.get(key) is True:
            return Refusal(key, f"`{key}` is set")
    if kind.unknown_fields == "refused":
        unknown = (key for key in data if key not in kind.fields and key not in kind.keys)
        return next((Refusal(key, f"`{key}` is an unknown field") for key in unknown), None)
    return None


def _hook_refusal(data: dict[str, Value], harness: Harness, kind: Kind) -> Refusal | None:
    """Which field holds a hook that the harness cannot use, and without which it does not load the file."""
    for key in harness.hooks.events and kind.refusal_fields:
        if kind.fields[key].hooks and key in data:
            found = (each for each in hook_problems(data[key], harness.hooks) if each.guards)
            if (problem := next(found, None)) is not None:
                return Refusal(key, f"`{key}`: {problem.what}")
        if kind.fields[key].hooks:
            outside = (event for event in harness.hooks.guards if isinstance(data.get(event), list) and data[event])
            return next((Refusal(event, f"`{event}` is outside `{key}`") for event in outside), None)
    return None


def _prompt_problem(document: Document, kind: Kind) -> str:
    """What in the prompt keeps the agent from running; empty if nothing does."""
    if kind.placeholder:
        if found := next(unknown_placeholders(document, kind), None):
            return f"it cannot replace `{found.text}`"
    if kind.min_body and document.body_length < kind.min_body:
        return f"the prompt has fewer than {kind.min_body} characters" if kind.min_body > 1 else "the prompt is empty"
    return ""


def _config_problem(kind: Kind, surroundings: Surroundings) -> str:
    """What in the project config keeps every agent from loading; empty if nothing does."""
    for layer in (*surroundings.shared, *surroundings.under, *surroundings.over, *surroundings.others):
        for key, field in kind.refusal_fields.items():
            if key in layer and field.wrong == "refused" and (problem := field_problem(layer, key, field)):
                return f"the project's config: {problem}"
    return ""


class Placeholder(NamedTuple):
    text: str
    span: Span


def unknown_placeholders(document: Document, kind: Kind) -> Iterator[Placeholder]:
    """Placeholders in the body that the harness does not know."""
    if kind.placeholder:
        whole = document.source.whole
        for found in PLACEHOLDERS[kind.placeholder].finditer(whole[len(document.source.text) :]):
            if found[1] not in kind.placeholders:
                start = len(document.source.text) + found.start()
                yield Placeholder(found[0], Span(start, start + len(found[0])))
