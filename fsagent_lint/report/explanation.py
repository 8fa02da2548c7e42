"""A file's explanation for people: intent, then each harness with what it gives and what it takes away."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from fsagent_lint.escape import MESSAGE, escape
from fsagent_lint.explain import Distance


def render(file: dict[str, Any], distances: Mapping[str, Distance]) -> str:
    lines = [escape(file["path"]), f"  {'meant':<12} {_intent(file['intent'])}"]
    for id, effect in file["effects"].items():
        lines += _effect(id, effect, distances.get(id))
    return "".join(f"{line}\n" for line in lines)


_DEFAULTS = {"allow": "every tool", "ask": "every tool, after asking", "deny": "no tools"}
_WORDS = {"allow": "", "ask": "after asking: ", "deny": "not: "}


def _intent(intent: dict[str, Any]) -> str:
    """What happens to tools by default, and what is otherwise about those that are named."""
    default, tools = intent["default"], intent["tools"]
    groups = {
        word: [escape(tool) for tool, its in tools.items() if its == action]
        for action, word in _WORDS.items()
        if action != default
    }
    parts = [f"{word}{', '.join(group)}" for word, group in groups.items() if group]
    if not parts:
        return _DEFAULTS[default]
    return f"{'only' if default == 'deny' else f'{_DEFAULTS[default]}, but'} {'; '.join(parts)}"


def _effect(id: str, effect: dict[str, Any], distance: Distance | None) -> Iterator[str]:
    if not effect["loads"]:
        error = escape(effect["error"] or "", MESSAGE)
        yield f"  {id:<12} is {error}" if error.startswith("known as") else f"  {id:<12} does not load: {error}"
        return
    rows = [
        ("gives", effect["tools"] or ["nothing"]),
        ("asks before", effect["ask"]),
        ("may give", effect["conditional"]),
    ]
    if distance is not None:
        rows += [("more than meant:", distance.more), ("less than meant:", distance.less)]
    label = id
    for word, tools in rows:
        if tools:
            for line in textwrap.wrap(f"{word} {', '.join(tools)}", 86, subsequent_indent="  ", break_on_hyphens=False):
                yield f"  {label:<12} {line}"
                label = ""
