"""The explanation of a file for people: its intent, then the tools that each harness grants."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from fsagent_lint.agent.explain import Distance
from fsagent_lint.model.policy import Action, Policy
from fsagent_lint.report.escape import MESSAGE, escape

_WIDTH = 101
"""How many columns the explanation takes at most."""
_LABEL = 15
"""How many of them the labels take."""


def render_explanation(
    file: dict[str, Any], policy: Policy, distances: Mapping[str, Distance], columns: int = 0
) -> str:
    """`columns`: the width of the terminal; 0 if there is none."""
    width = max(min(columns or _WIDTH, _WIDTH) - _LABEL, 20)
    title = f"{file['path']}: {file['name']}" if "name" in file else file["path"]
    lines = [escape(title), *_wrapped("intended", escape(describe_policy(policy), MESSAGE), width)]
    readers = file["readers"]
    if readers:
        lines += _wrapped("read by", escape(", ".join(readers), MESSAGE), width)
    for id, effect in file["effects"].items():
        lines += _effect(id, readers.get(id, effect), distances.get(id), width)
    return "".join(f"{line}\n" for line in lines)


_DEFAULTS = {Action.ALLOW: "every tool", Action.ASK: "every tool, after asking", Action.DENY: "no tools"}
_WORDS = {Action.ALLOW: "", Action.ASK: "after asking: ", Action.DENY: "not: "}


def describe_policy(policy: Policy) -> str:
    """A policy in words: the default action, and the tools that differ from it."""
    groups: dict[Action, list[str]] = {action: [] for action in _WORDS}
    for tool in policy.named():
        (_, whole), *scopes = policy.patterns(tool) or (("*", policy.action(tool)),)
        granted = [scope for scope, action in scopes if action is not Action.DENY]
        if whole is Action.DENY and granted and policy.default is not Action.DENY:
            groups[Action.ALLOW].append(f"{tool} only for {', '.join(granted)}")
            continue
        if whole is not policy.default:
            groups[whole].append(str(tool))
        for scope, action in scopes:
            if action is not whole:
                groups[action].append(f"{tool}({scope})")
    parts = [f"{_WORDS[action]}{', '.join(names)}" for action, names in groups.items() if names]
    if not parts:
        return _DEFAULTS[policy.default]
    return f"{'only' if policy.default is Action.DENY else f'{_DEFAULTS[policy.default]}, but'} {'; '.join(parts)}"


_SHOWN = 6
"""How many tools a brief description names."""


def brief_effect(effect: dict[str, Any], default_tools: Collection[str]) -> str:
    """An effect in a few words; `default_tools`: what the harness grants an agent that restricts nothing."""
    if not _is_loaded(effect):
        return "does not load"
    names = [*effect["tools"], *(name for name in effect["mcp"] if name != "*")]
    asks = [f"{name} after asking" for name in effect["ask"]]
    if {*default_tools} <= {*names}:
        return "every tool"
    if {*default_tools} <= {*names, *effect["ask"]}:
        return "every tool, some after asking"
    shown = [*names, *asks]
    more = [f"and {len(shown) - _SHOWN} more"] if len(shown) > _SHOWN else []
    return escape(", ".join([*shown[:_SHOWN], *more]) or "no tools", MESSAGE)


def _is_loaded(effect: dict[str, Any]) -> bool:
    """Under the name of its file, or under its own."""
    return bool(effect["loads"] or effect["known_as"])


def _effect(id: str, effect: dict[str, Any], distance: Distance | None, width: int) -> Iterator[str]:
    if not _is_loaded(effect):
        yield f"  {id:<12} does not load: {escape(effect['error'] or '', MESSAGE)}"
        return
    rows = [
        ("known as", [effect["known_as"]] if effect["known_as"] else []),
        ("grants", effect["tools"] or ["nothing"]),
        ("MCP tools:", ["those of every server"] if effect["mcp"] == ["*"] else effect["mcp"]),
        ("asks before", effect["ask"]),
        ("does not ask before", effect["approved"]),
        ("permission mode", [effect["permission_mode"]] if effect["permission_mode"] else []),
        ("may grant", effect["conditional"]),
    ]
    if subagent := effect["subagent"]:
        rows.append(("as a subagent, without", subagent["without"]))
        rows.append(("not a subagent:", [escape(subagent["error"], MESSAGE)] if subagent["error"] else []))
    if distance is not None:
        rows += [("wider than intended:", distance.more), ("narrower than intended:", distance.less)]
    label = id
    for word, tools in rows:
        if tools:
            yield from _wrapped(label, escape(f"{word} {', '.join(tools)}", MESSAGE), width)
            label = ""


def _wrapped(label: str, text: str, width: int) -> Iterator[str]:
    for number, line in enumerate(textwrap.wrap(text, width, subsequent_indent="  ", break_on_hyphens=False)):
        # Wrapping may move text that is only harmless inside a line to the start of one.
        yield f"  {'' if number else label:<12} {escape(line, MESSAGE)}"
