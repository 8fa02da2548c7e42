"""Checks of a field's value that is made of parts: MCP servers, hooks, and what else is a map; tables refer to them by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fsagent_lint.frontmatter.values import Value, show_value, type_name

_PARTS: dict[str, tuple[str, Callable[[Value], bool]]] = {
    "text": ("text", lambda value: isinstance(value, str)),
    "texts": ("a list of text", lambda value: isinstance(value, list) and _only_text(value)),
    "list": ("a list", lambda value: isinstance(value, list)),
    "map": ("a map", lambda value: isinstance(value, dict)),
    "text map": ("a map of text", lambda value: isinstance(value, dict) and _only_text([*value.values()])),
    "switch": ("true or false", lambda value: isinstance(value, bool)),
    "number": ("a number", lambda value: _is_number(value)),
    "positive": ("a number above zero", lambda value: _is_number(value) and value > 0),
    "count": ("a whole number above zero", lambda value: _is_number(value) and value > 0 and value % 1 == 0),
}


def _only_text(values: list[Value]) -> bool:
    return all(isinstance(item, str) for item in values)


def _is_number(value: Value) -> bool:
    return type_name(value) in ("integer", "number")


def _wrong_part(whole: Value, parts: Mapping[str, str], needed: tuple[str, ...] = ()) -> str:
    """The first part of a map that is missing or of the wrong sort."""
    if not isinstance(whole, dict):
        return f"must be a map, not {show_value(whole)}"
    for key, sort in parts.items():
        if key not in whole:
            if key in needed:
                return f"needs `{key}`"
            continue
        words, fits = _PARTS[sort]
        if fits(whole[key]):
            continue
        if (sort == "texts" and isinstance(whole[key], list)) or (sort == "text map" and isinstance(whole[key], dict)):
            return f"`{key}` must only contain text"
        return f"`{key}` must be {words}, not {show_value(whole[key])}"
    return ""


def _each(value: Value, problem: Callable[[Value], str]) -> str:
    """The first problem among the values of a map, with its key."""
    for name, part in value.items() if isinstance(value, dict) else ():
        if found := problem(part):
            return f"`{name}` {found}" if found.startswith(("must", "needs")) else f"`{name}`: {found}"
    return ""


_LOCAL = {"command": "text", "args": "texts", "tools": "texts", "env": "map", "cwd": "text"}
_REMOTE = {"url": "text", "tools": "texts", "headers": "text map"}
_ANY_SERVER = {"timeout": "count", "disabled": "switch"}


def _copilot_server(server: Value) -> str:
    is_remote = isinstance(server, dict) and ("url" in server or server.get("type") in ("http", "sse"))
    parts, needed = (_REMOTE, ("url", "tools")) if is_remote else (_LOCAL, ("command", "args", "tools"))
    if found := _wrong_part(server, {**parts, **_ANY_SERVER}, needed):
        return found
    types = ("http", "sse") if is_remote else ("local", "stdio")
    given = server.get("type", None if is_remote else "local")
    return "" if given in types else f"`type` must be {' or '.join(types)}"


def copilot_mcp_servers(value: Value) -> str:
    """Every server needs its command and arguments, or its address, and says which of its tools are on."""
    return _each(value, _copilot_server)


_GEMINI_SERVER = {
    **dict.fromkeys(("command", "cwd", "url", "http_url", "tcp", "description"), "text"),
    **dict.fromkeys(("args", "include_tools", "exclude_tools"), "texts"),
    **dict.fromkeys(("env", "headers"), "text map"),
    "auth": "map",
    "timeout": "number",
    "trust": "switch",
}


def _gemini_server(server: Value) -> str:
    if found := _wrong_part(server, _GEMINI_SERVER):
        return found
    return "" if server.get("type", "sse") in ("sse", "http") else "`type` must be sse or http"


def gemini_mcp_servers(value: Value) -> str:
    """Every setting of a server that it knows must be of the right sort."""
    return _each(value, _gemini_server)


def copilot_github(value: Value) -> str:
    return _wrong_part(value, {"toolsets": "texts", "permissions": "text map"})


_HOOK_EVENTS = frozenset(
    (
        "sessionStart", "sessionEnd", "userPromptSubmitted", "userPromptTransformed", "preToolUse", "postToolUse",
        "postToolUseFailure", "preMcpToolCall", "permissionRequest", "errorOccurred", "agentStop", "subagentStart",
        "subagentStop", "preCompact", "notification",
        "SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure",
        "PreMcpToolCall", "PermissionRequest", "ErrorOccurred", "Stop", "SubagentStart", "SubagentStop", "PreCompact",
        "Notification",
    )
)  # fmt: skip
_SHELLS = ("bash", "powershell", "command")
_ACTION = {
    **dict.fromkeys(("matcher", *_SHELLS, "exec", "cwd"), "text"),
    "args": "list",
    "env": "text map",
    **dict.fromkeys(("timeout", "timeoutSec"), "positive"),
}


def _copilot_action(event: str, action: Value) -> str:
    if isinstance(action, dict) and isinstance(action.get("hooks"), list):
        return next(filter(None, (_copilot_action(event, each) for each in action["hooks"])), "")
    if found := _wrong_part(action, _ACTION):
        return found if found.startswith("`") else f"an action {found}"
    match action.get("type", "command"):
        case "command":
            runs = [key for key in ("exec", *_SHELLS) if key in action]
            is_one = runs == ["exec"] or (runs and "exec" not in runs)
            return "" if is_one else f"an action needs one of `exec`, {', '.join(f'`{key}`' for key in _SHELLS)}"
        case "http":
            url = action.get("url")
            is_address = isinstance(url, str) and url.startswith(("http://", "https://"))
            return "" if is_address else "an action of type http needs the address `url`"
        case "prompt" if event.lower() == "sessionstart":
            return ""
        case _:
            return "`type` must be command or http, or prompt at the start of a session"


def copilot_hooks(value: Value) -> str:
    for event, actions in value.items() if isinstance(value, dict) else ():
        if event not in _HOOK_EVENTS:
            return f"`{event}` is not a hook event"
        if not isinstance(actions, list):
            return f"`{event}` must be a list of actions"
        if found := next(filter(None, (_copilot_action(event, each) for each in actions)), ""):
            return f"`{event}`: {found}"
    return ""


def qwen_run_config(value: Value) -> str:
    """The limits of a run, where it has some."""
    limits = {"max_time_minutes": "positive", "max_turns": "count"}
    return _wrong_part(value, limits) if isinstance(value, dict) else ""


def qwen_executor(value: Value) -> str:
    """The program that runs an agent in the place of Qwen Code."""
    if not isinstance(value, dict):
        return ""
    if found := _wrong_part(value, {"kind": "text", "command": "text", "args": "texts"}, ("kind", "command")):
        return found
    if value["kind"] not in ("acp", "codex"):
        return "`kind` must be acp or codex"
    return "" if str(value["command"]).strip() else "`command` is blank"
