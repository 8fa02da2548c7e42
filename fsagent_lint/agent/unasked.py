"""The one definition of a safe change: it grants only what the author named in a positive word.

A change that does more needs review: it turns "nothing" or "does not load" into "everything but", approves a tool, starts a
hook, takes away a tool that was enabled, or changes the word that an entry of a map has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.tool_values import WITH_ACTIONS, ToolItem, ToolValue
from fsagent_lint.agent.verdicts import Verdict
from fsagent_lint.effect.effect import Effect
from fsagent_lint.effect.outcome import Refusal
from fsagent_lint.effect.semantics import granted_tools
from fsagent_lint.model.policy import Action, scope_pattern
from fsagent_lint.model.tool import HARMFUL, Risk, Tool
from fsagent_lint.suggest import ascii_lower

_AGENTS = ("agent", "chatmode", "mode")
"""Kinds that have tools of their own; any other kind uses those of the agent that it is loaded into."""
_COMPANIONS = {Tool.ShellOutput: Tool.Shell, Tool.Message: Tool.Agent}
"""Whoever names the second names the first: to read what a command printed adds nothing to running it."""
_APPROVES = (Verdict.KNOWN, Verdict.EVERYTHING, Verdict.RENAMED, Verdict.MCP, Verdict.UNKNOWABLE)


def unasked(before: Subject, after: Subject) -> list[str]:
    """What a new version of a file does that its author did not ask for, each as a clause after "the agent would"."""
    # A file that still does not load must not grant more once its other problems are solved.
    old = before.effect if after.effect.loads else _if_loaded(before)
    new = _if_loaded(after)
    if not new.loads:
        return []
    fresh, gone = [], []
    if _tools_of(old) != _tools_of(new):
        named = _named(before)
        fresh = [f"be granted `{native}`" for native in _new_tools(old, new, after, named)]
        gone = [f"lose `{native}`" for native in _lost_tools(old, new, after, named)]
    approvals = _approvals(after, new) - _approvals(before, old)
    approved = [f"run `{name}` without asking" for name, _ in approvals]
    hooks = [f"run new `{name}`" for name in _new_hooks(old, new, after)]
    return sorted({*fresh, *gone, *approved, *hooks, *_changed_words(before, after)})


def _changed_words(before: Subject, after: Subject) -> Iterator[str]:
    """The entries of maps that are still there, perhaps under another name, and no longer have the author's word."""
    by_name: dict[tuple[str, str | None], set[Action]] = {}
    by_tool: dict[tuple[Tool, str | None], set[Action]] = {}
    for item, action in _worded(after):
        by_name.setdefault((ascii_lower(item.name), item.scope), set()).add(action)
        for tool in after.meaning(item.name).tools:
            by_tool.setdefault((tool, item.scope), set()).add(action)
    for item, action in _worded(before) if by_name else ():
        found = by_name.get((ascii_lower(item.name), item.scope))
        if found is None:
            tools = before.meaning(item.name).tools
            found = set().union(*(by_tool.get((tool, item.scope), ()) for tool in tools))
        if found and action not in found:
            yield f"have `{item.name}` set to {min(found)}"


def _worded(subject: Subject) -> Iterator[tuple[ToolItem, Action]]:
    """Every entry of a map, with the action that its word stands for."""
    for _, value in _values(subject):
        for item in value.items if value.shape in WITH_ACTIONS else ():
            if item.action is not None:
                yield item, item.action


def _if_loaded(subject: Subject) -> Effect:
    """The effect if nothing but the tools could keep the file from loading; a file that cannot be read has none."""
    effect = subject.effect
    if effect.loads or not effect.data:
        return effect
    outcome = granted_tools(effect.data, subject.harness, subject.kind, "")
    if isinstance(outcome, Refusal):
        return effect
    tools = outcome.tools, outcome.ask, outcome.conditional, outcome.denied, outcome.open
    return Effect(True, "", "", *tools, data=effect.data)


