"""Conditions on the agent's model under which a tool is granted; tables refer to them by name."""

from __future__ import annotations

from collections.abc import Callable

from fsagent_lint._fast import pattern
from fsagent_lint.frontmatter.values import Value


def opencode_model(model: Value) -> bool:
    """Searching the web goes through OpenCode's own providers; without a model it uses one of them."""
    return _is_of(model, "opencode", "opencode-go")


def kilo_model(model: Value) -> bool:
    """Searching the web goes through Kilo's own provider, which it uses without a model."""
    return _is_of(model, "kilo")


def _is_of(model: Value, *own: str) -> bool:
    return not model or (isinstance(model, str) and model.partition("/")[0] in own)


def patch_model(model: Value) -> bool:
    """OpenAI's newer models get one tool for patches in place of the two for editing and writing."""
    name = model.partition("/")[2] if isinstance(model, str) else ""
    return "gpt-" in name and "oss" not in name and "gpt-4" not in name


def no_patch_model(model: Value) -> bool:
    """Every other model."""
    return not patch_model(model)


_CLAUDE_4 = pattern(r"claude-(3-|(sonnet|haiku)-4(?![0-9])|opus-4-[2-7](?![0-9]))")


def todo_model(model: Value) -> bool:
    """Claude models before Opus 4.8 and Sonnet 5 keep lists of tasks; Opus 4.1 and older is replaced by the newest."""
    return isinstance(model, str) and _CLAUDE_4.search(model.lower()) is not None


CONDITIONS: dict[str, Callable[[Value], bool]] = {
    "kilo-model": kilo_model,
    "opencode-model": opencode_model,
    "patch-model": patch_model,
    "no-patch-model": no_patch_model,
    "todo-model": todo_model,
}
