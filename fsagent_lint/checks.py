"""What a field's value must look like inside: the named checks that tables refer to."""

from __future__ import annotations

from collections.abc import Callable

from fsagent_lint.values import Value, type_name

_HOOK_EVENTS = frozenset(
    (
        "sessionStart", "sessionEnd", "userPromptSubmitted", "userPromptTransformed", "preToolUse", "postToolUse",
        "postToolUseFailure", "preMcpToolCall", "permissionRequest", "errorOccurred", "agentStop", "subagentStart",
        "subagentStop", "preCompact", "notification",
        "SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SubagentStart",
        "SubagentStop", "PreCompact", "Notification",
    )
)  # fmt: skip


def copilot_mcp_servers(value: Value) -> str:
    """Every server needs its command and arguments, or its address, and says which of its tools are on."""
    if not isinstance(value, dict):
        return ""
    for name, server in value.items():
        if not isinstance(server, dict):
            return f"`{name}` must be a map, not {type_name(server)}"
        kind = server.get("type", "local")
        if kind not in ("local", "stdio", "http", "sse"):
            return f"`{name}`: `type` must be local, stdio, http or sse"
        needed = {"command": "string", "args": "list"} if kind in ("local", "stdio") else {"url": "string"}
        for key, wanted in {**needed, "tools": "list"}.items():
            if key not in server:
                return f"`{name}` needs `{key}`"
            if type_name(server[key]) != wanted:
                return f"`{name}`: `{key}` must be a {wanted}, not {type_name(server[key])}"
            if wanted == "list" and not all(isinstance(item, str) for item in server[key]):
                return f"`{name}`: `{key}` must hold text only"
    return ""


def copilot_hooks(value: Value) -> str:
    if not isinstance(value, dict):
        return ""
    for event, actions in value.items():
        if event not in _HOOK_EVENTS:
            return f"`{event}` is no hook event"
        if not isinstance(actions, list):
            return f"`{event}` must be a list of actions"
    return ""


def text_list(value: Value) -> str:
    """Text, or a list of it that is not empty."""
    if not isinstance(value, list):
        return ""
    if not value:
        return "the list is empty"
    return "" if all(isinstance(item, str) for item in value) else "the list must hold text only"


def skill_name(value: Value) -> str:
    """Lower-case letters, digits, and single hyphens between them."""
    if not isinstance(value, str):
        return ""
    fits = value == value.lower() and all(part.isalnum() for part in value.split("-"))
    return "" if fits else "it may have lower-case letters, digits, and single hyphens between them"


CHECKS: dict[str, Callable[[Value], str]] = {
    "copilot-mcp-servers": copilot_mcp_servers,
    "copilot-hooks": copilot_hooks,
    "text-list": text_list,
    "skill-name": skill_name,
}


def kiro_permissions(value: Value) -> str:
    """Rules of a capability, an effect and patterns; only a denial takes something away."""
    rules = [rule for rule in value if isinstance(rule, dict)] if isinstance(value, list) else []
    denied = [str(rule.get("capability")) for rule in rules if rule.get("effect") == "deny"]
    return ", ".join(dict.fromkeys(denied))


LIMITS: dict[str, Callable[[Value], str]] = {"kiro-permissions": kiro_permissions}
"""What a field's value takes away, in words; empty where that is nothing."""