def _tools_of(effect: Effect) -> tuple[object, ...]:
    return effect.tools, effect.ask, effect.conditional, effect.open


class _Named(NamedTuple):
    allowed: frozenset[Tool]
    asked: frozenset[Tool]
    """Tools that need a confirmation each time."""
    everything: bool

    @property
    def tools(self) -> frozenset[Tool]:
        return self.allowed | self.asked


def _named(subject: Subject) -> _Named:
    """The tools that a file names in a positive word, in the harness's own names or another's, and does not deny."""
    found: dict[Action, set[Tool]] = {action: set() for action in Action}
    everything = False
    for role, value in _values(subject):
        for item in value.items:
            action = item.action if value.shape in WITH_ACTIONS else Action.DENY if role == "deny" else Action.ALLOW
            if item.name == "*":
                everything = everything or action is Action.ALLOW
            elif action is not None and (action is not Action.DENY or item.scope is None):
                found[action].update(subject.meaning(item.name).tools)
    denied = found[Action.DENY]
    allowed = found[Action.ALLOW] - denied
    return _Named(frozenset(allowed), frozenset(found[Action.ASK] - denied - allowed), everything)


def _values(subject: Subject) -> Iterator[tuple[str, ToolValue]]:
    yield from ((subject.kind.keys[value.key].role, value) for value in subject.values)
    yield from ((subject.kind.wrong_keys[value.key].role, value) for value in subject.misplaced)


def _new_tools(old: Effect, new: Effect, after: Subject, named: _Named) -> Iterator[str]:
    """The harmful native tools that are new and that the file does not name."""
    if named.everything or not (old.loads or after.kind_name in _AGENTS):
        return
    if new.open and not (old.loads and old.open):
        yield "*"
    yield from (native for native in old.ask if native in new.tools)
    known = frozenset(old.natives)
    fresh = [native for native in new.natives if native not in known]
    had = after.harness.granted(old.natives).keys() if fresh else set()
    for native in fresh:
        facts = after.harness.tools[native]
        harmful = {tool for tool in facts.granted if tool.risk in HARMFUL} - had
        if facts.presence == "always" or not harmful:
            continue
        wanted = named.tools if native in new.ask else named.allowed
        granted = {each for tool in facts.granted for each in (tool, _COMPANIONS.get(tool, tool))}
        is_named = not wanted.isdisjoint(granted) and _risks(harmful) <= _risks(named.tools)
        if not is_named:
            yield native


def _risks(tools: Iterable[Tool]) -> set[Risk | None]:
    return {tool.risk for tool in tools if tool.risk in HARMFUL}


def _lost_tools(old: Effect, new: Effect, after: Subject, named: _Named) -> Iterator[str]:
    """The native tools that the file enables and that are no longer granted."""
    natives, kept = new.natives, after.harness.granted(new.natives).keys()
    for native in old.natives:
        facts = after.harness.tools[native]
        is_gone = not named.tools.isdisjoint(facts.granted) and kept.isdisjoint(facts.granted)
        if is_gone and not any(other in natives for other in facts.unless):
            yield native


def _approvals(subject: Subject, effect: Effect) -> set[tuple[str, str]]:
    """The native names that the harness lets run without asking, each with its scope."""
    found: set[tuple[str, str]] = set()
    for entry in subject.items if effect.loads and "approve" in subject.kind.roles else ():
        is_read = entry.value.key in effect.data and entry.value.shape not in WITH_ACTIONS
        if entry.role == "approve" and is_read and entry.verdict in _APPROVES:
            for native in subject.harness.natives(entry.item.name) or (entry.item.name,):
                found.add((native, scope_pattern(entry.item.scope or "")))
    return found


def _new_hooks(old: Effect, new: Effect, after: Subject) -> Iterator[str]:
    """The fields whose commands the harness would run, and did not run before."""
    for name, field in after.kind.fields.items():
        if field.runs and new.data.get(name) and not (old.loads and old.data.get(name) == new.data[name]):
            yield name
