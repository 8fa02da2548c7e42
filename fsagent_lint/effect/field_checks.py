"""Checks of a field's value beyond its type; tables refer to them by name."""

from __future__ import annotations

from collections.abc import Callable
from unicodedata import normalize

from fsagent_lint.effect.nested_checks import (
    copilot_github,
    copilot_hooks,
    copilot_mcp_servers,
    gemini_mcp_servers,
    qwen_executor,
    qwen_run_config,
)
from fsagent_lint.frontmatter.values import Value


def qwen_name(value: Value) -> str:
    """Two to fifty letters, digits, dashes and underscores, and not a word that it uses itself."""
    name = value.strip() if isinstance(value, str) else "ab"
    if not 2 <= len(name) <= 50:
        return "it must have two to fifty characters"
    if not name.replace("-", "a").replace("_", "a").isalnum() or not (name[0].isalnum() and name[-1].isalnum()):
        return "it may only contain letters and digits, with `-` and `_` between them"
    if name.lower() in ("self", "system", "user", "model", "tool", "config", "default", "main"):
        return f"`{name}` is a reserved word"
    return ""


def qwen_model(value: Value) -> str:
    """The name of a model, maybe with that of a provider before it."""
    if not isinstance(value, str) or not value or value.rpartition(":")[2].strip():
        return ""
    return "the name of the model is missing"


def claude_agent_name(value: Value) -> str:
    """No colon, which separates the name of a plugin, no dash at the start, and 256 characters at most."""
    name = value if isinstance(value, str) else ""
    if ":" in normalize("NFKC", name):
        return "a colon separates the name of a plugin from that of its agent"
    if name.startswith("-"):
        return "it must not start with a dash"
    return "it may have 256 characters" if len(name) > 256 else ""


def not_blank(value: Value) -> str:
    return "it is blank" if isinstance(value, str) and not value.strip() else ""


def text_list(value: Value) -> str:
    """Text, or a list of it that is not empty."""
    if not isinstance(value, list):
        return ""
    if not any(item != "" for item in value):
        return "the list is empty"
    return "" if all(isinstance(item, str) for item in value) else "the list must only contain text"


def codex_nicknames(value: Value) -> str:
    """At least one, each once, of letters, digits, blanks, `-` and `_`."""
    names = [each.strip() if isinstance(each, str) else "" for each in value] if isinstance(value, list) else ["a"]
    if not names:
        return "the list is empty"
    if len(set(names)) < len(names):
        return "a name occurs twice"
    fits = all(name and all(char.isascii() and (char.isalnum() or char in " -_") for char in name) for name in names)
    return "" if fits else "a name may only contain letters, digits, blanks, `-` and `_`"


def skill_name(value: Value) -> str:
    """Lower-case letters, digits, and single hyphens between them."""
    if not isinstance(value, str):
        return ""
    fits = value == value.lower() and all(part.isalnum() for part in value.split("-"))
    return "" if fits else "it may only contain lower-case letters and digits, with single hyphens between them"


def opencode_2(value: Value) -> str:  # noqa: ARG001
    """A field of OpenCode 2, whatever its value."""
    return "it is a field of OpenCode 2, which OpenCode 1 does not accept: use `permission`"


CHECKS: dict[str, Callable[[Value], str]] = {
    "copilot-github": copilot_github,
    "copilot-mcp-servers": copilot_mcp_servers,
    "copilot-hooks": copilot_hooks,
    "gemini-mcp-servers": gemini_mcp_servers,
    "qwen-name": qwen_name,
    "qwen-model": qwen_model,
    "qwen-run-config": qwen_run_config,
    "qwen-executor": qwen_executor,
    "claude-agent-name": claude_agent_name,
    "not-blank": not_blank,
    "text-list": text_list,
    "codex-nicknames": codex_nicknames,
    "skill-name": skill_name,
    "opencode-2": opencode_2,
}


def kiro_permissions(value: Value) -> str:
    """Rules of a capability, an effect and patterns, perhaps under `rules`; only a denial takes something away."""
    value = value.get("rules") if isinstance(value, dict) else value
    rules = [rule for rule in value if isinstance(rule, dict)] if isinstance(value, list) else []
    denied = [str(rule.get("capability")) for rule in rules if rule.get("effect") == "deny"]
    return ", ".join(dict.fromkeys(denied))


def excluded_tools(value: Value) -> str:
    """The tools that are denied, whatever is listed."""
    return ", ".join(each for each in value if isinstance(each, str)) if isinstance(value, list) else ""


def some_servers(value: Value) -> str:
    """The only MCP servers that are there."""
    return "the MCP servers" if isinstance(value, list) else ""


LIMITS: dict[str, Callable[[Value], str]] = {
    "kiro-permissions": kiro_permissions,
    "excluded-tools": excluded_tools,
    "some-servers": some_servers,
}
"""Each describes what a field's value restricts, in words; empty if nothing."""
