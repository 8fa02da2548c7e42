"""A file's explanation for people: intent, then each harness with what it gives and what it takes away."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from fsagent_lint.escape import MESSAGE, escape


def render(file: dict[str, Any]) -> str:
    lines = [escape(file["path"]), f"  {'meant':<12}{_intent(file['intent'])}"]
    for id, effect in file["effects"].items():
        lines += _effect(id, effect)
    return "".join(f"{line}\n" for line in lines)


def _intent(intent: dict[str, Any]) -> str:
    tools = intent["tools"]
    if not tools:
        return "every tool" if intent["default"] == "allow" else "no tools"
    groups = {
        word: [escape(tool) for tool, action in tools.items() if action == action_name]
        for word, action_name in (("", "allow"), ("after asking: ", "ask"), ("not: ", "deny"))
    }
    parts = [f"{word}{', '.join(group)}" for word, group in groups.items() if group]
    lead = ["every tool, but"] if intent["default"] == "allow" else ["only"]
    return " ".join([*lead, "; ".join(parts)])


def _effect(id: str, effect: dict[str, Any]) -> Iterator[str]:
    if not effect["loads"]:
        yield f"  {id:<12}does not load: {escape(effect['error'] or '', MESSAGE)}"
        return
    rows = [
        ("gives", effect["tools"] or ["nothing"]),
        ("asks before", effect["ask"]),
        ("may give", effect["conditional"]),
        ("not", effect["denied"]),
    ]
    label = id
    for word, tools in rows:
        if tools:
            text = f"{word} {', '.join(tools)}"
            wrapped = textwrap.wrap(text, 86, subsequent_indent="  ", break_on_hyphens=False)
            for line in wrapped:
                yield f"  {label:<12}{line}"
                label = ""
