"""Conditions on the agent's model under which a tool is granted; tables refer to them by name."""

from __future__ import annotations

from collections.abc import Callable

from fsagent_lint.frontmatter.values import Value


def opencode_model(model: Value) -> bool:
    """Searching the web goes through OpenCode's own providers; without a model it uses one of them."""
    model = model or "opencode/default"
    return isinstance(model, str) and model.partition("/")[0] in ("opencode", "opencode-go")


def patch_model(model: Value) -> bool:
    """OpenAI's newer models get one tool for patches in place of the two for editing and writing."""
    name = model.partition("/")[2] if isinstance(model, str) else ""
    return "gpt-" in name and "oss" not in name and "gpt-4" not in name


def no_patch_model(model: Value) -> bool:
    """Every other model."""
    return not patch_model(model)


CONDITIONS: dict[str, Callable[[Value], bool]] = {
    "opencode-model": opencode_model,
    "patch-model": patch_model,
    "no-patch-model": no_patch_model,
}
